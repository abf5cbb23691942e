"""Runs of solo games from Python: what is played, counted and told."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import clashsim as cs
from clashsim.clash.policies import POLICIES
from clashsim.clash.solo_settings import PRICES, all_settings, settings_at
from clashsim.clash.solos import Solo
from clashsim.experiments.columns import dictionary
from clashsim.experiments.solo import SWEEP_TABLES, TABLES, plan_solo, plan_sweep
from clashsim.reporting.tables import format_table

pytestmark = pytest.mark.jit

WANTED = [
    *("deck", "variable", "fixed", "first", "bastion", "resistance", "ability", "points", "level"),
    *("games", "wins", "win_rate", "ci_low", "ci_high", "draws", "turns_mean", "ai_cards_left"),
]


@pytest.fixture(scope="module")
def quick():
    return cs.solo("all", games=2000, policy=["random", "greedy"])


@pytest.fixture(scope="module")
def sweep():
    return cs.solo_sweep("2", games=80, policy="greedy")


def test_the_table_has_a_row_per_deck_policy_and_setting(quick):
    table = quick.solo_settings
    assert tuple(quick.tables) == TABLES
    assert set(WANTED) <= set(table.columns)
    assert table[["policy", "deck"]].to_numpy().tolist() == [
        [policy, deck] for policy in ("random", "greedy") for deck in "1234"
    ]
    assert (table["games"] == table["wins"] + table["draws"] + table["losses"]).all()
    assert np.allclose(table["win_rate"], table["wins"] / table["games"], atol=1e-6)
    assert ((table["ci_low"] <= table["win_rate"]) & (table["win_rate"] <= table["ci_high"])).all()
    assert (table["ai_cards_left"] <= table["ai_cards_to_go"]).all()
    assert (table["points"] == 0).all()


def test_greedy_wins_more_than_random(quick):
    rates = quick.solo_settings.pivot(index="deck", columns="policy", values="win_rate")
    assert (rates["greedy"] > rates["random"] + 0.03).all()


def test_the_answer_names_every_deck_with_its_rate(quick):
    answer = " ".join(quick.findings().answer)
    for _, row in quick.solo_settings.iterrows():
        assert f"deck {row['deck']} {100 * row['win_rate']:.1f} %" in answer


def test_threads_change_nothing():
    tables = [cs.solo("1", games=3000, policy="greedy", jobs=jobs).solo_settings for jobs in (1, 2)]
    pd.testing.assert_frame_equal(*tables)


def test_a_run_of_one_policy_has_the_rows_of_a_run_of_several(quick):
    alone = cs.solo(["3"], games=2000, policy="greedy").solo_settings
    table = quick.solo_settings
    among = table[(table["deck"] == "3") & (table["policy"] == "greedy")].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, among)


def test_precision_stops_at_the_wanted_half_width():
    table = cs.solo(["1", "2"], policy="greedy", precision=2).solo_settings
    assert (table["stopped"] == "precise").all()
    assert ((table["ci_high"] - table["ci_low"]) / 2 <= 0.02).all()
    assert table["games"].nunique() == 2  # rarer wins are known sooner


def test_the_settings_of_a_price():
    settings = settings_at(10)
    table = cs.solo("2", settings, games=200, policy="greedy").solo_settings
    assert len(table) == len(settings) == 5
    assert (table["points"] == 10).all()
    assert set(table["ability"]) == {"splash", "perforation", "rage", "protection", "berserk"}


def test_the_report_of_a_price_shows_how_far_games_go_and_names_all_extremes():
    result = cs.solo("2", settings_at(10), games=200, policy="greedy")
    findings = result.findings()
    course = next(section for section in findings.sections if section.heading == "How far the games go")
    headings, rows, _ = format_table(course)
    assert len(rows) == 5
    assert "Turns median" in headings
    assert len({tuple(row[: headings.index("Points")]) for row in rows}) == 5  # the rows tell their settings
    least = result.solo_settings["win_rate"].min()
    alike = int((result.solo_settings["win_rate"] == least).sum())
    assert alike > 1
    assert f"and at {alike - 1} more" in findings.answer[0]


def test_the_price_list_changes_points_and_no_game():
    setting = cs.SoloSettings(bastion=False)
    tables = [
        cs.solo("1", setting, games=400, policy="greedy", rules=rules).solo_settings
        for rules in (cs.Rules(), cs.Rules(no_bastion_points="1"))
    ]
    assert [int(table["points"].iloc[0]) for table in tables] == [-1, 1]
    differing = [name for name in tables[0] if not tables[0][name].equals(tables[1][name])]
    assert differing == ["points", "level"]


@pytest.mark.parametrize("rules", [cs.Rules(ai_last_turn="current"), cs.Rules(resistance_reading="to_one")])
def test_other_readings_change_results(rules):
    setting = cs.SoloSettings(bastion=False, resistance=True)
    tables = [
        cs.solo("all", setting, games=2000, policy="greedy", rules=each).solo_settings
        for each in (cs.Rules(), rules)
    ]
    assert (tables[0]["wins"] != tables[1]["wins"]).any()


def test_a_drafted_deck_and_a_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\n'
        'cards = ["ASSASSIN", "GNOME", "GRRR", "PARTISAN", "REPTILE", "SHAMAN", "VORTEX", "ZOMBIE"]\n'
    )
    result = cs.solo(["draft", "draft:random", str(path)], games=400, policy="greedy")
    assert list(result.solo_settings["deck"]) == ["draft:dearest", "draft:random", "mine"]
    played = result.solo_plays.groupby("deck")["card"].nunique()
    assert played["mine"] == 8
    assert played["draft:random"] > 20


@pytest.mark.parametrize("name", ["draft", "draft:dearest"])
def test_no_deck_has_the_name_of_a_drafted_one(tmp_path, name):
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "{name}"\ncards = {[card.name for card in cs.load_cards().decks["2"].cards]}\n')
    with pytest.raises(cs.InputError, match=f"name {name} is taken by drafted decks"):
        cs.solo(["draft", str(path)], games=2, policy="greedy")


def test_a_deck_and_a_drafter_may_share_a_name(tmp_path):
    path = tmp_path / "dearest.toml"
    path.write_text(f"cards = {[card.name for card in cs.load_cards().decks['2'].cards]}\n")
    result = cs.solo(["draft", str(path)], games=2, policy="greedy")
    assert list(result.solo_settings["deck"]) == ["draft:dearest", "dearest"]


def test_a_result_can_be_copied_and_pickled(quick):
    for twin in (copy.copy(quick), pickle.loads(pickle.dumps(quick))):
        pd.testing.assert_frame_equal(twin.solo_settings, quick.solo_settings)


def test_a_sweep_plays_all_settings(sweep):
    assert tuple(sweep.tables) == SWEEP_TABLES
    table = sweep.solo_settings
    assert set(WANTED) <= set(table.columns)
    assert len(table) == 480 == len(table[list(PRICES)].drop_duplicates())
    assert sorted(table["points"].unique()) == list(range(-1, 11))
    assert set(table["level"]) == {"", "Easy", "Medium", "Hard", "Heroic", "Mythic"}


def test_a_sweep_has_the_rows_of_runs_of_single_settings(sweep):
    settings = list(all_settings())[100:103]
    table = cs.solo("2", settings, games=80, policy="greedy").solo_settings
    among = sweep.solo_settings.iloc[100:103].reset_index(drop=True)
    columns = [name for name in table if name != "mark"]
    pd.testing.assert_frame_equal(table[columns], among[columns])


def test_a_sweep_answers_the_question(sweep):
    findings = sweep.findings()
    assert findings.question.startswith("Is each level harder than the one below")
    answer = " ".join(findings.answer)
    for option in ("Variable mana 2", "Fixed mana", "The AI starts", "No Bastion", "Resistance", "Berserk"):
        assert option in answer
    assert {section.name for section in findings.sections if section.name} == set(SWEEP_TABLES)
    assert set(sweep.solo_levels["level"]) >= {"Easy", "Mythic"}
    assert not sweep.solo_options.isna().all(axis=1).any()


def test_prices_of_no_bastion_under_both_price_lists(sweep):
    row = sweep.solo_options.query("option == 'bastion' and outcome == 'ai_cards_to_go'").iloc[0]
    assert (row["printed"], row["printed_arabic"]) == (-1, 1)


def test_each_run_tells_the_method_of_its_own_intervals(quick, sweep):
    assert "jackknife" not in quick.details["method"]
    assert "jackknife" in sweep.details["method"]
    assert "Student" in quick.details["method"]


def test_marks_outside_a_sweep_are_read_off_the_win_rate():
    table = cs.solo("1", settings_at(3), games=40, policy="greedy").solo_settings
    assert 0 < (table["win_rate"] < 0.02).sum() < len(table)
    assert ((table["mark"] == "floor") == (table["win_rate"] < 0.02)).all()


def test_every_column_is_in_the_dictionary(quick, sweep):
    words = dictionary()
    for table in [*quick.tables.values(), *sweep.tables.values()]:
        assert set(table.columns) <= set(words)


def test_nothing_is_written_that_is_no_number(quick, sweep):
    for table in (quick.solo_settings, sweep.solo_settings):
        assert np.isfinite(table.select_dtypes("number").to_numpy()).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"deck": "5"}, "unknown deck '5'"),
        ({"deck": []}, "deck: none given"),
        ({"deck": ["1", "1"]}, "deck: 1 is given twice"),
        ({"deck": "draft:wise"}, "unknown drafter 'wise'; expected dearest or random"),
        ({"deck": ["draft", "draft:dearest"]}, "deck: draft:dearest is given twice"),
        ({"settings": "hard"}, "settings is 'hard'; expected SoloSettings"),
        ({"settings": 5}, "settings is 5; expected SoloSettings"),
        ({"settings": {"fixed": 7}}, "settings is {'fixed': 7}; expected SoloSettings"),
        ({"settings": []}, "settings: none given"),
        ({"settings": [cs.SoloSettings(), cs.SoloSettings()]}, "per creature is given twice"),
        ({"policy": "gredy"}, "Did you mean greedy"),
        ({"games": 0}, "games is 0"),
        ({"precision": 0}, "precision 0"),
        ({"rules": "window=5"}, "rules is"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(cs.InputError, match=message.replace("?", r"\?")):
        cs.solo(**({"games": 2, "policy": "greedy"} | arguments))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"fixed": 11}, "fixed is 11; expected 6, 7, 8, 9 or 10 (R38)"),
        ({"variable": True}, "variable is True; expected 1 or 2 (R38)"),
        ({"first": "me"}, "first is 'me'; expected player or ai (R38)"),
        ({"bastion": 1}, "bastion is 1; expected true or false (R38)"),
        ({"ability": "rag"}, "Did you mean rage?"),
        ({"ability": "Sprint"}, "expected none, splash, perforation, rage, protection or berserk (R38)"),
    ],
)
def test_settings_outside_the_rulebook(values, message):
    with pytest.raises(cs.InputError) as error:
        cs.SoloSettings(**values)
    assert message in str(error.value)


def test_a_kit_that_is_too_small_or_too_large():
    kit = cs.load_cards()
    with pytest.raises(cs.InputError, match="has 8 cards; expected 9 to 39"):
        plan_solo(["1"], [cs.SoloSettings()], cards=replace(kit, cards=kit.decks["1"].cards))
    many = tuple(replace(kit.cards[0], name=f"CARD {number}", deck=None) for number in range(40))
    other = replace(kit.decks["1"], cards=(replace(kit.cards[0], name="STRANGER"), *kit.decks["1"].cards[1:]))
    with pytest.raises(cs.InputError, match="STRANGER is not in card set starter-kit"):
        Solo(kit, other, POLICIES["greedy"])
    with pytest.raises(cs.InputError, match="has 40 cards; expected 9 to 39"):
        plan_sweep([[card.name for card in many[:8]]], cards=replace(kit, cards=many))
    with pytest.raises(cs.InputError, match="expected 32 for a solo draft"):
        plan_solo(["draft"], [cs.SoloSettings()], cards=replace(kit, cards=many[:20]))
