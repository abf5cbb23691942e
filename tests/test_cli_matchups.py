"""`clashsim matchups` end to end."""

import csv
import io
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from killing import games_in
from processes import PATIENCE, running, wait_until

from clashsim.cli.main import main

pytestmark = pytest.mark.jit

TABLES = ("matchups", "pool", "ratings", "equilibrium", "first_player", "health", "plays")
PLOTS = ("matchups", "pool", "ratings", "first_player")
FILES = {
    *(f"{name}.{kind}" for name in TABLES for kind in ("csv", "parquet")),
    *(f"{name}.{kind}" for name in PLOTS for kind in ("png", "svg")),
    "report.md",
    "manifest.json",
}


def run(*arguments):
    return main(["matchups", "--policy=greedy", *map(str, arguments)])


def test_csv_when_piped(capsys):
    assert run("--decks", "1,3", "--games", 200) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["deck_a"], row["deck_b"]) for row in rows] == [
        ("1", "1"),
        ("1", "3"),
        ("3", "1"),
        ("3", "3"),
    ]
    assert rows[0]["games"] == "200"


def test_json_and_table_on_request(capsys):
    assert run("--decks", "1,3", "--games", 200, "--format", "json") == 0
    assert len(json.loads(capsys.readouterr().out)) == 4
    assert run("--decks", "1,3", "--games", 200, "--format", "table") == 0
    assert "The player who goes first scores" in " ".join(capsys.readouterr().out.split())


def test_the_output_folder_is_complete_and_says_how_it_was_made(tmp_path, capsys):
    folder = tmp_path / "new" / "folder"
    assert run("--decks", "1,3", "--games", 400, "--seed", 8, "--rule", "window=5", "--out", folder) == 0
    assert {path.name for path in folder.iterdir()} - {".lock"} == {*FILES, "checkpoint", "inputs"}
    assert (folder / "inputs" / "starter-kit.toml").is_file()
    assert f"Report: {folder / 'report.md'}" in capsys.readouterr().err
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["command"][:5] == ["clashsim", "matchups", "--policy=greedy", "--decks", "1,3"]
    assert manifest["seed"] == 8
    assert manifest["rules"]["window"] == 5
    assert manifest["policies"] == ["greedy"]
    assert manifest["games"] == 1200
    assert len(manifest["cards"]["hash"]) == 16
    page = (folder / "report.md").read_text()
    assert "**Question.** Which deck is best?" in page
    for link in ("matchups.png", "first_player.png", "health.csv"):
        assert f"({link})" in page


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name, jobs in (("one", 1), ("two", 2)):
        assert run("--games", 300, "--seed", 4, "--jobs", jobs, "--out", tmp_path / name) == 0
    for name in FILES - {"manifest.json", "report.md"}:  # those two have the command, with the folder
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name


def test_another_run_in_the_folder_is_not_overwritten(tmp_path, capsys):
    command = ["--decks", 2, "--games", 20, "--out", tmp_path / "out"]
    assert run(*command, "--seed", 1) == 0
    before = (tmp_path / "out" / "matchups.csv").read_bytes()
    for arguments, words in (
        (["--seed", 1], "holds this run already, finished; expected --resume"),
        (["--seed", 2], "holds another run, clashsim matchups --policy=greedy --decks 2 --games 20"),
        (["--seed", 2], "(seed: 1 -> 2)"),
        (["--seed", 2, "--resume"], "(seed: 1 -> 2); expected a new folder"),
    ):
        assert run(*command, *arguments) == 2
        assert words in capsys.readouterr().err
    assert (tmp_path / "out" / "matchups.csv").read_bytes() == before
    assert run(*command, "--seed", 2, "--yes") == 0
    assert (tmp_path / "out" / "matchups.csv").read_bytes() != before
    (tmp_path / "out" / "manifest.json").write_text("{")
    for arguments in ([], ["--resume"]):
        assert run(*command, "--seed", 2, *arguments) == 2
        assert "manifest.json is damaged" in capsys.readouterr().err
    assert run(*command, "--seed", 2, "--resume", "--yes") == 0


def test_changed_cards_are_named_in_the_report(tmp_path, capsys):
    assert main(["cards", "--format", "toml"]) == 0
    troll = 'name = "TROLL"\nkind = "creature"\ncost = '
    text = capsys.readouterr().out.replace(f"{troll}6", f"{troll}4")
    (tmp_path / "mine.toml").write_text(text)
    assert run("--decks", 1, "--games", 2, "--cards", tmp_path / "mine.toml", "--out", tmp_path / "out") == 0
    assert "TROLL cost 6 -> 4" in (tmp_path / "out" / "report.md").read_text()


def test_an_odd_number_of_games_is_said(capsys):
    assert run("--decks", 1, "--games", 7) == 0
    assert "--games 7 rounded up to 8" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--decks", "1,7"], ["unknown deck '7'", "1, 2, 3, 4"]),
        (["--decks", "1,1"], ["deck", "given twice"]),
        (["--decks", "1,,2"], ["empty entry"]),
        (["--decks", "nowhere.toml"], ["nowhere.toml"]),
        (["--policy", "greeedy"], ["greeedy", "Did you mean greedy?"]),
        (["--vs-policy", "tactic"], ["tactic", "random, greedy"]),
        (["--rule", "windw=5"], ["windw", "Did you mean window?"]),
        (["--rule", "window=9"], ["window", "1 to 8"]),
        (["--rule", "window"], ["NAME=VALUE"]),
        (["--rule", "ai_last_turn=current"], ["solo"]),
        (["--games", "0"], ["--games is 0", "1 to"]),
        (["--games", "-5"], ["--games"]),
        (["--games", "1.5"], ["--games is '1.5'"]),
        (["--games", "1e30"], ["--games is '1e30'"]),
        (["--games", "9" * 40], ["--games"]),
        (["--seed", "x"], ["--seed is 'x'"]),
        (["--jobs", "0"], ["--jobs is 0"]),
        (["--cards", "starter-kt"], ["starter-kt", "Did you mean starter-kit?"]),
        (["--format", "xml"], ["xml"]),
        (["--gmes", "5"], ["--gmes", "--games"]),
    ],
)
def test_bad_input_gets_one_line_and_exit_2(arguments, words, capsys):
    assert run("--games", 2, *arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    for word in words:
        assert word in captured.err


def test_a_folder_that_can_not_be_written_is_refused_before_anything_is_played(tmp_path, capsys):
    (tmp_path / "file").write_text("mine")
    assert run("--games", 10**12, "--out", tmp_path / "file") == 2
    assert run("--games", 10**12, "--out", tmp_path / "file" / "below") == 2
    assert capsys.readouterr().err.count("is not a folder") == 2
    assert (tmp_path / "file").read_text() == "mine"


def test_nothing_is_made_for_a_run_that_does_not_start(tmp_path):
    assert run("--decks", "9", "--out", tmp_path / "out") == 2
    assert not (tmp_path / "out").exists()


def test_a_disk_that_fills_up_is_an_output_error(tmp_path, capsys, monkeypatch):
    write = Path.write_bytes

    def full(self, content):
        if "checkpoint" in self.parts:
            raise OSError(28, "No space left on device")
        return write(self, content)

    folder = tmp_path / "out"
    folder.mkdir()
    assert run("--decks", 1, "--games", 2, "--out", folder) == 0
    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.write_bytes", full)
        assert run("--decks", 1, "--games", 400, "--out", folder, "--resume") == 3
    error = capsys.readouterr().err.lower()
    assert "no space left" in error
    assert "go on with the same command and --resume" in error
    assert run("--decks", 1, "--games", 400, "--out", folder, "--resume") == 0


def test_help_teaches_with_an_example(capsys):
    assert run("--help") == 0
    text = capsys.readouterr().out
    assert "clashsim matchups --out reports/matchups" in text
    for option in (
        "--decks",
        "--games",
        "--seed",
        "--policy",
        "--vs-policy",
        "--rule",
        "--cards",
        "--out",
        "--jobs",
    ):
        assert option in text


@pytest.mark.skipif(
    os.name == "nt" or signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="sends SIGINT"
)
def test_ctrl_c_ends_cleanly_with_130(tmp_path):
    words = ["-m", "clashsim.cli.main", "matchups", "--policy=greedy", "--games", "1000000000", "--yes"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with running(*words, "--out", str(tmp_path), **pipes) as process:
        wait_until(lambda: games_in(tmp_path) > 0, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert "stopped" in err.lower()
    assert "go on with the same command and --resume" in err
    assert not [path for path in tmp_path.rglob("*.part")]
