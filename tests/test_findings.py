"""The sentences and figures of the matchups, from small runs."""

import numpy as np
import pandas as pd
import pytest

import clashsim as cs
from clashsim.experiments import words


@pytest.fixture(scope="module")
def small():
    return cs.matchups(["2", "4"], games=20, policy="greedy", seed=3)


def section_of(result, name):
    return next(section for section in result.findings().sections if section.name == name)


def test_every_section_has_its_table_and_says_something(small):
    found = small.findings()
    assert found.question.endswith("?")
    assert all(section.sentences for section in found.sections)
    for section in found.sections:
        pd.testing.assert_frame_equal(section.table, getattr(small, section.name))
        assert set(section.columns) <= set(section.table.columns)


def test_the_heatmap_has_every_pair_and_leaves_mirrors_out(small):
    data = section_of(small, "matchups").figure.data
    matrix = data["matrix"]
    assert matrix.shape == (2, 2)
    assert np.isnan(np.diag(matrix)).all()
    assert matrix[0, 1] + matrix[1, 0] == 1
    assert (data["half_widths"][0, 1] > 0).all()


def test_figures_show_the_tables_intervals(small):
    for name, value in (("pool", "score"), ("first_player", "score_first")):
        data = section_of(small, name).figure.data
        table = getattr(small, name)
        assert list(data["values"]) == list(table[value])
        assert list(data["lows"]) == list(table[f"{value}_low"])
        assert len(data["labels"]) == len(table)


def test_the_page_shows_played_rows_only_but_writes_all(small):
    section = section_of(small, "matchups")
    assert len(section.table) == 4
    assert len(section.shown) == 3


def test_different_policies_are_named_for_either_side():
    result = cs.matchups(["4"], games=4, policy="random", vs_policy="greedy", seed=2)
    found = result.findings()
    assert "random against greedy" in found.title
    assert found.answer[0].startswith("random scores ")
    assert found.answer[0].endswith("against greedy, where both play deck 4.")
    assert "played by random" in section_of(result, "matchups").figure.title
    assert "mirror" not in found.answer[2].split("pairing")[0]


def test_one_policy_against_another_is_told_over_all_decks_first():
    result = cs.matchups(["1", "3"], games=40, policy=["random", "wild"], vs_policy="greedy", seed=2)
    answer = result.findings().answer
    for place, policy in enumerate(["random", "wild"]):
        rows = result.matchups[result.matchups["policy_a"] == policy]
        wins, draws = rows["wins_a"].sum(), rows["draws"].sum()
        score = 100 * (wins + draws / 2) / rows["games"].sum()
        assert answer[place].startswith(f"{policy} scores {score:.1f} % (")
        assert answer[place].endswith("against greedy, over all 4 ordered pairs of decks, mirrors included.")
    same = (
        cs.matchups(["1", "3"], games=20, policy=["random", "greedy"], vs_policy="greedy").findings().answer
    )
    assert same[0].startswith("random scores")
    assert not same[1].startswith("greedy scores")  # nothing to tell of a policy against itself


def test_stalls_and_peace_are_told_apart():
    quick = cs.matchups(["2"], games=8, seed=1, policy="greedy")
    assert quick.findings().answer[-1] == "Nothing stalls: no game reached the turn limit."
    cut = cs.matchups(["2"], games=8, seed=1, rules=cs.Rules(turn_limit=1), policy="greedy")
    assert cut.findings().answer[-1].startswith("1 pairing stalls with these players")


def test_going_first_in_a_single_pairing_has_no_range():
    answer = cs.matchups(["2"], games=8, seed=1, policy="greedy").findings().answer
    assert answer[0].startswith("The player who goes first scores")
    assert "from" not in answer[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (words.percent(0.57149), "57.1 %"),
        (words.percent(-0.0001), "0.0 %"),
        (words.points(0.0251), "+2.5 points"),
        (words.points(-0.1), "-10.0 points"),
        (words.count(1, "pairing"), "1 pairing"),
        (words.count(0, "pairing"), "0 pairings"),
        (words.interval(pd.Series({"x": 0.5, "x_low": 0.4, "x_high": 0.65}), "x"), "50.0 % (40.0 to 65.0)"),
    ],
)
def test_numbers_in_words(text, expected):
    assert text == expected
