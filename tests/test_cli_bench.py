"""`clashsim bench` end to end."""

import csv
import io
import json
import re
import sys

import pandas as pd
import pytest

from clashsim.cli.main import main
from clashsim.experiments.bench import Bench
from clashsim.experiments.columns import dictionary

pytestmark = pytest.mark.jit

MEASURES = {
    "speed",
    "speed_per_thread",
    "core_share",
    "speed_uncompiled",
    "compiled_to_uncompiled",
    "load_compiled",
}


def run(*arguments):
    return main(["bench", *map(str, arguments)])


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """A real run, short: its rows as printed, what it told, and its record."""
    path = tmp_path_factory.mktemp("bench") / "records" / "speed.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", io.StringIO())
        patch.setattr(sys, "stderr", io.StringIO())
        options = ("--quick", "--policy", "random,greedy", "--games", "200", "--jobs", "2", "--format", "csv")
        assert run(*options, "--out", path) == 0
        printed, told = sys.stdout.getvalue(), sys.stderr.getvalue()
    return pd.read_csv(io.StringIO(printed)), told, json.loads(path.read_text()), path


def test_everything_is_measured_and_nothing_made_up(quick):
    table, *_ = quick
    assert set(table["measure"]) == MEASURES
    runs = table[table["measure"] == "core_share"]
    assert len(runs) == 2 * 2 * 2  # policy, jobs, stored
    assert runs["games"].between(20, 2000).all()  # 200 per pairing, or fewer where that would take too long
    assert (runs.groupby("policy")["games"].nunique() == 1).all()
    assert (table["lowest"] > 0).all()
    assert (table["lowest"] <= table["median"]).all()
    assert (table["median"] <= table["highest"]).all()
    assert (table["repetitions"] >= 3).all()


def test_the_figures_make_sense(quick):
    table, *_ = quick
    figures = table.set_index("measure")
    assert (figures.loc["core_share", "highest"] <= 1).all()
    assert (figures.loc["compiled_to_uncompiled", "lowest"] > 1).all()
    assert figures.loc["speed", "lowest"].min() > figures.loc["speed_uncompiled", "highest"].max()


def test_every_column_is_in_the_dictionary(quick):
    assert set(quick[0].columns) <= set(dictionary())


def test_the_record_has_the_figures_the_answer_and_the_machine(quick):
    table, _, record, _ = quick
    assert [figure["median"] for figure in record["figures"]] == pytest.approx(table["median"].tolist())
    assert record["command"][:3] == ["clashsim", "bench", "--quick"]
    assert record["quick"] is True
    assert record["usable_cores"] >= 1
    assert {"python", "platform", "version", "started", "seconds", "answer"} <= record.keys()
    assert {"numba", "numpy"} <= record["libraries"].keys()


def test_progress_and_the_place_of_the_record_are_told(quick):
    _, told, _, path = quick
    assert "repetition 1 of 3" in told
    assert f"Record: {path}" in told


def test_nothing_but_the_record_is_left(quick):
    assert [path.name for path in quick[3].parent.iterdir()] == ["speed.json"]


# ---- options, without measuring


@pytest.fixture
def measured(quick, monkeypatch):
    """Nothing is measured: the figures of the short run come at once. Holds the arguments of each call."""
    calls = []

    def bench(*arguments, **options):
        calls.append((arguments, options))
        table = pd.DataFrame(quick[2]["figures"]).astype({"jobs": "Int64", "games": "Int64"})
        return Bench(table, {"quick": False})

    monkeypatch.setattr("clashsim.experiments.bench.bench", bench)
    return calls


def test_the_record_goes_to_reports_by_default(measured, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run("--jobs", 3) == 0
    (path,) = (tmp_path / "reports").iterdir()
    assert re.fullmatch(r"bench-\d{8}T\d{6}Z\.json", path.name)
    (arguments, options) = measured[0]
    assert arguments == (None,)
    assert (options["jobs"], options["quick"]) == (3, False)
    assert len(list(csv.DictReader(io.StringIO(capsys.readouterr().out)))) > 10


def test_a_record_is_not_overwritten_unasked(measured, tmp_path, capsys):
    path = tmp_path / "speed.json"
    path.write_text("mine")
    assert run("--out", path) == 2
    assert "--yes" in capsys.readouterr().err
    assert (path.read_text(), measured) == ("mine", [])
    assert run("--out", path, "--yes") == 0
    assert json.loads(path.read_text())["program"] == "clashsim"


def test_people_read_the_answer_first(measured, tmp_path, capsys):
    assert run("--out", tmp_path / "speed.json", "--format", "table") == 0
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith("Speed On one thread random plays")
    assert "only ratios" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--policy", "gredy"], ["gredy", "Did you mean greedy?"]),
        (["--policy", "random,,greedy"], ["policy ''", "random, greedy"]),
        (["--jobs", "0"], ["--jobs is 0"]),
        (["--games", "0"], ["--games is 0"]),
        (["--format", "xml"], ["xml"]),
        (["--out", "."], ["--out .", "folder", "name of a file"]),
        (["--out", "file/below.json"], ["file", "not a folder"]),
        (["--qick"], ["--qick", "--quick"]),
    ],
)
def test_bad_input_gets_one_line_and_exit_2(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    for word in words:
        assert word in captured.err


def test_a_measured_process_that_fails_ends_with_3(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("clashsim.experiments.bench_processes._UNCOMPILED", "%r, %d, %d, undefined")
    path = tmp_path / "speed.json"
    assert run("--quick", "--games", 2, "--jobs", 1, "--policy", "random", "--out", path) == 3
    error = capsys.readouterr().err
    assert "clashsim: error: a process that was to be measured failed: NameError" in error
    assert not path.exists()


def test_help_teaches_with_an_example(capsys):
    assert run("--help") == 0
    text = capsys.readouterr().out
    assert "clashsim bench --quick --policy greedy" in text
    for option in ("--policy", "--games", "--jobs", "--quick", "--out", "--format", "--yes"):
        assert option in text
