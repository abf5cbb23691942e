"""`clashsim draft` and `clashsim solo-draft` end to end."""

import csv
import io
import json
import shutil

import pytest
from processes import running, wait_until

from clashsim.cli.main import main

pytestmark = pytest.mark.jit

DRAFT = ["draft", "--policy=greedy", "--games", "800", "--table-games", "400"]
SOLO = ["solo-draft", "--policy=greedy", "--games", "80", "--table-games", "80", "--fixed", "8"]


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def tables(folder):
    return {path.name: path.read_bytes() for kind in ("*.csv", "*.parquet") for path in folder.glob(kind)}


def test_csv_when_piped(capsys):
    assert main([*DRAFT, "--drafter", "value", "--vs-drafter", "random"]) == 0
    found = rows(capsys.readouterr().out)
    assert len(found) == 64
    assert {"card", "ata", "value", "value_low", "value_high", "games", "policy", "drafter"} <= set(found[0])
    assert main(SOLO) == 0
    found = rows(capsys.readouterr().out)
    assert len(found) == 64
    assert {row["setting"] for row in found} == {"mana 8 + 1 per creature"}


def test_tables_with_the_answer_first(capsys):
    assert main([*DRAFT, "--format", "table"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "in decks drafted by value against value" in text
    assert "drafting first is worth" in text
    assert main([*SOLO, "--format", "table"]) == 0
    assert "a deck wins more with these cards than with a mean one" in " ".join(
        capsys.readouterr().out.split()
    )


@pytest.mark.parametrize(
    ("command", "files"),
    [
        (
            DRAFT,
            {"draft_picks.csv", "draft_cards.csv", "draft_seats.csv", "draft_drafters.csv", "draft_over.csv"}
            | {"draft_iterations.csv", "draft_order_greedy.png", "draft_over_greedy.png", "draft_seats.png"},
        ),
        (
            [*DRAFT, "--policy", "random,greedy", "--drafter", "random", "--precision", "20"],
            {"draft_order_random.png", "draft_order_greedy.png"},
        ),
        (SOLO, {"draft_cards.csv", "draft_settings.csv", "draft_drafters.csv", "draft_cards.png"}),
        (
            ["solo-draft", "--policy=random", "--games", "40", "--table-games", "40", "--drafter", "random"],
            {"draft_settings_random.png"},
        ),
    ],
)
def test_a_report_with_its_folder_and_again(tmp_path, capsys, command, files):
    folder = tmp_path / "out"
    assert main([*command, "--out", str(folder)]) == 0
    assert files <= {path.name for path in folder.iterdir()}
    page = (folder / "report.md").read_text()
    assert page.startswith("# ")
    assert "nan" not in page
    assert json.loads((folder / "manifest.json").read_text())["status"] == "finished"
    capsys.readouterr()
    assert main(["rerun", str(folder), "--out", str(tmp_path / "again")]) == 0
    assert tables(folder) == tables(tmp_path / "again")


@pytest.mark.parametrize("command", [DRAFT, SOLO])
def test_games_that_decide_what_later_ones_are_can_not_be_added(tmp_path, capsys, command):
    out = ["--out", str(tmp_path / "out")]
    assert main([*command, *out]) == 0
    before = tables(tmp_path / "out")
    capsys.readouterr()
    assert main([*command, "--table-games", "800", *out, "--resume"]) == 2
    assert "it holds another run" in capsys.readouterr().err
    assert tables(tmp_path / "out") == before


@pytest.mark.parametrize(("command", "games"), [(DRAFT, "1600"), (SOLO, "160")])
def test_games_are_added(tmp_path, capsys, command, games):
    out = str(tmp_path / "out")
    more = [*command, "--games", games, "--out", out]
    assert main([*command, "--out", out]) == 0
    assert main([*more, "--resume"]) == 0
    added = tables(tmp_path / "out")
    shutil.rmtree(out)
    assert main(more) == 0
    assert tables(tmp_path / "out") == added
    capsys.readouterr()
    assert main([*more, "--seed", "2", "--resume"]) == 2
    assert "it holds another run" in capsys.readouterr().err


def test_iterations_that_were_not_needed_do_not_spoil_the_folder(tmp_path, capsys):
    folder = tmp_path / "out"
    command = [*DRAFT, "--drafter", "value", "--table-games", "40000", "--out", str(folder)]
    assert main(command) == 0
    plan = json.loads((folder / "manifest.json").read_text())["plan"]
    assert [row["games"] for row in plan][-2] == 0
    capsys.readouterr()
    assert main([*command, "--resume"]) == 0
    assert main(["rerun", str(folder), "--out", str(tmp_path / "again")]) == 0
    assert tables(folder) == tables(tmp_path / "again")


def test_a_killed_run_goes_on(tmp_path):
    command = ["draft", "--policy=tactician", "--drafter=value", "--games=2000", "--table-games=1000"]
    with running("-m", "clashsim.cli.main", *command, "--out", str(tmp_path / "out")) as process:
        kept = tmp_path / "out" / "checkpoint"
        wait_until(lambda: len(list(kept.glob("*.json"))) >= 2, process)
        process.kill()
    assert main([*command, "--out", str(tmp_path / "out"), "--resume"]) == 0
    assert main([*command, "--out", str(tmp_path / "whole"), "--jobs", "1"]) == 0
    assert tables(tmp_path / "out") == tables(tmp_path / "whole")


@pytest.mark.parametrize(
    ("command", "words", "message"),
    [
        (DRAFT, ("--drafter", "valu"), "Did you mean value?"),
        (DRAFT, ("--drafter", "value,"), "--drafter has an empty entry"),
        (DRAFT, ("--vs-drafter", "best"), "unknown drafter 'best'"),
        (DRAFT, ("--games", "100"), "expected a whole number from 160"),
        (DRAFT, ("--table-games", "x"), "--table-games is 'x'"),
        (DRAFT, ("--cards", "none.toml"), "no card set file none.toml"),
        (SOLO, ("--drafter", "denial"), "expected value, random or dearest"),
        (SOLO, ("--level", "hard", "--points", "3"), "level and points are both given"),
        (SOLO, ("--fixed", "11"), "expected 6, 7, 8, 9 or 10"),
    ],
)
def test_bad_input_is_told_in_one_line(capsys, command, words, message):
    assert main([*command, *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_games_are_rounded_up_aloud(capsys):
    assert main(["draft", "--policy=random", "--drafter=random", "--games", "161"]) == 0
    assert "--games 161 rounded up to 164: every draft is played four times." in capsys.readouterr().err


def test_worths_of_one_run_serve_another(tmp_path, capsys):
    first = tmp_path / "first"
    assert main([*DRAFT, "--drafter", "value", "--out", str(first)]) == 0
    worths = {row["card"]: float(row["value"]) for row in rows((first / "worths.csv").read_text())}
    assert len(worths) == 32
    values = ["--values", str(first / "worths.csv")]
    for drafters, tables_measured in (("value", 0), ("value,denial", 1)):
        again = tmp_path / drafters
        assert main([*DRAFT, "--drafter", drafters, *values, "--out", str(again)]) == 0
        found = rows((again / "draft_cards.csv").read_text())
        assert all(float(row["worth"]) == worths[row["card"]] for row in found)
        plan = json.loads((again / "manifest.json").read_text())["plan"]
        assert sum(row["iteration"] >= 0 for row in plan) == tables_measured
    capsys.readouterr()
    assert main(["rerun", str(again), "--out", str(tmp_path / "rerun")]) == 0
    assert tables(again) == tables(tmp_path / "rerun")
    assert "nan" not in (again / "report.md").read_text()
    assert main([*SOLO, *values, "--out", str(tmp_path / "solo")]) == 0
    found = rows((tmp_path / "solo" / "draft_cards.csv").read_text())
    assert {float(row["worth"]) for row in found if row["drafter"] == "value"} == set(worths.values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("card,value\nTROLL,0.1\n", "no row for"),
        ("card,value\nTROL,0.1\n", "Did you mean TROLL?"),
        ("policy,card,value\nrandom,TROLL,0.1\n", "no values for the policy greedy"),
        ("card\nTROLL\n", "value"),
    ],
)
def test_worths_that_do_not_fit_are_told_in_one_line(tmp_path, capsys, text, message):
    file = tmp_path / "worths.csv"
    file.write_text(text)
    assert main([*DRAFT, "--values", str(file)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
