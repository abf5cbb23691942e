"""Two runs side by side: the interval of a difference, what counts as the same games, what is said."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clashsim.analysis.contrasts import difference_of_intervals, estimate_at_confidence, share_at_confidence
from clashsim.analysis.intervals import Interval, bonferroni, mean_of_intervals, score_interval
from clashsim.errors import InputError
from clashsim.experiments.columns import dictionary
from clashsim.experiments.comparison import check_comparable, choose_table, compare_runs
from clashsim.experiments.comparison_findings import findings
from clashsim.experiments.comparison_rows import COMPARABLE, Run
from clashsim.experiments.matchup_tables import estimate

# ---- the interval of a difference


@pytest.mark.parametrize("games", [100, 1000])
@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.1, 0.2), (0.9, 0.5), (0.3, 0.32), (0.02, 0.98)])
@pytest.mark.parametrize("draws", [0.0, 0.3])
def test_it_covers_the_true_difference(games, shares, draws):
    rng = np.random.default_rng(7)
    runs, truth = [], []
    for share in shares:
        win = (1 - draws) * share
        # One side is better off when it starts: the strata have scores of their own.
        counts = [
            rng.multinomial(games, [win * tilt, draws, 1 - draws - win * tilt], size=20_000)
            for tilt in (1.0, 0.8)
        ]
        runs.append(score_interval(*np.stack(counts, axis=1).transpose(2, 0, 1)))
        truth.append(draws / 2 + win * 0.9)
    difference = difference_of_intervals(*runs)
    covered = (difference.low <= truth[1] - truth[0]) & (truth[1] - truth[0] <= difference.high)
    assert 0.94 <= covered.mean() <= 0.985


def test_newcombes_example():
    """Newcombe (1998), table II, method 10: 56/70 against 48/80, and 10/10 against 0/10."""
    first = score_interval([[48], [0]], 0, [[32], [10]])
    second = score_interval([[56], [10]], 0, [[14], [0]])
    difference = difference_of_intervals(first, second)
    assert_allclose(difference.value, [0.2, 1.0])
    assert_allclose(difference.low, [0.0524, 0.6075], atol=5e-5)
    assert_allclose(difference.high, [0.3339, 1.0], atol=5e-5)


COUNTS = st.lists(st.integers(0, 400), min_size=6, max_size=6)


@given(COUNTS, COUNTS)
def test_exchanging_the_runs_or_the_sides_changes_the_signs_only(counts, other):
    def of(counts):
        return score_interval(counts[:2], counts[2:4], counts[4:])

    def turned(counts):
        return score_interval(counts[4:], counts[2:4], counts[:2])

    forth = difference_of_intervals(of(counts), of(other))
    for back in (
        difference_of_intervals(of(other), of(counts)),
        difference_of_intervals(turned(counts), turned(other)),
    ):
        assert (back.value, back.low, back.high) == (-forth.value, -forth.high, -forth.low)
    assert -1 <= forth.low <= forth.value <= forth.high <= 1


@given(st.integers(0, 500), st.integers(0, 500), st.sampled_from([0.99, 0.999, 1 - 1e-6]))
def test_limits_of_a_score_are_moved_to_another_confidence_exactly(wins, losses, wanted):
    moved = share_at_confidence(score_interval([wins], 0, [losses]), 0.95, wanted)
    ref = score_interval([wins], 0, [losses], wanted)
    assert_allclose([moved.low, moved.high], [ref.low, ref.high], atol=1e-7)


def test_limits_of_a_mean_of_scores_are_moved_nearly():
    counts = np.array([[900, 100], [430, 570], [5, 995]])
    for confidence in (0.99, 0.999):
        comp, ref = (
            share_at_confidence(
                mean_of_intervals(score_interval(counts[:, :1], 0, counts[:, 1:])), 0.95, confidence
            ),
            mean_of_intervals(score_interval(counts[:, :1], 0, counts[:, 1:], confidence)),
        )
        assert_allclose([comp.low, comp.high], [ref.low, ref.high], atol=5e-4)


def test_limits_without_bounds_grow_like_the_normal_quantile():
    moved = estimate_at_confidence(Interval(*map(np.array, (10.0, -9.6, 19.8, 0))), 0.95, 0.99)
    assert_allclose([moved.low, moved.high], [10 - 25.76, 10 + 12.88], atol=0.01)


# ---- runs: made from counts, without playing


def manifest(decks="ABC", games=1000, **changes):
    plan = [
        {"deck_a": a, "deck_b": b, "policy_a": "greedy", "policy_b": "greedy", "group": a + b, "games": games}
        for i, a in enumerate(decks)
        for b in decks[i:]
    ]
    return {
        "experiment": "matchups",
        "version": "1",
        "core": "abc",
        "seed": 1,
        "rules": {"window": 4},
        "cards": {"name": "set", "hash": "123"},
        "decks": {deck: [f"{deck}{i}" for i in range(8)] for deck in decks},
        "stopping": {},
        "plan": plan,
    } | changes


def matchups(decks, wins, games=1000, policy="greedy"):
    """A table of matchups as text: the wins of A in each pairing, in order, of `games` games."""
    rows, wins = [], list(wins)
    for i, a in enumerate(decks):
        for b in decks[i:]:
            if a == b:
                half = {"score_a": 0.5, "score_low": 0.5, "score_high": 0.5}
                rows.append(row(a, b, games, policy, half, "mirror", False))
                continue
            won = wins.pop(0)
            for names, n, derived in (((a, b), won, False), ((b, a), games - won, True)):
                score = estimate(score_interval([n], 0, [games - n]), "score_a", "score")
                rows.append(row(*names, games, policy, score, "undecided", derived))
    return pd.DataFrame(rows)


def row(a, b, games, policy, score, verdict, derived):
    numbers = {name: f"{value:.6f}" for name, value in score.items()}
    names = {"deck_a": a, "deck_b": b, "policy_a": policy, "policy_b": policy, "games": str(games)}
    return names | numbers | {"verdict": verdict, "derived": str(derived).lower()}


def compare(table, other, first=None, second=None, name="matchups"):
    runs = Run("one", first or manifest(), table), Run("two", second or manifest(seed=2), other)
    return compare_runs(name, *runs)


def by_pair(comparison):
    return comparison.table.set_index(["deck_a", "deck_b"])


WINS, OTHER_WINS = (500, 600, 700), (510, 700, 400)


def test_rows_are_joined_on_the_decks_and_carry_the_difference():
    table = by_pair(compare(matchups("ABC", WINS), matchups("CBA", OTHER_WINS[::-1], policy="random")))
    assert len(table) == 9
    assert table.loc[("A", "C"), "score_1"] == 0.6
    assert table.loc[("A", "C"), "score_2"] == pytest.approx(0.3)
    assert table.loc[("A", "C"), "difference"] == pytest.approx(-0.3)
    assert table.loc[("A", "C"), "change"] == "lower"
    assert table.loc[("C", "A"), "change"] == "higher"
    assert table.loc[("A", "A"), "change"] == "mirror"
    assert (table["policies_1"] == "greedy").all()
    assert (table["policies_2"] == "random").all()


def test_comparisons_are_counted_once_and_intervals_are_simultaneous_over_them():
    comparison = compare(matchups("ABC", WINS), matchups("ABC", OTHER_WINS))
    table = by_pair(comparison)
    assert set(table["comparisons"]) == {3}
    assert table["derived"].sum() == 3
    wide = bonferroni(0.95, 3)
    ref = difference_of_intervals(
        score_interval([500], 0, [500], wide), score_interval([510], 0, [490], wide)
    )
    comp = table.loc[("A", "B"), ["difference_low_all", "difference_high_all"]].to_list()
    assert_allclose(comp, [ref.low, ref.high], atol=2e-5)
    assert table.loc[("A", "B"), "change"] == "not certain"


@settings(max_examples=10)
@given(st.lists(st.integers(0, 1000), min_size=6, max_size=6))
def test_compare_two_and_one_is_minus_compare_one_and_two(wins):
    tables = matchups("ABC", wins[:3]), matchups("ABC", wins[3:])
    forth, back = by_pair(compare(*tables)), by_pair(compare(*tables[::-1]))
    assert (forth["difference"] == -back["difference"]).all()
    assert (forth["difference_low"] == -back["difference_high"]).all()
    assert (forth["difference_low_all"] == -back["difference_high_all"]).all()
    swapped = {"higher": "lower", "lower": "higher"}
    assert (forth["change"] == back["change"].replace(swapped)).all()


def test_the_same_games_differ_by_exactly_nothing():
    table = matchups("ABC", WINS)
    comparison = compare(table, table, manifest(), manifest())
    played = comparison.table[comparison.table["change"] != "mirror"]
    assert set(played["change"]) == {"same games"}
    limits = ["difference", "difference_low", "difference_high", "difference_low_all", "difference_high_all"]
    assert (played[limits] == 0).all(axis=None)
    assert findings(comparison).answer == [
        "All 3 comparisons that both runs have are the same games: there is no difference."
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 2},
        {"core": "def"},
        {"rules": {"window": 5}},
        {"cards": {"name": "set", "hash": "456"}},
        {"plan": []},
        {"decks": {}},
    ],
    ids=str,
)
def test_other_games_are_not_taken_for_the_same(change):
    table = matchups("ABC", WINS)
    comparison = compare(table, table, manifest(), manifest() | change)
    assert "same games" not in set(comparison.table["change"])


def test_only_the_pairings_of_a_changed_deck_are_other_games():
    decks = manifest()["decks"]
    changed = manifest() | {"decks": decks | {"B": [*decks["B"][:7], "new"]}}
    table = by_pair(compare(matchups("ABC", WINS), matchups("ABC", (450, 600, 650)), manifest(), changed))
    assert table.loc[("A", "C"), "change"] == "same games"
    assert table.loc[("A", "B"), "change"] != "same games"
    assert set(table["comparisons"]) == {2}


def test_the_same_games_with_other_results_are_a_contradiction_that_is_told():
    comparison = compare(matchups("ABC", WINS), matchups("ABC", OTHER_WINS), manifest(), manifest())
    assert "same games" not in set(comparison.table["change"])
    assert any("not what its manifest says" in note for note in comparison.notes)


def test_a_shared_seed_is_told():
    tables = matchups("ABC", WINS), matchups("ABC", OTHER_WINS)
    other_rules = manifest(rules={"window": 5})
    assert any("share their seed" in note for note in compare(*tables, manifest(), other_rules).notes)
    assert not any("share their seed" in note for note in compare(*tables).notes)


def test_rows_of_one_run_only_are_listed():
    comparison = compare(
        matchups("ABC", WINS), matchups("ABD", OTHER_WINS), second=manifest(decks="ABD", seed=2)
    )
    table = by_pair(comparison)
    assert table.loc[("A", "C"), "change"] == "first run only"
    assert table.loc[("D", "A"), "change"] == "second run only"
    assert pd.isna(table.loc[("A", "C"), "difference"])
    assert set(table["comparisons"]) == {1}
    assert "3 rows of one have no counterpart." in comparison.notes
    assert "–" in findings(comparison).sections[0].shown.to_numpy()


def test_a_mirror_against_two_policies_is_a_comparison():
    first = matchups("A", ())
    second = pd.DataFrame([row("A", "A", 1000, "greedy", score_of(700), "unbalanced", False)])
    second["policy_b"] = "random"
    table = compare(first, second).table
    assert table.loc[0, "change"] == "higher"
    assert table.loc[0, "policies_2"] == "greedy against random"


def score_of(wins, name="score_a", limits="score"):
    return estimate(score_interval([wins], 0, [1000 - wins]), name, limits)


# ---- other tables


def first_player(decks, wins, mean):
    names = [(a, b) for i, a in enumerate(decks) for b in decks[i:]] + [("ALL", "ALL")]
    rows = [
        row(*pair, 1000, "greedy", score_of(won, "score_first", ""), "", False)
        for pair, won in zip(names, [*wins, mean], strict=True)
    ]
    return pd.DataFrame(rows).drop(columns=["verdict", "derived"])


def test_symmetric_rows_are_joined_whatever_the_order_of_the_decks():
    comparison = compare(
        first_player("AB", (500, 600, 500), 533),
        first_player("BA", (500, 650, 500), 550),
        manifest("AB"),
        manifest("BA", seed=2),
        "first_player",
    )
    table = by_pair(comparison)
    assert table.loc[("A", "B"), "difference"] == pytest.approx(0.05)
    assert table.loc[("ALL", "ALL"), "difference"] == pytest.approx(0.017)
    assert "verdict_1" not in table


def test_means_over_other_pairings_are_no_comparison():
    first, second = first_player("AB", (500, 600, 500), 533), first_player("A", (500,), 900)
    comparison = compare(first, second, manifest("AB"), manifest("A", seed=2), "first_player")
    table = by_pair(comparison)
    assert table.loc[("ALL", "ALL"), "change"] == "other pairings"
    assert set(table["comparisons"]) == {1}
    assert any("over different opponents" in note for note in comparison.notes)


def pool(rows, name="score", scale=1.0):
    columns = {
        "deck": "",
        "policy": "",
        "vs_policy": "",
        "games": "1000",
        name: "",
        f"{name}_low": "",
        f"{name}_high": "",
    }
    texts = [[d, p, p, "1000", *(f"{scale * x:.6f}" for x in (v, v - 0.02, v + 0.02))] for d, p, v in rows]
    return pd.DataFrame(texts, columns=list(columns))


def test_the_pool_is_joined_on_decks_or_where_they_are_not_enough_on_policies_too():
    greedy = pool([("A", "greedy", 0.5), ("B", "greedy", 0.5)])
    random = pool([("A", "random", 0.4), ("B", "random", 0.6)])
    both = pool([("A", "greedy", 0.8), ("A", "random", 0.2)])
    assert (compare(greedy, random, name="pool").table["change"] == ["lower", "higher"]).all()
    table = compare(greedy, both, name="pool").table.set_index(["deck", "policy"])
    assert table.loc[("A", "greedy"), "change"] == "other pairings"  # a mean over other opponents
    assert table.loc[("A", "random"), "change"] == "second run only"
    assert table.loc[("B", "greedy"), "change"] == "first run only"


def test_ratings_are_compared_in_elo():
    first, second = (pool([("A", "greedy", v), ("B", "greedy", -v)], "elo", 1000) for v in (0.1, 0.2))
    comparison = compare(first, second, name="ratings")
    assert comparison.table["difference"].tolist() == [100, -100]
    assert_allclose(comparison.table["difference_low"][0], 100 - 20 * 2**0.5, atol=1e-6)
    answer = findings(comparison).answer[0]
    assert "the largest deck A, from 100 to 200: +100 Elo (+72 to +128)" in answer


# ---- what is said


def test_the_answer_counts_the_differences_and_names_the_largest():
    answer = findings(compare(matchups("ABC", WINS), matchups("ABC", OTHER_WINS))).answer
    assert answer[0].startswith("Of 3 comparisons, 2 show a certain difference (with 95 % confidence for all")
    assert (
        "the largest deck B against deck C, from 70.0 % to 40.0 %: -30.0 points (-34.1 to -25.8)" in answer[0]
    )
    assert answer[1] == "Every verdict is the same in both runs."


def test_without_a_certain_difference_the_answer_says_how_large_it_can_be():
    answer = findings(compare(matchups("ABC", WINS), matchups("ABC", WINS))).answer
    assert answer[0].startswith("None of 3 comparisons shows a certain difference: it is at most 5.3 points")


def test_people_see_each_comparison_once_and_whether_it_is_sure():
    shown = findings(compare(matchups("ABC", WINS), matchups("ABC", OTHER_WINS))).sections[0].shown
    assert shown["sure"].tolist() == ["no", "yes", "yes"]
    assert shown["score_1 (%)"].tolist()[0] == "50.0 (46.9–53.1)"
    assert shown["difference (points)"].tolist()[2] == "-30.0 (-34.1 to -25.8)"


def test_changed_verdicts_are_named():
    second = matchups("ABC", WINS)
    second.loc[second["deck_a"] + second["deck_b"] == "AC", "verdict"] = "unbalanced"
    answer = findings(compare(matchups("ABC", WINS), second)).answer
    assert answer[1] == "1 verdict changed: deck A against deck C from undecided to unbalanced."


@pytest.mark.parametrize("name", COMPARABLE)
def test_every_column_is_in_the_dictionary(name):
    kind = COMPARABLE[name]
    columns = [*kind.decks, *kind.policies, "games", kind.value, f"{kind.limits}_low", f"{kind.limits}_high"]
    table = pd.DataFrame(
        [["A"] * len(kind.decks) + ["greedy"] * len(kind.policies) + ["10", "0.5", "0.4", "0.6"]]
    )
    table.columns = columns
    if kind.verdict:
        table = table.assign(verdict="undecided", derived="false")
    assert set(compare(table, table, name=name).table.columns) <= set(dictionary())


# ---- what can not be compared


def test_runs_without_a_common_row():
    with pytest.raises(InputError, match="one and two have no row of the table matchups in common"):
        compare(matchups("AB", (500,)), matchups("CD", (500,)))


def test_runs_of_different_experiments():
    with pytest.raises(InputError, match="one of matchups, the second of solo"):
        check_comparable(manifest(), manifest(experiment="solo"))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda t: t.drop(columns="score_low"), "no column score_low"),
        (lambda t: t.assign(score_a="many"), "row 1, column score_a: 'many' is no number"),
        (lambda t: t.assign(score_high="nan"), "column score_high: 'nan' is no number"),
        (lambda t: t.assign(score_low="0.9"), "score_a is not between its limits"),
        (lambda t: pd.concat([t, t]), "has a row twice"),
    ],
)
def test_a_table_with_nonsense_is_named(damage, message):
    table = matchups("AB", (500,))
    with pytest.raises(InputError, match=message):
        compare(table, damage(table))


def test_ladders_are_not_compared():
    ladder = {"experiment": "ladder"}
    with pytest.raises(
        InputError, match="ladders of policies can not be compared; expected two runs of matchups"
    ):
        check_comparable(ladder, ladder)


def test_the_table_is_chosen_from_those_in_both_runs():
    assert choose_table(None, ["plays", "pool", "matchups"], ["matchups", "pool"]) == "matchups"
    assert choose_table("pool", ["pool", "matchups"], ["matchups", "pool"]) == "pool"
    with pytest.raises(InputError, match="Did you mean ratings"):
        choose_table("rating", ["matchups"], ["matchups"])
    with pytest.raises(InputError, match=r"ratings is not in both runs.* in both: matchups"):
        choose_table("ratings", ["matchups", "ratings"], ["matchups"])
    with pytest.raises(InputError, match="no table in common"):
        choose_table(None, ["matchups"], ["pool"])
