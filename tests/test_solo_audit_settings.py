"""Neighbours, prices and pairs of options of solo settings, on sweeps whose truth is known."""

import numpy as np
import pandas as pd
import pytest
from auditkit import FLAT, PRICES, UNEQUAL, settings, sweep, true_points
from scipy.special import expit

from clashsim.experiments.audit_cells import cells_of
from clashsim.experiments.audit_interactions import interactions_table
from clashsim.experiments.audit_levels import levels_table
from clashsim.experiments.audit_neighbours import counts_table, inversions_table, neighbours_table

# ---- neighbours


def test_all_neighbours_are_compared_the_dearer_one_with_the_cheaper():
    cells = cells_of(*sweep(40, 11))
    neighbours = neighbours_table(cells)
    counts = neighbours.groupby("option").size()
    expected = {
        "variable": 240,
        "fixed": 384,
        "first": 240,
        "bastion": 240,
        "resistance": 240,
        "ability": 400,
    }
    assert counts.to_dict() == expected
    assert (neighbours["dearer_points"] > neighbours["points"]).all()
    assert set(neighbours.query("option == 'bastion'")["dearer"]) == {"yes"}
    row = neighbours.query("option == 'fixed' and cheaper == '8'").iloc[0]
    same = (
        cells.frame[["variable", "first", "bastion", "resistance", "ability"]]
        .eq(row[["variable", "first", "bastion", "resistance", "ability"]])
        .all(axis=1)
    )
    rate = cells.mean("win")[0]
    assert row["dearer_value"] == rate[same & (cells.frame["fixed"] == "9")][0]
    assert row["cheaper_value"] == rate[same & (cells.frame["fixed"] == "8")][0]
    assert row["easier_by"] == pytest.approx(row["dearer_value"] - row["cheaper_value"])


@pytest.mark.parametrize("games", [40, 100])
def test_where_points_do_nothing_next_to_no_inversion_is_found(games):
    """All orders are true by chance only: Benjamini-Hochberg allows a find in 5 % of the sweeps."""
    with_finds = 0
    for seed in range(12):
        neighbours = neighbours_table(cells_of(*sweep(games, seed, FLAT, start=-0.5)))
        with_finds += (neighbours["order"] == "inverted").any()
        assert 0.3 < (neighbours["easier_by"] > 0).mean() < 0.6
    assert with_finds <= 3


def test_where_points_are_worth_the_same_there_is_no_inversion():
    for seed in range(5):
        neighbours = neighbours_table(cells_of(*sweep(100, seed)))
        assert not (neighbours["order"] == "inverted").any()
        assert (neighbours["order"] == "in order").mean() > 0.3


def test_a_planted_inversion_is_found_where_it_is():
    together = {
        ("bastion", False, "first", "ai"): -4
    }  # with both, the AI's start makes it easier by three points
    neighbours = neighbours_table(cells_of(*sweep(400, 12, start=0.5, together=together)))
    truly = (neighbours["option"] == "first") & (neighbours["bastion"] == "no")
    inverted = neighbours["order"] == "inverted"
    assert inverted[truly].mean() > 0.9
    assert (inverted & ~truly).sum() <= 0.1 * inverted.sum()
    table = inversions_table(neighbours)
    assert (table["easier_by"] > 0).all()
    assert table["p_adjusted"].is_monotonic_increasing
    counts = counts_table(neighbours).set_index("option")
    assert counts.loc["first", "inverted"] == inverted[truly].sum()


def test_pairs_that_are_both_on_the_floor_are_not_compared():
    truth = PRICES | {"first": {"player": 0, "ai": -1}}
    neighbours = neighbours_table(cells_of(*sweep(200, 13, truth, start=-2)))
    at_the_end = neighbours[neighbours["order"] == "at the end"]
    assert len(at_the_end) > 100
    assert at_the_end["p"].isna().all()
    assert (at_the_end[["cheaper_value", "dearer_value"]] < 0.05).all(axis=None)
    assert neighbours.drop(at_the_end.index)["p"].notna().all()
    assert not (inversions_table(neighbours)["order"] == "at the end").any()


# ---- levels


def test_prices_that_mean_difficulty_are_in_order_and_have_no_spread():
    levels = levels_table(cells_of(*sweep(400, 14, start=1.5)))
    assert levels["points"].tolist() == list(range(-1, 11))
    assert dict(zip(levels["points"], levels["level"], strict=True))[4] == "Heroic"
    assert levels["than_below"].iloc[2:9].eq("harder").all()
    assert levels["spread"].max() < 0.02
    assert levels["settings"].sum() == 480
    truth = expit(1.5 - 0.5 * levels["points"])
    assert ((levels["win_rate_low"] < truth) & (truth < levels["win_rate_high"])).mean() > 0.7


def test_the_spread_of_settings_is_told_without_chance():
    cells = cells_of(*sweep(400, 15, UNEQUAL, start=1))
    frame = settings()
    chances = pd.Series(expit(1 - 0.5 * true_points(frame, UNEQUAL)))
    expected = chances.groupby(frame["points"]).std()
    found = levels_table(cells).set_index("points")["spread"]
    np.testing.assert_allclose(found.loc[1:9], expected.loc[1:9], atol=0.012)


def test_a_price_that_is_easier_than_the_one_below_is_named():
    frame = settings()
    truth = {"variable": {1: 0, 2: -2}, "fixed": dict.fromkeys(range(6, 11), 0)}
    found = levels_table(cells_of(*sweep(100, 16, FLAT | truth, frame=frame, start=0)))
    assert "easier" in set(found["than_below"])
    assert "harder" not in set(found["than_below"])


def test_the_mean_over_decks_counts_each_alike():
    starts = {("greedy", "1"): 2.0, ("greedy", "2"): 0.0}
    levels = levels_table(cells_of(*sweep(40, 17, start=starts, decks=["1", "2"])))
    by_deck = levels.pivot(index="points", columns="deck", values="win_rate")
    np.testing.assert_allclose(by_deck["ALL"], by_deck[["1", "2"]].mean(axis=1), atol=1e-5)
    everything = levels[levels["deck"] == "ALL"]
    assert (everything["cells"] == 2 * everything["settings"]).all()


# ---- interactions


def test_a_pair_that_does_more_than_its_sum_is_found_and_hardly_any_other():
    together = {("bastion", False, "resistance", True): 2}
    pairs = interactions_table(cells_of(*sweep(100, 18, start=1.5, together=together)))
    assert len(pairs) == 35
    sure = pairs[pairs["p_adjusted"] < 0.05]
    names = list(zip(sure["level"], sure["other_level"], sure["pair_verdict"], sure["matters"], strict=True))
    assert names[:1] == [("no", "yes", "harder together", True)]
    assert len(names) <= 2
    row = sure.iloc[0]
    assert row["together_low"] < -1.0 < row["together_high"]
    assert 1 < row["in_points_low"] < row["in_points_high"] < 3


def test_without_interactions_next_to_none_is_found():
    with_finds = [
        (interactions_table(cells_of(*sweep(40, seed)))["p_adjusted"] < 0.05).any() for seed in range(8)
    ]
    assert sum(with_finds) <= 2  # in 5 % of the sweeps one may be
