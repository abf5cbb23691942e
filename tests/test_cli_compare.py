"""`clashsim compare` end to end."""

import csv
import io
import json
import shutil

import pytest

from clashsim.cli.main import main
from clashsim.experiments.comparison_rows import COMPARABLE

pytestmark = pytest.mark.jit


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Folders of three small runs: greedy, greedy again with another seed, random."""
    place = tmp_path_factory.mktemp("runs")
    for name, options in {
        "greedy": ["--seed", "1"],
        "again": ["--seed", "2"],
        "random": ["--policy", "random"],
        "alone": ["--decks", "4"],
    }.items():
        options = [*options, "--games", "300", "--out", str(place / name)]
        if "--decks" not in options:
            options += ["--decks", "1,2,3"]
        assert main(["matchups", "--policy=greedy", *options]) == 0
    return place


@pytest.fixture
def copy(runs, tmp_path):
    """A copy of the first run, to be damaged."""
    return shutil.copytree(runs / "greedy", tmp_path / "copy")


def compare(*arguments):
    return main(["compare", *map(str, arguments)])


def test_csv_on_stdout_and_words_on_stderr_when_piped(runs, capsys):
    assert compare(runs / "greedy", runs / "random") == 0
    out, err = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 9
    assert [row["change"] for row in rows if row["deck_a"] == row["deck_b"]] == ["mirror"] * 3
    assert "  policies: greedy -> random\n" in err
    assert "3 show a certain difference" in err or "All 3 comparisons show a certain difference" in err
    assert "share their seed" in err


def test_a_person_gets_settings_answer_and_table(runs, capsys):
    assert compare(runs / "greedy", runs / "again", "--format", "table") == 0
    out, err = capsys.readouterr()
    assert out.startswith("Settings that differ:\n  seed: 1 -> 2\n")
    assert "Comparison of matchups" in out
    assert "Difference (points)" in out
    assert err == ""


def test_a_run_and_its_copy_are_the_same_games(runs, copy, capsys):
    assert compare(runs / "greedy", copy, "--format", "json") == 0
    out, err = capsys.readouterr()
    rows = json.loads(out)
    assert {row["change"] for row in rows} == {"same games", "mirror"}
    assert {row["difference_high_all"] for row in rows} == {0.0}
    assert "The settings are the same." in err


@pytest.mark.parametrize("table", COMPARABLE)
def test_every_table_can_be_compared(runs, table, capsys):
    names = {path.stem for path in (runs / "greedy").glob("*.csv")}
    if table not in names:
        pytest.skip(f"runs have no {table}.csv")
    for output_format in ("csv", "table"):
        assert compare(runs / "greedy", runs / "random", "--table", table, "--format", output_format) == 0
    assert "Sure" in capsys.readouterr().out


def test_help_names_the_tables(capsys):
    assert compare("--help") == 0
    text = capsys.readouterr().out
    assert all(name in text for name in COMPARABLE)


def failing(capsys, *arguments):
    assert compare(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("clashsim: error: ")
    assert err.count("\n") == 1
    return err


def test_no_run(runs, tmp_path, capsys):
    assert "nowhere" in failing(capsys, runs / "greedy", tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    assert "empty" in failing(capsys, tmp_path / "empty", runs / "greedy")


def test_no_row_in_common(runs, capsys):
    assert "no row of the table matchups in common" in failing(capsys, runs / "greedy", runs / "alone")


def test_an_unfinished_run_and_one_of_another_experiment(runs, copy, capsys):
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest | {"status": "unfinished"}))
    assert f"the run in {copy} is unfinished" in failing(capsys, runs / "greedy", copy)
    path.write_text(json.dumps(manifest | {"experiment": "tournament"}))
    assert "the second of tournament" in failing(capsys, runs / "greedy", copy)


def test_damaged_files(runs, copy, capsys):
    path = copy / "matchups.csv"
    content = path.read_bytes()
    for damaged, reason in {
        content[:-5]: "breaks off",
        b"\x00\xff\n": "expected a table",
        content.replace(b"score_low,", b"other,"): "no column score_low",
    }.items():
        path.write_bytes(damaged)
        assert reason in failing(capsys, runs / "greedy", copy)
    path.unlink()
    assert "not in both runs" in failing(capsys, runs / "greedy", copy, "--table", "matchups")
    (copy / "manifest.json").write_text("{")
    assert "manifest.json" in failing(capsys, runs / "greedy", copy)
