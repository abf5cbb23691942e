"""`clashsim trace --where` and `--run`: exactly the games that fit, of a pair or of a run, and what is said of it."""

import json
import os
import shlex
import shutil

import pyarrow.parquet as pq
import pytest

from clashsim.cli import trace as trace_command
from clashsim.cli.main import main

pytestmark = pytest.mark.jit

PAIR = ("trace", "--decks", "1,2", "--policy", "random", "--seed", "3")
FAST = 'name = "fast"\ncards = ["ASSASSIN", "GNOME", "GRRR", "PARTISAN", "REPTILE", "SHAMAN", "VORTEX", "ZOMBIE"]\n'
GAMES = 400


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run the program in an empty folder; return its exit code, traces on standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("clashsim.clash.core.jit.is_cached", lambda kernels=(): True)

    def run(*arguments):
        code = main(list(map(str, arguments)))
        out, err = capsys.readouterr()
        traces = [json.loads(line) for line in out.splitlines()] if arguments[0] == "trace" else []
        return code, traces, err

    return run


@pytest.fixture(scope="module")
def matchups(tmp_path_factory):
    """The folder of a run with a deck file, another rule and two policies, and its games one by one."""
    home = tmp_path_factory.mktemp("home")
    (home / "my-deck.toml").write_text(FAST, encoding="utf-8")
    command = [
        "matchups",
        "--policy=greedy",
        "--decks",
        f"1,{home / 'my-deck.toml'}",
        "--games",
        str(GAMES),
        "--seed",
        "9",
    ]
    command += [
        "--policy",
        "random",
        "--vs-policy",
        "greedy",
        "--rule",
        "window=5",
        "--out",
        str(home / "run"),
    ]
    assert main([*command, "--games-out", str(home / "games.parquet")]) == 0
    return home / "run", pq.read_table(home / "games.parquet").to_pylist()


def numbers(traces):
    return [trace["game"] for trace in traces]


def refused(result, *messages):
    code, traces, err = result
    assert (code, traces) == (2, [])
    assert err.startswith("clashsim: error: ")
    assert err.count("\n") == 1
    for message in messages:
        assert message in err


def wins_of_b(trace):
    return trace["result"]["winner"] == 1 and trace["result"]["turns"] > 14


def told(err):
    """What is told of a search, without the notes before it."""
    lines = err.splitlines()
    return lines[next(place for place, text in enumerate(lines) if text.startswith("Searched")) :]


def line(trace):
    """What is told of a game."""
    one, other = trace["decks"]
    winner, turns = trace["result"]["winner"], trace["result"]["turns"]
    end = "draw" if winner is None else f"{'AB'[winner]} wins"
    starter = "AB"[trace["first"]]
    return f"deck {one} against deck {other}, game {trace['game']}: {starter} starts, {end} in turn {turns}"


def test_found_are_the_games_that_fit(run):
    every = run(*PAIR, "--games", 80, "--first-game", 7)[1]
    expected = [trace for trace in every if wins_of_b(trace)]
    code, found, err = run(
        *PAIR, "--games", 80, "--first-game", 7, "--where", "winner=b, turns > 14", "--limit", 50
    )
    assert (code, found) == (0, expected)
    assert 5 < len(expected) < 50
    assert told(err) == [
        f"Searched 80 games for winner=b, turns > 14: {len(expected)} found.",
        *map(line, expected),
    ]


def test_a_search_ends_with_the_limit(run):
    where = ("--where", "winner=b,turns>14")
    found = run(*PAIR, *where, "--limit", 8)[1]
    assert len(found) == 8
    code, first, err = run(*PAIR, *where)
    assert (code, first) == (0, found[:5])
    assert told(err)[0] == f"Searched {first[-1]['game'] + 1:,} games for winner=b,turns>14: 5 found."


def test_a_search_without_number_of_games_has_an_end(run, monkeypatch):
    monkeypatch.setattr(trace_command, "MOST_SEARCHED", 1234)
    assert run(*PAIR, "--where", "turns=0") == (0, [], "Searched 1,234 games for turns=0: none found.\n")


def test_a_file_gets_what_is_found_or_nothing(run, tmp_path):
    found = run(*PAIR, "--where", "starter=b", "--limit", 2)[1]
    assert run(*PAIR, "--where", "starter=b", "--limit", 2, "--out", "games.jsonl")[:2] == (0, [])
    lines = (tmp_path / "games.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == found
    assert numbers(found) == [1, 3]
    assert run(*PAIR, "--where", "turns=0", "--games", 9, "--out", "none.jsonl")[0] == 0
    assert (tmp_path / "none.jsonl").read_bytes() == b""


@pytest.mark.parametrize("file", ["games.jsonl", "my 'long' games.jsonl"])
def test_the_last_line_is_a_command_that_shows_the_first_game(run, tmp_path, file):
    code, _, err = run(*PAIR, "--where", "starter=b,turns>9", "--limit", 2, "--out", file)
    assert code == 0
    hint, command = told(err)[-1].split(": ")
    assert hint == "To see the first"
    program, *arguments = shlex.split(command)
    number = json.loads((tmp_path / file).read_text().splitlines()[0])["game"]
    assert (program, arguments) == ("clashsim", ["replay", file, "--game", str(number), "--decks", "1,2"])
    assert run(*arguments)[0] == 0


def test_a_search_without_file_or_finds_has_no_command_to_show(run):
    assert "replay" not in run(*PAIR, "--where", "starter=b", "--limit", 2)[2]
    assert "replay" not in run(*PAIR, "--where", "turns=0", "--games", 9, "--out", "none.jsonl")[2]


def test_at_most_twenty_games_are_told_one_by_one(run):
    code, found, err = run(*PAIR, "--where", "starter=a", "--limit", 23)
    assert (code, len(found)) == (0, 23)
    assert told(err)[1:] == [*map(line, found[:20]), "and 3 more"]


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (["--where", "winer=b"], ["Did you mean winner?"]),
        (["--where", ""], ["--where is empty"]),
        (["--where", "turns>3", "--limit", "0"], ["--limit is 0", "1 to"]),
        (["--limit", "3"], ["--limit", "expected --where"]),
        (["--run", "nowhere"], ["--seed and --run are given"]),
    ],
)
def test_wrong_searches_are_refused(run, tmp_path, arguments, messages):
    refused(run(*PAIR, *arguments, "--out", "games.jsonl"), *messages)
    assert os.listdir(tmp_path) == []


# of a run


@pytest.mark.parametrize(
    "where", ["winner=a,turns<=9", "bastion_b_turn=none", "reason=fort,starter=b,turns>=12"]
)
def test_the_games_of_a_run_are_searched_in_the_order_of_its_table(run, matchups, where):
    folder, table = matchups
    expected = [row for row in table if fits(row, where)]
    assert expected
    code, found, err = run("trace", "--run", folder, "--where", where, "--limit", 10_000)
    assert code == 0
    assert [(*trace["decks"], trace["game"]) for trace in found] == [
        (row["deck_a"], row["deck_b"], row["game"]) for row in expected
    ]
    assert all(trace["rules"]["window"] == 5 and trace["policies"] == ["random", "greedy"] for trace in found)
    assert f"Searched {4 * GAMES:,} games for {where}: {len(expected):,} found.\n" in err


@pytest.mark.parametrize("limit", [2, 4, 6, 8, 1000])
def test_the_games_found_are_spread_over_the_pairs(run, matchups, limit):
    folder, table = matchups
    by_pair = {}
    for row in table:
        found = by_pair.setdefault((row["deck_a"], row["deck_b"]), [])
        if row["winner"] == "b" and row["turns"] > 12:
            found.append(row["game"])
    counts = spread(limit, list(map(len, by_pair.values())))
    code, found, _ = run("trace", "--run", folder, "--where", "winner=b,turns>12", "--limit", limit)
    assert code == 0
    assert [(*trace["decks"], trace["game"]) for trace in found] == [
        (*pair, game)
        for (pair, games), count in zip(by_pair.items(), counts, strict=True)
        for game in games[:count]
    ]


def spread(limit, there):
    """How many games each pair gives: one after the other in turns, as long as it has some."""
    counts = [0] * len(there)
    while sum(counts) < min(limit, sum(there)):
        for place, games in enumerate(there):
            counts[place] += counts[place] < games and sum(counts) < limit
    return counts


def fits(row, where):
    return {
        "winner=a,turns<=9": row["winner"] == "a" and row["turns"] <= 9,
        "bastion_b_turn=none": row["bastion_b_turn"] is None,
        "reason=fort,starter=b,turns>=12": row["starter"] == "b" and row["turns"] >= 12,
    }[where]


def test_a_pair_of_a_run_by_the_name_of_its_deck_or_file(run, matchups):
    folder, table = matchups
    by_name = run("trace", "--run", folder, "--decks", "1,fast", "--where", "winner=b", "--limit", 3)
    by_file = run(
        "trace",
        "--run",
        folder,
        "--decks",
        f"1,{folder.parent / 'my-deck.toml'}",
        "--where",
        "winner=b",
        "--limit",
        3,
    )
    assert by_name == by_file
    expected = [
        row["game"] for row in table if (row["deck_a"], row["deck_b"], row["winner"]) == ("1", "fast", "b")
    ]
    assert numbers(by_name[1]) == expected[:3]


def test_the_copies_of_the_run_are_read(run, matchups, tmp_path):
    folder, _ = matchups
    shutil.copytree(folder, tmp_path / "copy")
    changed = folder.parent / "my-deck.toml"
    before = run("trace", "--run", folder, "--decks", "fast,1")
    changed.write_text(FAST.replace("ZOMBIE", "TROLL"), encoding="utf-8")
    try:
        assert run("trace", "--run", tmp_path / "copy", "--decks", "fast,1") == before
    finally:
        changed.write_text(FAST, encoding="utf-8")


def test_games_of_a_run_without_a_search(run, matchups):
    folder, table = matchups
    code, found, err = run("trace", "--run", folder, "--first-game", GAMES - 2, "--games", 2)
    assert (code, err) == (0, "")
    assert len(found) == 4 * 2
    last = [row for row in table if row["game"] >= GAMES - 2]
    assert [trace["result"]["turns"] for trace in found] == [row["turns"] for row in last]
    assert len(run("trace", "--run", folder)[1]) == 4


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (["--decks", "1,3"], ["--decks 1,3: the run did not play this pair", "1,1 1,fast fast,1 fast,fast"]),
        (["--seed", "9"], ["--seed and --run are given"]),
        (["--rule", "window=5"], ["--rule and --run are given"]),
        (["--cards", "starter-kit"], ["--cards and --run are given"]),
        (["--first-game", GAMES], ["it played games 0 to 399, not game 400"]),
        (["--where", "turns>3", "--first-game", "399", "--games", "2"], ["not game 400"]),
        (["--decks", "1"], ["--decks names 1 decks"]),
    ],
)
def test_what_a_run_does_not_have_is_refused(run, matchups, arguments, messages):
    refused(run("trace", "--run", matchups[0], *arguments), *messages)


def test_a_pair_the_wrong_way_round_is_turned(run, tmp_path):
    assert (
        run("matchups", "--policy=greedy", "--decks", "1,2", "--games", "20", "--out", tmp_path / "run")[0]
        == 0
    )
    refused(run("trace", "--run", tmp_path / "run", "--decks", "2,1"), "did not play", "Did you mean 1,2?")


def test_a_folder_without_a_finished_run_is_refused(run, matchups, tmp_path):
    refused(run("trace", "--run", tmp_path / "none"), f"{tmp_path / 'none'} is not a folder")
    refused(run("trace", "--run", tmp_path), "has no manifest.json")
    shutil.copytree(matchups[0], tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    (tmp_path / "run" / "manifest.json").write_text(json.dumps(manifest | {"status": "unfinished"}))
    refused(run("trace", "--run", tmp_path / "run"), "unfinished")


def test_a_manifest_that_fits_its_options_no_longer_is_refused(run, matchups, tmp_path):
    shutil.copytree(matchups[0], tmp_path / "run")
    path = tmp_path / "run" / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["options"]["decks"][0] = "3"
    path.write_text(json.dumps(manifest))
    refused(run("trace", "--run", tmp_path / "run"), "do not give the conditions of its plan")


def test_a_change_of_the_program_since_the_run_is_told(run, matchups, tmp_path):
    shutil.copytree(matchups[0], tmp_path / "run")
    path = tmp_path / "run" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"core": "of another day"}))
    code, found, err = run("trace", "--run", tmp_path / "run", "--decks", "1,1")
    assert (code, len(found)) == (0, 1)
    assert "core" in err
