"""The report of the price audit, what flips between policies, and what a sweep may look like."""

import re

import numpy as np
import pandas as pd
import pytest
from auditkit import BLOCKS, PRICES, UNEQUAL, options_of, settings, sweep

from clashsim.errors import InputError
from clashsim.experiments.audit_cells import OPTIONS, cells_of
from clashsim.experiments.audit_findings import QUESTION, findings, strongest
from clashsim.experiments.audit_options import options_table
from clashsim.experiments.audit_skill import LEVEL, NEIGHBOURS, skill_table
from clashsim.experiments.columns import dictionary
from clashsim.experiments.solo_audit import TABLES, audit
from clashsim.reporting.page import render_page
from clashsim.reporting.plots import draw
from clashsim.reporting.tables import format_table, heading


@pytest.fixture(scope="module")
def two_policies():
    """Two decks; under greedy all points are worth the same, under planner they are not, and a pair interacts."""
    fair = sweep(120, 1, policies=["greedy"], decks=["1", "2"])
    together = {("bastion", False, "resistance", True): 2}
    unequal = sweep(120, 2, UNEQUAL, policies=["planner"], decks=["1", "2"], together=together)
    frame = pd.concat([fair[0], unequal[0]], ignore_index=True)
    return audit(frame, {name: np.concatenate([fair[1][name], unequal[1][name]]) for name in fair[1]})


def test_wrong_prices_are_named_in_the_right_direction(two_policies):
    options = two_policies["solo_options"]
    found = options_of(options[options["policy"] == "planner"], deck="ALL")["price_verdict"]
    assert found["variable 1 2"] == "too cheap"  # much harder than its two points say
    assert found["first player ai"] == "too dear"  # easier, for a point more
    assert options_of(options[options["policy"] == "greedy"], deck="ALL")["price_verdict"].eq("fair").all()


# ---- skill and the report


def test_verdicts_that_flip_between_policies_are_named(two_policies):
    skill = two_policies["solo_skill"]
    flips = skill[skill["flips_from"] != ""]
    assert set(flips["policy"]) == {"planner"}
    prices = set(flips.query("what == 'price of an option' and deck == 'ALL'")["item"])
    assert {"variable 1 to 2", "first player to ai"} <= prices
    answer = " ".join(findings(two_policies).answer)
    assert "first player to ai fair under greedy, too dear under planner" in answer
    alone = audit(*sweep(40, 19))
    assert alone["solo_skill"].empty
    assert "flip" not in " ".join(findings(alone).answer)


@pytest.mark.parametrize(
    ("policy", "start", "advised"), [("greedy", -5, True), ("planner", -5, False), ("greedy", 1, False)]
)
def test_a_stronger_policy_is_advised_where_most_settings_are_on_the_floor(policy, start, advised):
    answer = " ".join(findings(audit(*sweep(80, 3, start=start, policies=[policy]))).answer)
    assert ("tactician wins far more often than greedy" in answer) == advised


def test_pairs_are_shown_by_the_options_that_they_share():
    found = findings(audit(*sweep(60, 5, UNEQUAL)))
    section = next(section for section in found.sections if section.name == "solo_inversions")
    headings, rows, _ = format_table(section)
    names = {option.capitalize(): option for option in OPTIONS}
    for row in map(lambda cells: dict(zip(headings, cells, strict=True)), rows):
        assert [names[name] for name in names if row[name] == "–"] == [row["Option"]]
        assert row["Fixed"] in ("–", "6", "7", "8", "9", "10")


def test_a_table_without_rows_is_no_table_in_the_report():
    page = render_page(findings(audit(*sweep(40, 19, start=-9))), {})
    assert re.search(r"None\.\n\nAll (\d+ rows and )?columns: \[solo_interactions\.csv\]", page)


def test_the_ai_has_capital_letters_in_headings():
    assert [heading(name) for name in ("ai_cards_to_go", "score_a", "turns_mean")] == [
        "AI cards to go",
        "Score A",
        "Turns mean",
    ]


def test_contraries_flip():
    both = {"policy": ["greedy", "planner"], "deck": "1"}
    neighbours = pd.DataFrame(
        both
        | {"option": "fixed", "cheaper": "6", "dearer": "7", "order": ["inverted", "in order"]}
        | {option: levels[-1] for option, levels in OPTIONS.items()}
    )
    levels = pd.DataFrame(both | {"points": 3, "than_below": ["easier", "harder"]})
    prices = pd.DataFrame(
        both
        | {"outcome": "win", "option": "fixed", "base": "6", "level": "7"}
        | {"price_verdict": ["too dear", "too cheap"], "suggested_low_all": [-3.0, 2.0]}
        | {"suggested_high_all": [-2.0, 3.0]}
    )
    found = skill_table(prices, levels, neighbours)
    assert found.groupby("what")["flips_from"].agg(list).tolist() == [["", "greedy"]] * 3
    overlapping = prices.assign(suggested_high_all=[2.5, 3.0])
    found = skill_table(overlapping, levels.assign(than_below=["undecided", "harder"]), neighbours)
    assert (found.query("what != 'neighbours'")["flips_from"] == "").all()
    by_cards = prices.assign(outcome="ai_cards_to_go")
    assert set(skill_table(by_cards, levels, neighbours)["what"]) == {LEVEL, NEIGHBOURS}


def test_the_report_answers_the_question_first(two_policies):
    found = findings(two_policies)
    assert found.question == QUESTION
    first = found.answer[0]
    assert first.startswith("Under planner, over both decks: ")
    assert "harder than the one below" in first
    assert "too cheap" in first
    starts = [
        "Variable mana 2 (+2)",
        "Fixed mana: ",
        "The AI starts (+1)",
        "No Bastion (-1)",
        "Resistance (+2)",
    ]
    for words in [*starts, "An ability for all"]:
        assert sum(sentence.startswith(words) for sentence in found.answer) == 1
    assert any("no Bastion with resistance" in sentence for sentence in found.answer)
    assert strongest(["planner", "greedy"]) == "planner"
    assert strongest(["mine.py:choose", "other.py:choose"]) == "other.py:choose"


def test_every_table_is_shown_and_every_figure_drawn(two_policies):
    assert tuple(two_policies) == TABLES
    sections = findings(two_policies).sections
    assert [section.name for section in sections if section.name] == list(TABLES)
    for section in sections:
        if section.name:
            pd.testing.assert_frame_equal(section.table, two_policies[section.name])
            heading, rows, _ = format_table(section)
            assert rows
            assert all(len(row) == len(heading) for row in rows)
    figures = [section.figure for section in sections if section.figure]
    assert len({figure.name for figure in figures}) == len(figures) == 6
    by_name = {figure.name: draw(figure).axes for figure in figures}
    for name in ("solo_win_rate_greedy", "solo_cards_to_go_planner"):
        assert len(by_name[name]) == 2  # a panel for each deck
        for axes in by_name[name]:
            dots = [line for line in axes.lines if line.get_marker() == "."]
            assert sum(len(line.get_xdata()) for line in dots) == 480
    (axes,) = by_name["solo_options_planner"]
    printed = next(line for line in axes.lines if line.get_label() == "printed price")
    assert printed.get_xdata().tolist() == [2, 1, 2, 3, 4, 1, -1, 2, 1, 1, 1, 1, 1]


def test_every_column_is_explained(two_policies):
    known = set(dictionary())
    for table in two_policies.values():
        assert set(table.columns) <= known


# ---- input


def test_the_order_of_the_cells_does_not_matter():
    frame, counts = sweep(40, 20)
    order = np.random.default_rng(0).permutation(len(frame))
    one = audit(frame, counts)
    other = audit(frame.iloc[order], {name: sums[order] for name, sums in counts.items()})
    for name in ("solo_levels", "solo_options", "solo_neighbours"):
        pd.testing.assert_frame_equal(one[name], other[name], atol=2e-6)


def test_cells_and_blocks_without_games_are_left_out():
    frame, counts = sweep(40, 21)
    played = {name: sums.copy() for name, sums in counts.items()}
    for sums in played.values():
        sums[7] = 0
        sums[:, BLOCKS - 5 :] = 0
    cells = cells_of(frame, played)
    assert len(cells.frame) == 479
    assert cells.games.shape == (BLOCKS - 5 + 1, 479)
    assert options_table(cells)["effect"].notna().all()


def test_part_of_the_settings_is_enough():
    frame = settings(ability=("none", "rage"), fixed=(6, 8))
    tables = audit(*sweep(100, 22, frame=frame, start=1))
    found = options_of(tables["solo_options"])
    assert {"fixed 6 8", "ability none rage"} <= set(found.index)
    assert not any("7" in key or "splash" in key for key in found.index)
    assert findings(tables).answer


@pytest.mark.parametrize("option", ["ability", "fixed", None])
def test_few_settings_tell_no_prices_and_break_nothing(option):
    """One option only is swept, or none."""
    base = {name: tuple(levels)[:1] for name, levels in PRICES.items()}
    frame = settings(**{name: levels for name, levels in base.items() if name != option})
    tables = audit(*sweep(100, 24, frame=frame, start=1))
    found = findings(tables)
    assert found.answer[0].startswith("Under greedy, with deck 1: ")
    assert len(tables["solo_settings"]) == len(frame)
    by_wins = tables["solo_options"].query("outcome == 'win'")
    assert (by_wins["price_verdict"] == "too few settings").all()
    assert tables["solo_interactions"].empty
    for section in found.sections:
        if section.table is not None:
            format_table(section)
        if section.figure:
            draw(section.figure)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda frame, counts: (frame, counts | {"wins": counts["wins"][:, 1:]}), "wins has the shape"),
        (lambda frame, counts: (frame.iloc[1:], counts), "games has the shape"),
        (
            lambda frame, counts: (frame.assign(ability="splosh"), counts),
            "ability is splosh. Did you mean splash",
        ),
        (lambda frame, counts: (frame.assign(fixed=11), counts), "fixed is 11"),
        (
            lambda frame, counts: (frame, {name: 0 * sums for name, sums in counts.items()}),
            "no cell has games",
        ),
    ],
)
def test_bad_sweeps_are_refused(change, words):
    with pytest.raises(InputError, match=words):
        cells_of(*change(*sweep(40, 23, frame=settings().head(10))))
