"""`clashsim solo` and `clashsim solo-sweep` end to end."""

import csv
import io
import json
import re

import pytest

from clashsim.cli.main import main

pytestmark = pytest.mark.jit

SOLO = ["solo", "--policy=greedy", "--games", "400"]
SWEEP = ["solo-sweep", "--policy=greedy", "--games", "40", "--deck", "2"]


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def tables(folder):
    return {path.name: path.read_bytes() for kind in ("*.csv", "*.parquet") for path in folder.glob(kind)}


def test_csv_when_piped(capsys):
    assert main([*SOLO, "--deck", "1"]) == 0
    (row,) = rows(capsys.readouterr().out)
    assert (row["deck"], row["policy"], row["points"], row["games"]) == ("1", "greedy", "0", "400")
    assert int(row["wins"]) + int(row["draws"]) + int(row["losses"]) == 400


def test_a_table_with_the_answer_first(capsys):
    assert main([*SOLO, "--deck", "1,2", "--format", "table"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Under greedy, the player wins with deck 1" in text
    assert "Win rates" in text


def test_json(capsys):
    assert main([*SOLO, "--deck", "draft", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["deck"] == "draft:dearest"


def test_all_options_of_a_setting(capsys):
    words = "--variable 2 --fixed 8 --first ai --no-bastion --resistance --ability rage --deck draft:random"
    assert main([*SOLO, *words.split()]) == 0
    (row,) = rows(capsys.readouterr().out)
    assert [row[name] for name in ("variable", "fixed", "first", "ability", "points")] == [
        *("2", "8", "ai", "rage"),
        "7",
    ]
    assert (row["bastion"].lower(), row["resistance"].lower()) == ("false", "true")


@pytest.mark.parametrize(
    ("words", "settings", "points"),
    [
        ("--level easy", 21, "1"),
        ("--points -1", 1, "-1"),
        ("--points 10", 5, "10"),
        ("--level HARD", 63, "3"),
    ],
)
def test_all_settings_of_a_price(capsys, words, settings, points):
    assert main(["solo", "--policy=random", "--games", "2", "--deck", "3", *words.split()]) == 0
    found = rows(capsys.readouterr().out)
    assert len(found) == settings
    assert {row["points"] for row in found} == {points}


def test_the_settings_of_a_price_that_have_some_options(capsys):
    command = ["solo", "--policy=random", "--games", "2", "--deck", "3", "--level", "hard"]
    assert main([*command, "--fixed", "8", "--no-bastion"]) == 0
    found = rows(capsys.readouterr().out)
    assert {(row["points"], row["level"], row["fixed"]) for row in found} == {("3", "Hard", "8")}
    assert {row["bastion"].lower() for row in found} == {"false"}
    assert len(found) == 1 + 1 + 5  # resistance, or the AI first with an ability


def test_the_other_price_list_moves_settings_to_other_levels(capsys):
    command = ["solo", "--policy=random", "--games", "2", "--deck", "3", "--points", "-1"]
    assert main([*command, "--rule", "no_bastion_points=1"]) == 2
    assert "points is -1; expected a whole number from 0 to 11" in capsys.readouterr().err


def test_the_folder_of_a_run(tmp_path, capsys):
    folder = tmp_path / "run"
    assert main([*SOLO, "--deck", "1,2", "--out", str(folder)]) == 0
    assert {path.name for path in folder.iterdir()} >= {
        *("report.md", "manifest.json", "solo_settings.csv", "solo_settings.parquet", "solo_plays.csv"),
        *("solo_settings.png", "solo_settings.svg"),
    }
    page = (folder / "report.md").read_text()
    assert page.index("**Question.**") < page.index("Under greedy, the player wins") < page.index("| Deck |")
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["experiment"] == "solo"
    assert manifest["options"]["games"] == 400
    assert manifest["rules"]["ai_last_turn"] == "next"
    assert manifest["plan"][0]["fixed"] == 6
    assert set(manifest["files"]) <= {path.name for path in folder.iterdir()}


def test_more_games_are_added_and_the_run_is_repeated(tmp_path, capsys):
    for games, folder in (("200", "grown"), ("600", "grown"), ("600", "whole")):
        command = ["solo", "--policy=greedy", "--deck", "1,draft", "--games", games]
        assert main([*command, "--out", str(tmp_path / folder), "--resume"]) == 0
    assert "1,200 games, 400 of them played" in capsys.readouterr().err
    assert tables(tmp_path / "grown") == tables(tmp_path / "whole")
    assert main(["rerun", str(tmp_path / "grown")]) == 0
    assert "identical" in capsys.readouterr().out.lower()


def test_a_sweep_with_its_folder_and_again(tmp_path, capsys):
    folder = tmp_path / "sweep"
    assert main([*SWEEP, "--out", str(folder), "--format", "table"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Under greedy" in text
    names = {
        *("solo_settings", "solo_levels", "solo_options", "solo_inversions", "solo_neighbours"),
        *("solo_interactions", "solo_ends"),
    }
    found = {path.name for path in folder.iterdir()}
    assert found >= {f"{name}.{kind}" for name in names for kind in ("csv", "parquet")}
    assert found >= {"solo_win_rate_greedy.png", "solo_cards_to_go_greedy.svg", "solo_options_greedy.png"}
    assert len(rows((folder / "solo_settings.csv").read_text())) == 480
    page = (folder / "report.md").read_text()
    for figure in re.findall(r"\]\(([a-z_]+\.png)\)", page):
        assert figure in found
    assert main(["rerun", str(folder)]) == 0
    assert "identical" in capsys.readouterr().out.lower()


def test_a_sweep_by_skill_names_what_flips(tmp_path):
    folder = tmp_path / "skill"
    command = ["solo-sweep", "--policy=random,greedy", "--games", "40", "--deck", "2"]
    assert main([*command, "--out", str(folder)]) == 0
    assert len(rows((folder / "solo_settings.csv").read_text())) == 960
    assert (folder / "solo_skill.csv").exists()


def test_precision(capsys):
    assert main(["solo", "--policy=greedy", "--deck", "2", "--precision", "3"]) == 0
    (row,) = rows(capsys.readouterr().out)
    assert row["stopped"] == "precise"
    assert (float(row["ci_high"]) - float(row["ci_low"])) / 2 <= 0.03


def test_dry_run_plays_nothing(tmp_path, capsys):
    assert main([*SWEEP, "--dry-run", "--out", str(tmp_path / "none"), "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["conditions"], row["games_to_play"]) == (480, 480 * 40)
    assert not (tmp_path / "none").exists()


def test_an_odd_number_of_games_is_rounded_up(capsys):
    assert main(["solo", "--policy=greedy", "--deck", "1", "--games", "7"]) == 0
    captured = capsys.readouterr()
    assert "--games 7 rounded up to 8" in captured.err
    assert rows(captured.out)[0]["games"] == "8"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--fixed 5", "fixed is 5; expected 6, 7, 8, 9 or 10 (R38)"),
        ("--fixed six", "--fixed is 'six'; expected 6, 7, 8, 9 or 10 (R38)"),
        ("--variable 3", "variable is 3; expected 1 or 2 (R38)"),
        ("--variable -1", "--variable is '-1'; expected 1 or 2 (R38)"),
        ("--first you", "first is 'you'; expected player or ai (R38)"),
        ("--ability Beserk", "Did you mean berserk?"),
        ("--preset quik", "unknown preset 'quik'; expected quick. Did you mean quick?"),
        (
            "--level harder",
            "unknown level 'harder'; expected Easy, Medium, Hard, Heroic, Mythic. Did you mean Hard?",
        ),
        ("--points 11", "points is 11; expected a whole number from -1 to 10 (R38)"),
        ("--points -2", "points is -2; expected a whole number from -1 to 10 (R38)"),
        ("--points x", "--points is 'x'; expected a whole number, such as -1 or 3 (R38)"),
        ("--points --5", "--points is '--5'; expected a whole number, such as -1 or 3 (R38)"),
        ("--points 1e3", "--points is '1e3'; expected a whole number, such as -1 or 3 (R38)"),
        ("--level easy --points 1", "level and points are both given; expected one of them"),
        (
            "--level easy --fixed 9",
            "no setting of 1 point has fixed 9; expected other options or another price",
        ),
        ("--points 2 --fixed 12", "fixed is 12; expected 6, 7, 8, 9 or 10 (R38)"),
        ("--deck 7", "unknown deck '7'"),
        ("--deck 1,,2", "--deck has an empty entry"),
        ("--deck draft:best", "unknown drafter 'best'; expected dearest or random"),
        ("--deck 1,1", "deck: 1 is given twice"),
        ("--rule ai_last_turn=now", "rule ai_last_turn is 'now'; expected next or current (R36)"),
        ("--policy tactican", "Did you mean tactician?"),
        ("--games 0", "--games is 0"),
        ("--precision 0", "--precision is '0'"),
        ("--seed x", "--seed is 'x'"),
        ("--resume", "expected --out FOLDER"),
    ],
)
def test_bad_input_is_one_clear_line(capsys, words, expected):
    given = words.split()
    base = ["solo"] if "--policy" in given else ["solo", "--policy=greedy"]
    assert main([*base, *given]) == 2
    error = capsys.readouterr().err
    assert expected in error
    assert error.count("\n") == 1
    assert "Traceback" not in error


def test_a_sweep_needs_a_game_for_every_block(capsys):
    assert main(["solo-sweep", "--policy=greedy", "--deck", "1", "--games", "39"]) == 2
    assert "games is 39; expected a whole number from 40" in capsys.readouterr().err


def test_a_constructed_deck_is_told_the_rule(tmp_path, capsys):
    path = tmp_path / "ten.toml"
    names = [
        "ASSASSIN",
        "GNOME",
        "GRRR",
        "PARTISAN",
        "REPTILE",
        "SHAMAN",
        "VORTEX",
        "ZOMBIE",
        "TROLL",
        "OGRE",
    ]
    path.write_text(f'name = "ten"\ncards = {json.dumps(names)}\n')
    assert main([*SOLO, "--deck", str(path)]) == 2
    error = capsys.readouterr().err
    assert "R39" in error
    assert error.count("\n") == 1


def test_a_manifest_of_solo_games_that_was_edited_is_named(tmp_path, capsys):
    folder = tmp_path / "run"
    assert main([*SOLO, "--deck", "1", "--out", str(folder)]) == 0
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    for change, expected in (
        ({"options": manifest["options"] | {"fixed": "6"}}, "fixed"),
        ({"options": {k: v for k, v in manifest["options"].items() if k != "deck"}}, "deck is missing"),
        ({"plan": [manifest["plan"][0] | {"bastion": 1}]}, "plan, row 0: bastion"),
        ({"decks": []}, "decks is"),
    ):
        path.write_text(json.dumps(manifest | change))
        assert main(["rerun", str(folder)]) == 2
        assert expected in capsys.readouterr().err


def test_compare_is_for_matchups(tmp_path, capsys):
    for seed in ("1", "2"):
        assert main([*SOLO, "--deck", "1", "--seed", seed, "--out", str(tmp_path / seed)]) == 0
    capsys.readouterr()
    assert main(["compare", str(tmp_path / "1"), str(tmp_path / "2")]) == 2
    error = capsys.readouterr().err
    assert "solo" in error
    assert error.count("\n") == 1
