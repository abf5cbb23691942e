"""A run that is killed again and again ends with the same tables as one that is left alone."""

import json
import random
import sys

import pytest
from killing import Killer, contents

from clashsim.cli.main import main

pytestmark = [pytest.mark.jit, pytest.mark.skipif(sys.platform == "win32", reason="kills processes")]

MATCHUPS = ["matchups", "--policy=greedy", "--decks", "1,3,4"]
KINDS = {
    "plain": [*MATCHUPS, "--games", "120k"],
    "games": [*MATCHUPS, "--games", "120k"],
    "precise": [*MATCHUPS, "--precision", "0.4", "--policy", "random"],
    "decided": [*MATCHUPS, "--until-decided", "--precision", "0.5"],
    "solo": ["solo", "--policy=greedy", "--level", "easy", "--deck", "1,draft", "--games", "20k"],
}


def killed_runs(kind, folder, number, seed):
    """Compare some killed runs with a whole one; return how often they were killed."""
    killer = Killer([*KINDS[kind], "--seed", str(seed)], random.Random(seed))
    whole = contents(killer.whole(folder / f"{kind}-whole"))
    assert len(whole) >= (4 if kind == "solo" else 14)
    for run in range(number):
        broken = contents(killer.broken(folder / f"{kind}-{run}"))
        assert broken.keys() == whole.keys()
        assert [name for name in whole if broken[name] != whole[name]] == []
    return killer.kills


@pytest.mark.parametrize("kind", ["games", "decided", "solo"])
def test_killed_runs_end_with_the_same_tables(kind, tmp_path):
    assert killed_runs(kind, tmp_path, 1, 1) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_killed_runs_end_with_the_same_tables(kind, tmp_path):
    kills = killed_runs(kind, tmp_path, 25, 2)
    print(f"{kind}: 25 runs, killed {kills} times")
    assert kills >= 40


def test_games_are_added_to_a_finished_run(tmp_path, capsys):
    command = [
        "matchups",
        "--policy=greedy",
        "--decks",
        "1,3",
        "--games-out",
        str(tmp_path / "games.parquet"),
        "--out",
    ]
    for games in (1000, 5000):
        assert main([*command, str(tmp_path / "grown"), "--games", str(games), "--resume"]) == 0
    assert "15,000 games, 3,000 of them played" in capsys.readouterr().err
    grown = (tmp_path / "games.parquet").read_bytes()
    assert main([*command, str(tmp_path / "whole"), "--games", "5000", "--yes"]) == 0
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")
    # the metadata name the run, which is the same in both folders
    assert (tmp_path / "games.parquet").read_bytes() == grown


def test_fewer_games_than_are_played_are_refused(tmp_path, capsys):
    command = ["matchups", "--policy=greedy", "--decks", "1", "--out", str(tmp_path), "--games"]
    assert main([*command, "400"]) == 0
    before = (tmp_path / "manifest.json").read_bytes()
    assert main([*command, "200", "--resume"]) == 2
    error = capsys.readouterr().err
    assert "holds 400 games of a condition already" in error
    assert "go on with the same command" not in error
    assert (tmp_path / "manifest.json").read_bytes() == before  # the run is as finished as before


@pytest.mark.parametrize(
    ("before", "after", "allowed"),
    [
        (["--precision", "2"], ["--precision", "1"], True),
        (["--precision", "2"], ["--games", "10000"], True),
        (["--precision", "2"], ["--precision", "3"], False),
        (["--games", "2000"], ["--precision", "1"], False),
        (["--until-decided"], ["--precision", "1"], False),
    ],
)
def test_a_finer_target_goes_on_and_a_coarser_one_is_refused(tmp_path, capsys, before, after, allowed):
    command = ["matchups", "--decks", "1,3", "--policy", "random", "--out"]
    assert main([*command, str(tmp_path / "out"), *before]) == 0
    manifest = (tmp_path / "out" / "manifest.json").read_bytes()
    code = main([*command, str(tmp_path / "out"), *after, "--resume"])
    if not allowed:
        assert (tmp_path / "out" / "manifest.json").read_bytes() == manifest
        assert code == 2
        assert "may have stopped earlier" in capsys.readouterr().err
        return
    assert code == 0
    assert main([*command, str(tmp_path / "anew"), *after]) == 0
    assert contents(tmp_path / "out") == contents(tmp_path / "anew")


def test_a_damaged_checkpoint_is_named_and_its_games_played_again(tmp_path, capsys):
    command = [
        "matchups",
        "--policy=greedy",
        "--decks",
        "1,3",
        "--games",
        "2000",
        "--out",
        str(tmp_path / "out"),
    ]
    assert main(command) == 0
    before = contents(tmp_path / "out")
    damaged = tmp_path / "out" / "checkpoint" / "000001.json"
    damaged.write_bytes(damaged.read_bytes().replace(b"[0,2000]", b"[0,2002]"))
    assert main([*command, "--resume"]) == 0
    error = capsys.readouterr().err
    assert f"{damaged} is damaged: its games are played again" in error
    assert "4,000 of them played" in error
    assert contents(tmp_path / "out") == before


def test_a_foreign_checkpoint_is_refused(tmp_path, capsys):
    for seed in ("1", "2"):
        command = ["matchups", "--policy=greedy", "--decks", "1,3", "--games", "200", "--seed", seed]
        assert main([*command, "--out", str(tmp_path / seed)]) == 0
    name = "checkpoint/000001.json"
    foreign = (tmp_path / "2" / name).read_bytes()
    (tmp_path / "1" / name).write_bytes(foreign)
    command = [
        "matchups",
        "--policy=greedy",
        "--decks",
        "1,3",
        "--games",
        "400",
        "--seed",
        "1",
        "--out",
        str(tmp_path / "1"),
        "--resume",
    ]
    assert main(command) == 2
    assert "000001.json belongs to another run" in capsys.readouterr().err
    assert (tmp_path / "1" / name).read_bytes() == foreign


def test_a_second_run_into_the_same_folder_is_refused(tmp_path, capsys):
    from clashsim.running.files import locked

    command = ["matchups", "--policy=greedy", "--decks", "1", "--games", "200", "--out", str(tmp_path)]
    with locked(tmp_path, tmp_path / ".lock"):
        assert main(command) == 2
    assert "another run is writing there" in capsys.readouterr().err
    assert main(command) == 0
    assert json.loads((tmp_path / "manifest.json").read_text())["status"] == "finished"


def test_resume_without_a_folder_says_what_is_missing(capsys):
    assert main(["matchups", "--policy=greedy", "--resume"]) == 2
    assert "--out FOLDER" in capsys.readouterr().err
