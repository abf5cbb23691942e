"""`clashsim card-values` and `clashsim prices` end to end."""

import csv
import io
import json
import shutil

import pytest

from clashsim.cli.main import main

pytestmark = pytest.mark.jit

VALUES = ["card-values", "--policy=greedy", "--games", "2000"]
PRICES = ["prices", "--policy=greedy", "--games", "80", "--card", "TROLL,BOOM!,MACHINE"]


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def tables(folder):
    return {path.name: path.read_bytes() for kind in ("*.csv", "*.parquet") for path in folder.glob(kind)}


def test_csv_when_piped(capsys):
    assert main(VALUES) == 0
    found = rows(capsys.readouterr().out)
    assert len(found) == 32
    assert {"card", "value", "value_low", "value_high", "games", "policy"} <= set(found[0])
    assert main(PRICES) == 0
    found = rows(capsys.readouterr().out)
    assert {row["kind"] for row in found} == {"creature", "incantation"}


def test_tables_with_the_answer_first(capsys):
    assert main([*VALUES, "--format", "table"]) == 0
    assert "above 50 % against one without: the best are" in " ".join(capsys.readouterr().out.split())
    assert main([*PRICES, "--format", "table"]) == 0
    assert "Under greedy, of 10 terms of creatures:" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("command", "files"),
    [
        (VALUES, {"card_values.csv", "card_synergies.csv", "card_swaps.csv", "card_values.png"}),
        (
            [*VALUES, "--policy", "random,greedy", "--two-kits"],
            {"card_costs_random.png", "card_costs_greedy.png"},
        ),
        (PRICES, {"price_terms.csv", "price_cards.csv", "price_steps.csv"}),
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


@pytest.mark.parametrize("command", [VALUES, PRICES])
def test_games_are_added(tmp_path, capsys, command):
    out = str(tmp_path / "out")
    more = [*command, "--games", "4000" if command is VALUES else "160", "--out", out]
    assert main([*command, "--out", out]) == 0
    assert main([*more, "--resume"]) == 0
    added = tables(tmp_path / "out")
    shutil.rmtree(out)
    assert main(more) == 0
    assert tables(tmp_path / "out") == added
    capsys.readouterr()
    assert main([*more, "--seed", "2", "--resume"]) == 2
    assert "it holds another run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "words", "message"),
    [
        (VALUES, ("--policy", "greed"), "Did you mean greedy?"),
        (VALUES, ("--games", "0"), "expected a whole number from 1"),
        (VALUES, ("--cards", "none.toml"), "no card set file none.toml"),
        (PRICES, ("--card", "TROL"), "Did you mean TROLL?"),
        (PRICES, ("--games", "39"), "expected a whole number from 40"),
        (PRICES, ("--card", ","), "--card has an empty entry"),
    ],
)
def test_bad_input_is_told_in_one_line(capsys, command, words, message):
    assert main([*command, *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_two_runs_of_other_kinds_are_not_compared(tmp_path, capsys):
    for command, name in ((VALUES, "values"), (PRICES, "prices")):
        assert main([*command, "--out", str(tmp_path / name)]) == 0
    capsys.readouterr()
    assert main(["compare", str(tmp_path / "values"), str(tmp_path / "prices")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
