"""The matchups of decks: plan, tables and findings against the counts they are made from."""

from math import sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import clashsim as cs
from clashsim.analysis.intervals import score_interval
from clashsim.experiments.columns import dictionary
from clashsim.experiments.matchups import plan_matchups
from clashsim.reporting.files import write_csv

pytestmark = pytest.mark.jit

TABLES = ("matchups", "pool", "first_player", "health", "plays")

# Wins of side A, draws and wins of side B in a million games each of an independent implementation of the rules and of
# the two policies (another language, other random numbers).
INDEPENDENT = {
    ("random", "1", "1"): (499490, 0, 500510),
    ("random", "1", "2"): (285704, 0, 714296),
    ("random", "1", "3"): (594094, 0, 405906),
    ("random", "1", "4"): (541668, 0, 458332),
    ("random", "2", "2"): (500424, 0, 499576),
    ("random", "2", "3"): (726876, 0, 273124),
    ("random", "2", "4"): (698018, 0, 301982),
    ("random", "3", "3"): (499842, 0, 500158),
    ("random", "3", "4"): (491392, 0, 508608),
    ("random", "4", "4"): (500518, 0, 499482),
    ("greedy", "1", "1"): (376736, 245792, 377472),
    ("greedy", "1", "2"): (440855, 0, 559145),
    ("greedy", "1", "3"): (176538, 148601, 674861),
    ("greedy", "1", "4"): (314768, 12620, 672612),
    ("greedy", "2", "2"): (495151, 10186, 494663),
    ("greedy", "2", "3"): (194912, 3264, 801824),
    ("greedy", "2", "4"): (131745, 7969, 860286),
    ("greedy", "3", "3"): (500843, 20, 499137),
    ("greedy", "3", "4"): (597827, 186, 401987),
    ("greedy", "4", "4"): (499610, 501, 499889),
}


@pytest.fixture(scope="module")
def four():
    """The four decks, greedy, a few thousand games each."""
    return cs.matchups(games=4000, policy="greedy", seed=5)


def row_of(table, deck_a, deck_b):
    return table[(table["deck_a"] == deck_a) & (table["deck_b"] == deck_b)].iloc[0]


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_scores_and_draws_agree_with_an_independent_implementation(policy):
    table = cs.matchups(games=40_000, policy=policy, seed=3).matchups
    for (name, deck_a, deck_b), theirs in INDEPENDENT.items():
        if name != policy:
            continue
        row = row_of(table, deck_a, deck_b)
        ours = (row["wins_a"], row["draws"], row["wins_b"])
        for values in ((1, 0.5, 0), (0, 1, 0)):  # score, draw rate
            means, variances = zip(*(moments(counts, values) for counts in (ours, theirs)), strict=True)
            assert abs(means[0] - means[1]) <= 4.5 * sqrt(sum(variances)) + 1e-4, (deck_a, deck_b)


def moments(counts, values):
    shares = np.array(counts) / sum(counts)
    mean = shares @ values
    return mean, (shares @ np.square(values) - mean**2) / sum(counts)


def test_the_table_has_all_ordered_pairs_and_tells_which_are_derived(four):
    table = four.matchups
    assert len(table) == 16
    assert (table["derived"]).sum() == 6
    assert (table["verdict"] == "mirror").sum() == 4
    assert set(table["comparisons"]) == {6}
    assert (table["games"] == 4000).all()
    assert (table["wins_a"] + table["wins_b"] + table["draws"] == table["games"]).all()


def test_a_against_b_is_one_minus_b_against_a(four, tmp_path):
    write_csv(four.matchups, tmp_path / "matchups.csv")
    written = pd.read_csv(tmp_path / "matchups.csv", dtype={"deck_a": str, "deck_b": str})
    for table, equal in ((four.matchups, np.equal), (written, np.isclose)):
        for deck_a, deck_b in ((a, b) for a in "1234" for b in "1234"):
            one, other = row_of(table, deck_a, deck_b), row_of(table, deck_b, deck_a)
            assert equal(one["score_a"], 1 - other["score_a"])
            for suffix in ("", "_all"):
                assert equal(one[f"score_low{suffix}"], 1 - other[f"score_high{suffix}"])
            if deck_a != deck_b:
                assert equal(one["score_a_first"], 1 - other["score_a_second"])
            assert one["draws"] == other["draws"]
    text = (tmp_path / "matchups.csv").read_text().splitlines()
    scores = {tuple(line.split(",")[:2]): line.split(",")[8] for line in text[1:]}
    for (deck_a, deck_b), score in scores.items():
        assert int(score.replace(".", "")) + int(scores[deck_b, deck_a].replace(".", "")) == 1_000_000


def test_mirrors_are_even_and_tell_what_going_first_is_worth(four):
    mirror = row_of(four.matchups, "2", "2")
    assert (mirror["score_a"], mirror["score_low"], mirror["score_high"]) == (0.5, 0.5, 0.5)
    first = row_of(four.first_player, "2", "2")
    assert mirror["score_a_first"] == first["score_first"]
    assert mirror["score_a_second"] == pytest.approx(1 - first["score_first"])
    assert 2 * mirror["win_rate_a"] + mirror["draw_rate"] == pytest.approx(1, abs=2e-6)


def test_scores_and_intervals_follow_from_the_counts():
    duel = plan_matchups(["1", "4"], games=2000, seed=9, policy="greedy").conditions[1]
    results = duel.tally(0, 2000)["results"]
    row = row_of(cs.matchups(["1", "4"], games=2000, seed=9, policy="greedy").matchups, "1", "4")
    assert (row["wins_a"], row["draws"], row["wins_b"]) == tuple(results.sum(axis=0))
    expected = score_interval(*results.T)
    assert row["score_a"] == pytest.approx(float(expected.value), abs=6e-7)
    assert row["score_low"] == pytest.approx(float(expected.low), abs=6e-7)
    assert (
        row["score_low_all"]
        <= row["score_low"]
        <= row["score_a"]
        <= row["score_high"]
        <= row["score_high_all"]
    )
    assert row["score_a_first"] == pytest.approx((results[0, 0] + results[0, 1] / 2) / results[0].sum())


def test_verdicts_are_read_off_the_simultaneous_intervals(four):
    for row in four.matchups.itertuples():
        if row.verdict == "mirror":
            continue
        inside = row.score_low_all >= 0.475 and row.score_high_all <= 0.525
        outside = row.score_low_all > 0.525 or row.score_high_all < 0.475
        assert row.verdict == ("balanced" if inside else "unbalanced" if outside else "undecided")
        assert row.distance == pytest.approx(row.score_a - min(max(row.score_a, 0.475), 0.525), abs=1e-6)


def test_the_pool_is_the_mean_over_the_opponents(four):
    played = four.matchups[four.matchups["verdict"] != "mirror"]
    for row in four.pool.itertuples():
        assert row.score == pytest.approx(played[played["deck_a"] == row.deck]["score_a"].mean(), abs=1e-6)
        assert row.score_low < row.score < row.score_high
        assert row.opponents == 3
    assert four.pool["score"].is_monotonic_decreasing
    assert four.pool["score"].mean() == pytest.approx(0.5, abs=1e-6)


def test_the_first_player_table_ends_with_the_mean_and_its_range(four):
    pairings, mean = four.first_player.iloc[:-1], four.first_player.iloc[-1]
    assert len(pairings) == 10
    assert mean["advantage"] == pytest.approx(pairings["advantage"].mean(), abs=1e-6)
    assert mean["advantage_least"] == pairings["advantage"].min()
    assert mean["advantage_most"] == pairings["advantage"].max()
    assert mean["games"] == pairings["games"].sum()
    assert np.allclose(pairings["advantage"], pairings["score_first"] - 0.5, atol=1e-9)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_tables_do_not_depend_on_threads(four, jobs):
    again = cs.matchups(games=4000, policy="greedy", seed=5, jobs=jobs)
    for name in TABLES:
        pd.testing.assert_frame_equal(getattr(again, name), getattr(four, name), check_exact=True)


def test_a_pairing_is_the_same_whatever_else_is_played(four):
    alone = cs.matchups([1, "3"], games=4000, policy="greedy", seed=5).matchups
    names = [
        name for name in alone.columns if not name.endswith("_all") and name not in ("comparisons", "verdict")
    ]
    for deck_a, deck_b in (("1", "1"), ("1", "3"), ("3", "3")):
        pd.testing.assert_series_equal(
            row_of(alone, deck_a, deck_b)[names],
            row_of(four.matchups, deck_a, deck_b)[names],
            check_names=False,
        )


def test_another_seed_gives_other_games(four):
    other = cs.matchups(["1", "4"], games=4000, policy="greedy", seed=6).matchups
    assert row_of(other, "1", "4")["wins_a"] != row_of(four.matchups, "1", "4")["wins_a"]


def test_different_policies_play_every_ordered_pair():
    result = cs.matchups(["1", "3"], games=1000, policy="greedy", vs_policy="random")
    table = result.matchups
    assert list(zip(table["deck_a"], table["deck_b"], strict=True)) == [
        ("1", "1"),
        ("1", "3"),
        ("3", "1"),
        ("3", "3"),
    ]
    assert not table["derived"].any()
    assert "mirror" not in set(table["verdict"])
    assert set(table["comparisons"]) == {4}
    assert (table["score_a"] > 0.7).all()  # greedy is the stronger player, whatever the decks
    assert set(zip(result.pool["deck"], result.pool["policy"], strict=True)) == {
        (deck, policy) for deck in "13" for policy in ("greedy", "random")
    }


def test_health_and_plays_follow_from_the_games():
    plan = plan_matchups(["1", "3"], games=600, seed=2, policy="greedy")
    result = plan.run()
    tally = plan.conditions[1].tally(0, 600)
    row = row_of(result.health, "1", "3")
    turns = np.repeat(np.arange(201), tally["turns"].sum(axis=0))
    assert row["turns_mean"] == pytest.approx(turns.mean(), abs=1e-6)
    assert row["turns_median"] == np.median(turns)
    falls = np.repeat(np.arange(201), tally["bastion_falls"][0])
    assert row["bastion_a_fell"] == pytest.approx((falls > 0).mean(), abs=1e-6)
    assert row["bastion_a_turn"] == pytest.approx(falls[falls > 0].mean(), abs=1e-6)
    assert row["unspent_mana_b"] == pytest.approx(
        tally["unspent_mana"][1] / tally["turns_ended"][1], abs=1e-6
    )
    plays = result.plays.set_index(["deck", "card"])["plays"]
    both = [duel.tally(0, 600)["plays"] for duel in plan.conditions]
    assert plays["1"].sum() == both[0].sum() + both[1][0].sum()
    assert (result.plays["games"] == 1800).all()  # the mirror's two sides and the pairing


def test_rules_and_cards_change_the_games(four):
    longer = cs.matchups(
        ["1", "3"], games=4000, seed=5, rules=cs.Rules(turn_limit=50), policy="greedy"
    ).health
    assert row_of(longer, "1", "3")["turns_p90"] == 50
    other = cs.matchups(["4"], games=400, cards="starter-kit-community", policy="greedy")
    assert other.details["cards"]["name"] == "starter-kit-community"
    assert other.details["cards"]["hash"] != four.details["cards"]["hash"]


def test_decks_may_be_lists_of_names_or_files(tmp_path):
    deck = ["ASSASSIN", "GNOME", "GRRR", "PARTISAN", "REPTILE", "SHAMAN", "VORTEX", "ZOMBIE"]
    path = tmp_path / "fast.toml"
    path.write_text(f"cards = {deck}")
    by_file = cs.matchups([path, 2], games=200, policy="greedy").matchups
    by_names = cs.matchups([deck, 2], games=200, policy="greedy").matchups
    assert list(by_file["deck_a"]) == ["fast", "fast", "2", "2"]
    assert list(by_names["deck_a"]) == ["custom", "custom", "2", "2"]


def test_a_replaced_card_keeps_the_shuffles_of_its_deck(tmp_path):
    names = [card.name for card in cs.load_cards().decks["1"].cards]
    for folder, cards in (("a", names), ("b", ["ZOMBIE", *names[1:]])):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.toml").write_text(f"cards = {cards}")
    plans = [
        plan_matchups([tmp_path / folder / "mine.toml", "2"], games=2, policy="greedy") for folder in "ab"
    ]
    assert plans[0].conditions[1].match["key"] == plans[1].conditions[1].match["key"]
    assert plans[0].conditions[1].match["key"] != plans[0].conditions[0].match["key"]


def test_one_deck_is_a_mirror_alone():
    result = cs.matchups(["2"], games=200, policy="greedy")
    assert list(result.matchups["verdict"]) == ["mirror"]
    assert result.pool.empty
    assert "goes first" in " ".join(result.findings().answer)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"decks": ["5"]}, "unknown deck '5'"),
        ({"decks": []}, "at least one"),
        ({"decks": ["1", 1]}, "given twice"),
        ({"policy": "gredy"}, "Did you mean greedy?"),
        ({"vs_policy": "rnd"}, "policy 'rnd'"),
        ({"games": 0}, "games is 0"),
        ({"games": 2.5}, "games is 2.5"),
        ({"games": True}, "games is True"),
        ({"games": 10**13}, "from 1 to"),
        ({"jobs": 0}, "jobs"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"cards": "starter"}, "unknown card set 'starter'"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(cs.InputError, match=message.replace("?", r"\?")):
        cs.matchups(**({"games": 2, "policy": "greedy"} | arguments))


def test_an_odd_number_of_games_is_rounded_up():
    assert list(cs.matchups(["1"], games=101, policy="greedy").matchups["games"]) == [102]


def test_every_column_is_in_the_dictionary_and_the_docs_have_it(four):
    words = dictionary()
    used = {name for table in TABLES for name in getattr(four, table).columns}
    assert used <= set(words)
    page = (Path(__file__).parents[1] / "reports" / "README.md").read_text()
    documented = dict(
        line.strip("| ").split(" | ", 1) for line in page.splitlines() if line.startswith("| `")
    )
    for name, meaning in words.items():
        assert documented[f"`{name}`"] == meaning


def test_findings_answer_the_four_questions(four):
    answer = " ".join(four.findings().answer)
    assert "deck 3 is the best: it scores 7" in answer
    assert "The most one-sided is deck 4 against deck 2" in answer
    assert "going first is worth +" in answer
    assert "2 pairings stall with these players" in answer
    assert "deck 1 against deck 1 in 2" in answer
    names = [section.name for section in four.findings().sections]
    assert names == list(four.tables)


def test_findings_do_not_name_a_best_deck_among_equals(tmp_path):
    deck = list(plan_matchups(["1"], games=2, policy="greedy").conditions[0].decks[0].cards)
    for name in ("one", "two"):
        path = tmp_path / f"{name}.toml"
        path.write_text(f"cards = {[card.name for card in deck]}")
    result = cs.matchups([tmp_path / "one.toml", tmp_path / "two.toml"], games=2000, policy="random")
    assert "the best mean scores, too close together to tell apart" in result.findings().answer[0]
    assert row_of(result.matchups, "one", "two")["verdict"] != "mirror"  # two decks, though of the same cards
