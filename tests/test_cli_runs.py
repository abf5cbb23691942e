"""What every run offers: what it takes first, a folder from which it can be played again, precision, single games."""

import csv
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from killing import contents

from clashsim.cli.main import main
from clashsim.reporting.run_folder import resolved_options
from clashsim.running import usable_cores

pytestmark = pytest.mark.jit

DECK = 'cards = ["ASSASSIN", "GNOME", "GRRR", "PARTISAN", "REPTILE", "SHAMAN", "VORTEX", "ZOMBIE"]\n'


def run(*arguments):
    return main([str(word) for word in arguments])


@pytest.fixture
def finished(tmp_path):
    """The folder of a small finished run with a deck file."""
    (tmp_path / "fast.toml").write_text(DECK)
    folder = tmp_path / "out"
    assert (
        run(
            "matchups",
            "--policy=greedy",
            "--decks",
            f"1,{tmp_path / 'fast.toml'}",
            "--games",
            300,
            "--out",
            folder,
        )
        == 0
    )
    return folder


# ---- what it takes


def test_a_dry_run_tells_what_it_takes_and_plays_nothing(tmp_path, capsys):
    assert run("matchups", "--policy=greedy", "--games", "1M", "--dry-run", "--out", tmp_path / "out") == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert row["conditions"] == "10"
    assert row["games_expected"] == row["games_to_play"] == row["games_at_most"] == "10000000"
    assert float(row["seconds"]) > 0
    assert not (tmp_path / "out").exists()


def test_a_dry_run_counts_only_the_games_that_are_missing(finished, tmp_path, capsys):
    command = [
        "matchups",
        "--policy=greedy",
        "--decks",
        f"1,{tmp_path / 'fast.toml'}",
        "--games",
        1000,
        "--out",
        finished,
    ]
    before = {path: path.read_bytes() for path in finished.rglob("*") if path.is_file()}
    assert run(*command, "--resume", "--dry-run", "--format", "json") == 0
    captured = capsys.readouterr()
    (row,) = json.loads(captured.out[captured.out.index("[") :])
    assert (row["games_expected"], row["games_to_play"]) == (3000, 2100)
    assert before == {path: path.read_bytes() for path in finished.rglob("*") if path.is_file()}


def test_a_long_run_wants_to_be_confirmed(tmp_path, capsys):
    assert run("matchups", "--policy=greedy", "--games", "1000000M", "--out", tmp_path / "out") == 2
    error = capsys.readouterr().err
    assert "this takes about" in error
    assert "expected --yes to go ahead" in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1)])
def test_the_question_takes_an_answer(answer, code, monkeypatch, capsys):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr("clashsim.cli.conduct.LONG", -1)
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr("sys.stderr", Terminal())
    assert run("matchups", "--policy=greedy", "--decks", 1, "--games", 20) == code
    assert bool(capsys.readouterr().out.count("greedy")) == (code == 0)


# ---- precision


def test_precision_is_reached_and_marked(capsys):
    assert run("matchups", "--decks", "1,3", "--precision", 2, "--policy", "random") == 0
    for row in csv.DictReader(io.StringIO(capsys.readouterr().out)):
        assert row["stopped"] == "precise"
        assert float(row["score_high"]) - float(row["score_low"]) <= 0.04
        assert 1000 <= int(row["games"]) < 5000


def test_games_are_the_cap_of_a_precision(capsys):
    assert run("matchups", "--policy=greedy", "--decks", "1,3", "--precision", 0.1, "--games", 1300) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {(row["games"], row["stopped"]) for row in rows} == {("1300", "games")}


def test_until_decided_ends_with_verdicts_read_off_a_confidence_sequence(tmp_path, capsys):
    assert run("matchups", "--policy=greedy", "--decks", "1,3", "--until-decided", "--out", tmp_path) == 0
    rows = [row for row in csv.DictReader(io.StringIO(capsys.readouterr().out)) if row["verdict"] != "mirror"]
    assert {row["stopped"] for row in rows} == {"decided"}
    assert {row["verdict"] for row in rows} == {"unbalanced"}
    assert "confidence sequences" in (tmp_path / "report.md").read_text()


@pytest.mark.parametrize("precision", ["0", "-1", "51", "nan", "inf", "1e-400", "half", "", "0x1", "1_0"])
def test_an_impossible_precision_is_named(precision, capsys):
    assert run("matchups", "--policy=greedy", "--precision", precision) == 2
    error = capsys.readouterr().err
    assert "--precision" in error
    assert "such as 0.5" in error


# ---- again


def test_a_rerun_is_identical_and_uses_the_copies(finished, tmp_path, capsys):
    (tmp_path / "fast.toml").unlink()
    assert run("rerun", finished, "--jobs", 1) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("Identical: all 14 table files in")
    assert "the input files as they are now can not be used any more" in captured.err
    assert contents(tmp_path / "out-rerun") == contents(finished)
    assert run("rerun", tmp_path / "out-rerun") == 0  # and again from the rerun's own folder
    assert run("rerun", finished) == 0
    assert (tmp_path / "out-rerun-2" / "report.md").exists()


def test_a_rerun_tells_where_the_tables_differ(finished, tmp_path, capsys):
    for name, old, new in (("matchups.csv", "false", "true"), ("pool.csv", "greedy", "greedier")):
        text = (finished / name).read_text()
        (finished / name).write_text(text.replace(old, new, 1))
    (finished / "plays.parquet").unlink()
    capsys.readouterr()
    assert run("rerun", finished) == 1
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) >= 3
    for words in ("matchups.csv", "pool.csv", "greedier", "plays.parquet"):
        assert words in captured.out
    assert captured.err.splitlines()[-1].endswith("differs from " + str(finished) + ", as listed")


def test_a_rerun_never_overwrites(finished, tmp_path, capsys):
    before = contents(finished)
    assert run("rerun", finished, "--out", finished, "--yes") == 2
    assert "never overwrites" in capsys.readouterr().err
    assert contents(finished) == before


def test_a_rerun_names_another_program_and_changed_files(finished, tmp_path, capsys):
    manifest = json.loads((finished / "manifest.json").read_text())
    manifest |= {"version": "0.0.9", "core": "0123456789abcdef"}
    (finished / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "fast.toml").write_text(DECK.replace("GNOME", "TROLL"))
    assert run("rerun", finished) == 0
    error = capsys.readouterr().err
    assert "version: 0.0.9 -> " in error
    assert "core: 0123456789abcdef -> " in error
    assert "fast.toml has changed since" in error


def test_a_copy_that_was_changed_is_refused(finished, capsys):
    with (finished / "inputs" / "fast.toml").open("a") as file:
        file.write("# mine\n")
    assert run("rerun", finished) == 2
    assert "inputs/fast.toml was changed since the run read it" in capsys.readouterr().err


def test_an_unfinished_run_can_not_be_repeated(finished, capsys):
    manifest = json.loads((finished / "manifest.json").read_text()) | {"status": "unfinished"}
    (finished / "manifest.json").write_text(json.dumps(manifest))
    assert run("rerun", finished) == 2
    assert "unfinished" in capsys.readouterr().err


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"program": "other"}', "null", "\ufeff", "[" * 100_000])
def test_a_damaged_manifest_is_named(finished, damage, capsys):
    (finished / "manifest.json").write_text(damage)
    assert run("rerun", finished) == 2
    error = capsys.readouterr().err
    assert "manifest.json is damaged" in error
    assert error.count("\n") == 1


def test_a_folder_without_a_run_is_named(tmp_path, capsys):
    for folder in (tmp_path, tmp_path / "none"):
        assert run("rerun", folder) == 2
        assert "expected the output folder of a run" in capsys.readouterr().err


def test_files_of_one_name_are_kept_apart(tmp_path):
    for name, cards in (("one", DECK), ("two", DECK.replace("GNOME", "TROLL"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "deck.toml").write_text(f'name = "{name}"\n{cards}')
    decks = f"{tmp_path / 'one' / 'deck.toml'},{tmp_path / 'two' / 'deck.toml'}"
    assert run("matchups", "--policy=greedy", "--decks", decks, "--games", 20, "--out", tmp_path / "out") == 0
    shutil.rmtree(tmp_path / "one")
    shutil.rmtree(tmp_path / "two")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    copies = resolved_options(tmp_path / "out", manifest)["decks"]
    assert [name for name in copies if "TROLL" in Path(name).read_text()] == copies[1:]
    assert run("rerun", tmp_path / "out") == 0


def test_a_precise_run_that_was_added_to_is_repeated_as_it_ended(tmp_path, capsys):
    command = ["matchups", "--policy=greedy", "--decks", "1,3", "--out", tmp_path / "out", "--precision", 1]
    assert run(*command, "--games", 1100) == 0
    assert run(*command, "--games", 20_000, "--resume") == 0
    assert run("rerun", tmp_path / "out") == 0
    assert "Identical" in capsys.readouterr().out


# ---- game by game


def test_single_games_add_up_to_the_table(tmp_path, capsys):
    path = tmp_path / "games.parquet"
    assert run("matchups", "--policy=greedy", "--decks", "1,3", "--games", 500, "--games-out", path) == 0
    table = pd.read_csv(io.StringIO(capsys.readouterr().out))
    games = pd.read_parquet(path)
    assert len(games) == 1500
    for (deck_a, deck_b), some in games.groupby(["deck_a", "deck_b"], observed=True):
        row = table[(table["deck_a"].astype(str) == deck_a) & (table["deck_b"].astype(str) == deck_b)].iloc[0]
        assert (some["winner"] == "a").sum() == row["wins_a"]
        assert (some["winner"] == "draw").sum() == row["draws"]
        assert some["turns"].mean() == pytest.approx(row["turns_mean"], abs=1e-6)
        assert (some["starter"] == "a").sum() == 250
        assert some["game"].tolist() == list(range(500))
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.parquet"]  # the parts are gone


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("games.csv", "ends in .parquet"),
        ("", "no file"),
        ("none/games.parquet", "a folder that exists"),
        ("taken.parquet", "--yes to overwrite"),
        ("out/pool.parquet", "the run has a table of this name"),
    ],
)
def test_an_impossible_games_file_is_named_before_anything_is_played(name, words, tmp_path, capsys):
    (tmp_path / "taken.parquet").write_text("mine")
    path = tmp_path / name if name else ""
    out = tmp_path / "out"
    assert (
        run("matchups", "--policy=greedy", "--decks", 1, "--games", 20, "--games-out", path, "--out", out)
        == 2
    )
    assert not out.exists()
    assert words in capsys.readouterr().err
    assert (tmp_path / "taken.parquet").read_text() == "mine"


def test_the_games_file_may_lie_in_the_new_folder_and_is_repeated_too(tmp_path, capsys):
    folder = tmp_path / "out"
    command = [
        "matchups",
        "--policy=greedy",
        "--decks",
        "1",
        "--games",
        60,
        "--out",
        folder,
        "--games-out",
        folder / "games.parquet",
    ]
    assert run(*command) == 0
    assert run("rerun", folder) == 0
    assert "all 15 table files" in capsys.readouterr().out
    assert len(pd.read_parquet(tmp_path / "out-rerun" / "games.parquet")) == 60


def test_a_rerun_compares_only_what_the_run_has_written(finished, capsys):
    (finished / "mine.csv").write_text("a,b\n")
    assert run("rerun", finished) == 0
    assert "Identical: all 14 table files" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["report.md", "pool.csv", "inputs/fast.toml", "any.png"])
def test_files_of_the_users_own_are_not_overwritten(name, tmp_path, capsys):
    own = tmp_path / "mine" / name
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    assert run("matchups", "--policy=greedy", "--decks", 1, "--games", 20, "--out", tmp_path / "mine") == 2
    assert "but no run; expected a new folder, or --yes" in capsys.readouterr().err
    assert own.read_text() == "mine"
    assert [path.name for path in (tmp_path / "mine").iterdir()] == [
        own.relative_to(tmp_path / "mine").parts[0]
    ]


def test_games_without_records_are_counted_as_to_be_played(finished, tmp_path, capsys):
    command = [
        "matchups",
        "--policy=greedy",
        "--decks",
        f"1,{tmp_path / 'fast.toml'}",
        "--games",
        300,
        "--out",
        finished,
        "--resume",
    ]
    capsys.readouterr()
    assert run(*command, "--dry-run", "--games-out", tmp_path / "games.parquet") == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert row["games_to_play"] == "900"
    assert run(*command, "--games-out", tmp_path / "games.parquet") == 0
    assert "900 games, about" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_a_lost_standard_error_ends_nothing(finished):
    command = [sys.executable, "-m", "clashsim.cli.main"]
    manifest = json.loads((finished / "manifest.json").read_text()) | {
        "version": "0.0.9"
    }  # there is something to say
    (finished / "manifest.json").write_text(json.dumps(manifest))
    (finished / "pool.csv").write_text("another\n")
    with open("/dev/full", "w") as full:
        done = subprocess.run([*command, "rerun", str(finished)], stderr=full, stdout=subprocess.DEVNULL)
        assert done.returncode == 1
        assert subprocess.run([*command, "cards", "--bogus"], stderr=full).returncode == 2


def test_more_threads_than_cores_promise_no_more_speed(capsys):
    seconds = []
    for jobs in (usable_cores(), 1000):
        assert (
            run(
                "matchups",
                "--policy=greedy",
                "--games",
                "10M",
                "--jobs",
                jobs,
                "--dry-run",
                "--format",
                "json",
            )
            == 0
        )
        seconds.append(json.loads(capsys.readouterr().out)[0]["seconds"])
    assert seconds[1] > seconds[0] / 20
