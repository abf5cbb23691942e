"""Ratings and equilibrium of decks from made-up results, and what the report says of them."""

from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest

from clashsim.analysis.precision import Target
from clashsim.clash.cards import Deck, load_cards
from clashsim.clash.duels import Duel
from clashsim.clash.policy_files import load_policy
from clashsim.experiments.columns import dictionary
from clashsim.experiments.matchup_tables import matchup_table, pool_table
from clashsim.experiments.rating_findings import (
    equilibrium_section,
    equilibrium_sentence,
    ratings_section,
    ratings_sentence,
    standing_sentence,
)
from clashsim.experiments.rating_tables import equilibrium_table, ratings_table
from clashsim.reporting.plots import draw
from clashsim.reporting.tables import format_table

CARDS = load_cards().cards[:8]
GAMES = 10_000

# Scores in per cent of the deck of the row against the deck of the column.
CIRCLE = {"xy": 70, "yz": 70, "xz": 30}  # x beats y, y beats z, z beats x
LADDER = {"xy": 60, "yz": 60, "xz": 69.2308}  # odds of 3 to 2 twice, and of 9 to 4
TOP = {"xy": 60, "xz": 60, "yz": 50}


def play(scores, games=GAMES, policies=("greedy", "greedy")):
    """Duels and tallies of the pairs of decks that `scores` names, complete with mirrors; first player 10 points up."""
    names = sorted(set("".join(scores)))
    decks = [Deck(name, CARDS) for name in names]
    same = policies[0] == policies[1]
    pairs = list(combinations_with_replacement(decks, 2) if same else product(decks, decks))
    duels = [Duel(pair, tuple(load_policy(policy) for policy in policies)) for pair in pairs]
    tallies = [tally(scores.get(a.name + b.name, 50), games) for a, b in pairs]
    return duels, tallies


def tally(score, games):
    wins = np.rint(games / 2 * np.clip(np.array([score + 10, score - 10]) / 100, 0, 1)).astype(np.int64)
    results = np.stack([wins, 0 * wins, games // 2 - wins], -1)
    turns = np.zeros((2, 31), np.int64)
    turns[:, 12] = games // 2
    return {"results": results, "turns": turns}


def tables_of(scores, games=GAMES, policies=("greedy", "greedy")):
    duels, tallies = play(scores, games, policies)
    return {
        "matchups": matchup_table(duels, tallies),
        "ratings": ratings_table(duels, tallies),
        "equilibrium": equilibrium_table(duels, tallies, seed=1),
    }


def by_deck(table):
    return table.set_index("deck")


def sections(tables, policies=("greedy",)):
    details = {"policies": list(policies)}
    return ratings_section(tables, details), equilibrium_section(tables, details)


def test_scores_are_those_of_the_pool_table():
    duels, tallies = play(LADDER)
    pool, ratings = pool_table(duels, tallies), ratings_table(duels, tallies)
    by_name = {"by": "deck", "ignore_index": True}
    pd.testing.assert_frame_equal(ratings[pool.columns].sort_values(**by_name), pool.sort_values(**by_name))


def test_a_ladder_is_described_by_its_ratings():
    tables = tables_of(LADDER)
    ratings = by_deck(tables["ratings"])
    step = 400 * np.log10(1.5)
    np.testing.assert_allclose(ratings["elo"], [step, 0, -step], atol=0.1)
    assert (ratings["elo_low"] < ratings["elo"]).all()
    assert ratings["fit_df"].unique() == 1
    assert ratings["fit_p"].iloc[0] > 0.9
    assert ratings["beats"].tolist() == ["y, z", "z", ""]
    assert ratings["loses_to"].tolist() == ["", "x", "x, y"]
    assert ratings["dominant"].tolist() == [True, False, False]
    assert ratings["dominated_by"].tolist() == ["", "x", "x, y"]
    assert ratings_sentence(tables).startswith(
        "Nothing in these games contradicts one Elo rating per deck (misfit 0.0 points"
    )
    assert "from +70 for deck x to -70 for deck z" in ratings_sentence(tables)
    assert standing_sentence(tables) == (
        "Deck x is dominant: it surely beats every other deck. "
        "Dominated, whatever the opponent brings: deck y by x; deck z by x, y."
    )
    assert equilibrium_sentence(tables) == (
        "If both players choose their deck unseen, the equilibrium is deck x alone."
    )


def test_a_circle_is_called_one():
    tables = tables_of(CIRCLE)
    np.testing.assert_allclose(tables["ratings"]["elo"], 0, atol=1e-5)
    assert not tables["ratings"]["dominant"].any()
    assert (tables["ratings"]["dominated_by"] == "").all()
    np.testing.assert_allclose(tables["equilibrium"]["weight"], 1 / 3, atol=1e-6)
    assert (tables["equilibrium"]["support"] == 1).all()
    assert (tables["equilibrium"]["side"] == "both").all()
    assert (tables["equilibrium"][["value", "value_low", "value_high"]] == 0.5).all(axis=None)
    assert ratings_sentence(tables) == (
        "One number per deck does not describe these matchups: the scores that Elo ratings imply are off by "
        "20.0 points (root mean square; lack of fit, p < 0.001)."
    )
    assert standing_sentence(tables) == "There is a cycle: x beats y, y beats z, z beats x."
    assert "a mix of deck x with 33.3 % (" in equilibrium_sentence(tables)


def test_several_cycles_are_counted():
    twice = {"xy": 70, "yz": 70, "xz": 30, "wx": 50, "wy": 70, "wz": 30}  # w is as x
    assert standing_sentence(tables_of(twice)).endswith("(1 more such cycle).")


def test_few_games_claim_nothing():
    tables = tables_of(LADDER, games=20)
    assert (tables["ratings"]["beats"] == "").all()
    assert standing_sentence(tables) == ""
    assert "in a mix perhaps only 0.0 % of it" in equilibrium_sentence(tables)
    assert any("may belong in it" in sentence for sentence in sections(tables)[1].sentences)


def test_a_dominant_deck_leaves_the_others_unranked():
    ratings = by_deck(tables_of(TOP)["ratings"])
    assert ratings.loc["x", "dominant"]
    assert ratings["dominated_by"].to_dict() == {"x": "", "y": "x", "z": "x"}


def test_sure_wins_are_the_verdicts_limits():
    close = {"xy": 51.3, "xz": 50.9, "yz": 52}
    tables = tables_of(close)
    sure = tables["matchups"][tables["matchups"]["score_low_all"] > 0.5]
    for deck, row in by_deck(tables["ratings"]).iterrows():
        assert row["beats"] == ", ".join(sorted(sure.loc[sure["deck_a"] == deck, "deck_b"]))
    assert 0 < len(sure) < 3


def test_limits_hold_where_the_games_stop():
    duels, tallies = play({"xy": 51.3, "xz": 51.3, "yz": 51.3})
    target = Target(until_decided=True)
    ratings = ratings_table(duels, tallies, target)
    assert len(ratings["beats"].sum()) < len(ratings_table(duels, tallies)["beats"].sum())
    pool = pool_table(duels, tallies, target)
    by_name = {"by": "deck", "ignore_index": True}
    pd.testing.assert_frame_equal(ratings[pool.columns].sort_values(**by_name), pool.sort_values(**by_name))


def test_shut_outs_are_finite():
    tables = tables_of({"xy": 100, "yz": 100, "xz": 100}, games=10)
    for table in tables.values():
        numbers = table.select_dtypes("number")
        assert np.isfinite(numbers).all(axis=None)
    assert tables["equilibrium"]["deck"].iloc[0] == "x"


def test_two_policies_have_a_mix_for_either_side():
    scores = {"xx": 80, "xy": 40, "yx": 60, "yy": 70}
    tables = tables_of(scores, policies=("greedy", "random"))
    table = tables["equilibrium"].set_index(["side", "deck"])
    assert set(tables["equilibrium"]["policy"][:2]) == {"greedy"}
    # Weights as in test_equilibrium: (d - c) / (a - b - c + d), and so on.
    np.testing.assert_allclose(table.loc["A", "weight"][["x", "y"]], [1 / 5, 4 / 5], atol=1e-6)
    np.testing.assert_allclose(table.loc["B", "weight"][["x", "y"]], [3 / 5, 2 / 5], atol=1e-6)
    assert table.loc[("A", "x"), "value"] == pytest.approx(0.64)
    assert table.loc[("B", "x"), "value"] == pytest.approx(0.36)
    assert table.loc[("B", "x"), "value_low"] == pytest.approx(1 - table.loc[("A", "x"), "value_high"])
    ratings = tables["ratings"]
    assert len(ratings) == 4
    assert ratings["fit_df"].unique() == 1
    assert not ratings["dominant"].any()
    assert ratings["elo"].sum() == pytest.approx(0, abs=1e-5)


def test_dominance_between_two_policies_is_within_one_of_them():
    scores = {a + b: 50 + better for a, better in (("x", 30), ("y", 20), ("z", 10)) for b in "xyz"}
    tables = tables_of(scores, policies=("greedy", "random"))
    greedy = by_deck(tables["ratings"].query("policy == 'greedy'"))
    random = by_deck(tables["ratings"].query("policy == 'random'"))
    assert greedy["dominated_by"].to_dict() == {"x": "", "y": "x", "z": "x, y"}
    assert greedy["dominant"].to_dict() == {"x": True, "y": False, "z": False}
    assert (random["dominated_by"] == "").all()
    said = standing_sentence(tables)
    assert said.startswith("Deck x (greedy) is dominant: whatever the opponent brings")
    assert "cycle" not in said
    assert "the equilibrium for greedy is deck x alone; for random, a mix of" in equilibrium_sentence(tables)


@pytest.mark.parametrize("policies", [("greedy", "greedy"), ("greedy", "random")])
def test_one_deck_has_little_to_say(policies):
    decks = (Deck("x", CARDS), Deck("x", CARDS))
    duels = [Duel(decks, tuple(load_policy(policy) for policy in policies))]
    tallies = [tally(60, 100)]
    tables = {
        "matchups": matchup_table(duels, tallies),
        "ratings": ratings_table(duels, tallies),
        "equilibrium": equilibrium_table(duels, tallies, seed=1),
    }
    reference = tables_of(LADDER, games=20)
    for name in ("ratings", "equilibrium"):
        assert list(tables[name].columns) == list(reference[name].columns)
        assert len(tables[name]) == (0 if policies[0] == policies[1] else 2)
    assert ratings_sentence(tables) == standing_sentence(tables) == equilibrium_sentence(tables) == ""
    for section in sections(tables, dict.fromkeys(policies)):
        assert section.sentences
        format_table(section)


@pytest.mark.parametrize("scores", [{"xy": 60}, LADDER, CIRCLE])
def test_sections_can_be_shown(scores):
    tables = tables_of(scores)
    for section in sections(tables):
        assert all(section.sentences)
        pd.testing.assert_frame_equal(section.table, tables[section.name])
        headings, rows, _ = format_table(section)
        assert len(rows) == len(section.table)
        assert len(headings) == len(section.columns)
    figure = sections(tables)[0].figure
    assert list(figure.data["values"]) == list(tables["ratings"]["elo"])
    assert "%" not in draw(figure).axes[0].get_xlabel().removesuffix("with its 95 % interval")


def test_the_dictionary_has_every_column():
    tables = tables_of(LADDER, games=20)
    for name in ("ratings", "equilibrium"):
        assert set(tables[name].columns) <= set(dictionary())


def test_the_same_seed_gives_the_same_tables():
    duels, tallies = play(CIRCLE, games=100)
    one, again, other = (equilibrium_table(duels, tallies, seed) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(one, again, check_exact=True)
    assert not one.equals(other)
    pd.testing.assert_frame_equal(
        ratings_table(duels, tallies), ratings_table(duels, tallies), check_exact=True
    )
