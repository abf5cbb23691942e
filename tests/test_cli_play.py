"""The commands `play`, `trace` and `replay`, and the files between them."""

import json
import os
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.generate import random_trace
from naive.referee import check_trace as check_by_the_rules

from clashsim.clash import trace, trace_files
from clashsim.clash.board import render
from clashsim.cli import compiling
from clashsim.cli.main import main
from clashsim.errors import InputError

PLAY = ("play", "--policy=greedy", "--decks", "1,2")
TRACE = ("trace", "--policy=greedy", "--decks", "1,2")
GAME = random_trace(Random(5), ["greedy", "wild"])


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run the program in an empty folder; return its exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("clashsim.clash.core.jit.is_cached", lambda kernels=(): True)

    def run(*arguments):
        code = main(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def assert_refused(result, *messages, code=2):
    assert result[:2] == (code, "")
    assert result[2].startswith("clashsim: error: ")
    assert result[2].count("\n") == 1
    assert "Traceback" not in result[2]
    for message in messages:
        assert message in result[2]


def write(path, *traces):
    path.write_text("".join(json.dumps(one) + "\n" for one in traces), encoding="utf-8")
    return str(path)


def numbered(game, **changes):
    return {**GAME, "game": game, **changes}


# play


def test_play_shows_the_game_of_the_run(run):
    code, out, err = run(*PLAY, "--policy", "greedy", "--vs-policy", "random", "--seed", "7", "--game", "13")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:3] == [
        "Game 13, seed 7",
        "A deck 1, played by greedy",
        "B deck 2, played by random, takes the first turn",
    ]
    assert "Turn 1, B (random): 6 mana" in lines
    assert lines[-1].startswith(("A wins", "B wins", "Draw"))
    assert "\x1b" not in out
    assert max(map(len, lines)) <= 80


def test_play_is_repeatable_and_depends_on_seed_and_game(run):
    first = run(*PLAY)
    assert run(*PLAY, "--seed", "1", "--game", "0", "--vs-policy", "greedy") == first
    assert run(*PLAY, "--seed", "2")[1] != first[1]
    assert run(*PLAY, "--game", "2")[1] != first[1]


def test_rules_decks_and_cards_of_the_user(run, tmp_path):
    names = ["TROLL", "OGRE", "ZOMBIE", "GRRR", "BARON", "BRUTE", "ALPHA", "CYCLONE"]
    (tmp_path / "mine.toml").write_text(f"cards = {json.dumps(names)}\n", encoding="utf-8")
    code, out, _ = run(
        "play", "--policy=greedy", "--decks", "mine.toml,4", "--rule", "window=2", "--rule", "turn_limit=3"
    )
    assert code == 0
    assert "A deck mine, played by greedy" in out
    assert "Rules: window=2, turn_limit=3" in out
    assert "Turn 4" not in out
    assert run("play", "--policy=greedy", "--decks", "1,2", "--cards", "starter-kit-community")[0] == 0


def test_play_writes_the_trace_of_what_it_shows(run):
    code, out, _ = run(*PLAY, "--seed", "3", "--game", "5", "--trace", "game.jsonl")
    assert code == 0
    assert run("replay", "game.jsonl") == (0, out, "")
    assert run(*TRACE, "--seed", "3", "--first-game", "5")[1] == Path("game.jsonl").read_text(
        encoding="utf-8"
    )
    assert_refused(run(*PLAY, "--trace", "game.jsonl"), "game.jsonl exists", "--yes")
    assert run(*PLAY, "--trace", "game.jsonl", "--yes")[0] == 0


def test_colours_on_a_terminal_only(run, monkeypatch):
    plain = run(*PLAY)[1]
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured = run(*PLAY)[1]
    assert "\x1b[" not in plain
    assert "\x1b[" in coloured


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (["--decks", "1"], ["--decks names 1 decks; expected exactly two"]),
        (["--decks", "1,2,3"], ["--decks names 3 decks"]),
        (["--decks", "1,5"], ["unknown deck '5'"]),
        (["--decks", "1,none.toml"], ["no deck file none.toml"]),
        (["--decks", "1,2", "--policy", "gredy"], ["policy 'gredy'", "Did you mean greedy?"]),
        (["--decks", "1,2", "--vs-policy", ""], ["policy ''"]),
        (["--decks", "1,2", "--seed", "-1"], ["--seed is '-1'"]),
        (["--decks", "1,2", "--rule", "windw=5"], ["Did you mean window?"]),
        (["--decks", "1,2", "--cards", "starter"], ["Did you mean starter-kit?"]),
        ([], ["Missing option '--decks'"]),
    ],
)
@pytest.mark.parametrize("command", ["play", "trace"])
def test_wrong_conditions_are_refused(run, command, arguments, messages):
    assert_refused(run(command, *arguments), *messages)


@pytest.mark.parametrize("number", ["-1", "1.5", "two", "1000000000001", "", "1" * 50])
def test_wrong_numbers_are_refused(run, number):
    assert_refused(run(*PLAY, "--game", number), "--game", "0 to 1000000000000")
    assert_refused(run(*TRACE, "--first-game", number), "--first-game", "0 to 1000000000000")
    assert_refused(run("replay", "x.jsonl", "--game", number), "--game", "0 to 1000000000000")


def test_highest_game_number_works(run):
    code, out, _ = run(*TRACE, "--first-game", str(10**12))
    assert (code, json.loads(out)["game"]) == (0, 10**12)


@pytest.mark.parametrize("command", ["play", "trace", "replay"])
def test_help_shows_an_example(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"Examples:\n    clashsim {command} " in out


# trace


def test_trace_writes_games_that_keep_the_rules(run):
    code, out, err = run(*TRACE, "--vs-policy", "random", "--seed", "4", "--games", "6", "--first-game", "3")
    assert (code, err) == (0, "")
    traces = [json.loads(line) for line in out.splitlines()]
    assert [one["game"] for one in traces] == list(range(3, 9))
    for one in traces:
        assert one["policies"] == ["greedy", "random"]
        assert one["decks"] == ["1", "2"]
        check_by_the_rules(one)


def test_trace_file_is_what_goes_to_standard_output(run, tmp_path):
    out = run(*TRACE, "--games", "3")[1]
    assert run(*TRACE, "--games", "3", "--out", "-") == (0, out, "")
    assert run(*TRACE, "--games", "3", "--out", "games.jsonl") == (0, "", "")
    assert (tmp_path / "games.jsonl").read_bytes().decode() == out
    assert os.listdir(tmp_path) == ["games.jsonl"]
    for game in range(3):
        assert run("replay", "games.jsonl", "--game", str(game)) == run(*PLAY, "--game", str(game))


def test_existing_file_is_kept_unless_told_otherwise(run, tmp_path):
    old = tmp_path / "games.jsonl"
    old.write_text("mine\n")
    assert_refused(run(*TRACE, "--out", "games.jsonl"), "games.jsonl exists", "--yes")
    assert old.read_text() == "mine\n"
    assert run(*TRACE, "--out", "games.jsonl", "--yes") == (0, "", "")
    assert json.loads(old.read_text())["format"] == "clashsim-trace/1"


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (".", "is a folder"),
        ("", "is empty"),
        ("none/games.jsonl", "no such file or directory"),
        ("file/games.jsonl", "not a directory"),
        ("a\0b", "null"),
        ("n" * 300, "too long"),
    ],
)
def test_impossible_file_is_refused_before_the_first_game(run, tmp_path, monkeypatch, out, message):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(trace.Tracer, "_play", lambda *_: pytest.fail("a game was played"))
    assert_refused(run(*TRACE, "--out", out), message)
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_device_is_no_file_to_replace(run):
    assert_refused(run(*TRACE, "--out", "/dev/full", "--yes"), "not a regular file")


@pytest.mark.parametrize(
    ("error", "code"), [(OSError(28, "No space left on device"), 3), (KeyboardInterrupt(), 130)]
)
def test_broken_off_trace_leaves_what_was_there(run, tmp_path, monkeypatch, error, code):
    def lines(*_):
        yield "{}"
        raise error

    monkeypatch.setattr(trace.Tracer, "lines", lines)
    (tmp_path / "games.jsonl").write_text("mine\n")
    result = run(*TRACE, "--games", "2", "--out", "games.jsonl", "--yes")
    assert result[0] == code
    assert "Traceback" not in result[2]
    if code == 3:
        assert result[2] == "clashsim: error: can not write games.jsonl: no space left on device\n"
    assert os.listdir(tmp_path) == ["games.jsonl"]
    assert (tmp_path / "games.jsonl").read_text() == "mine\n"


def test_traces_are_written_one_by_one(run, monkeypatch):
    sizes = []

    def lines(*_):
        for _ in range(20):
            sizes.append(sum(entry.stat().st_size for entry in os.scandir()))
            yield "x" * 100_000

    monkeypatch.setattr(trace.Tracer, "lines", lines)
    assert run(*TRACE, "--games", "20", "--out", "games.jsonl")[0] == 0
    assert all(written >= 100_000 * (number - 1) for number, written in enumerate(sizes))


def test_link_is_followed(run, tmp_path):
    (tmp_path / "real.jsonl").write_text("mine\n")
    (tmp_path / "link.jsonl").symlink_to("real.jsonl")
    assert run(*TRACE, "--out", "link.jsonl", "--yes")[0] == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    assert json.loads((tmp_path / "real.jsonl").read_text())["game"] == 0


# replay


def test_replay_picks_the_game_by_its_number(run, tmp_path):
    file = write(tmp_path / "games.jsonl", numbered(4), numbered(7), numbered(5))
    assert run("replay", file, "--game", "5")[1].startswith("Game 5, seed 0\n")
    there = "holds 3 games: 4 (A against B), 7 (A against B), 5 (A against B)"
    assert_refused(run("replay", file, "--game", "6"), "no game 6 in", there)
    assert_refused(run("replay", file), there, "choose one with --game N")


def test_replay_names_the_first_games_and_how_many_more(run, tmp_path):
    file = write(tmp_path / "games.jsonl", *(numbered(7 * number % 8) for number in range(8)))
    listed = (
        "8 games, 0 to 7: 0 (A against B), 7 (A against B), 6 (A against B), 5 (A against B), 4 (A against B)"
    )
    assert_refused(run("replay", file), f"holds {listed} and 3 more; choose one with --game N")


def test_replay_of_a_single_game_needs_no_number(run, tmp_path):
    file = write(tmp_path / "game.jsonl", numbered(4))
    assert run("replay", file) == run("replay", file, "--game", "4")
    assert run("replay", file) == run("replay", file, "--decks", "A,B")
    assert_refused(run("replay", file, "--game", "0"), "it holds game 4 (A against B) only")


def test_replay_tells_games_of_the_same_number_apart_by_their_decks(run, tmp_path):
    games = [numbered(19, decks=["1", "1"]), numbered(8), numbered(19, decks=["1", "4"]), numbered(3)]
    file = write(tmp_path / "games.jsonl", *games)
    pairings = "holds 2 games 19: 1 against 1 (greedy against wild), 1 against 4 (greedy against wild)"
    assert_refused(run("replay", file, "--game", "19"), pairings, "choose one with --decks A,B")
    for chosen in (["--game", "19", "--decks", "1,4"], ["--decks", "1,4"]):
        code, out, err = run("replay", file, *chosen)
        assert (code, err) == (0, "")
        assert out.splitlines()[1:3] == [
            "A deck 1, played by greedy, takes the first turn",
            "B deck 4, played by wild",
        ]
    assert run("replay", file, "--game", "8")[0] == 0


@pytest.mark.parametrize(
    ("chosen", "messages"),
    [
        (["--game", "19", "--decks", "4,1"], ["no game 19 of decks 4,1", "Did you mean 1,4?"]),
        (["--game", "19", "--decks", "1,fst"], ["19 (1 against fast)", "Did you mean 1,fast?"]),
        (
            ["--game", "8", "--decks", "1,4"],
            ["no game 8 of decks 1,4", "it holds game 8 (A against B) only."],
        ),
        (["--decks", "7,7"], ["no game of decks 7,7 in", "it holds 3 games"]),
        (["--decks", "1"], ["--decks names 1 decks; expected exactly two"]),
        (["--decks", "1,,4"], ["--decks has an empty entry"]),
    ],
)
def test_replay_refuses_decks_that_are_not_there(run, tmp_path, chosen, messages):
    games = numbered(19, decks=["1", "4"]), numbered(19, decks=["1", "fast"]), numbered(8)
    assert_refused(run("replay", write(tmp_path / "games.jsonl", *games), *chosen), *messages)


def test_replay_refuses_different_games_of_the_same_number_and_decks(run, tmp_path):
    file = write(tmp_path / "games.jsonl", numbered(3), numbered(4), numbered(3, seed=7))
    lines = (
        "2 games 3 of A against B: line 1 (greedy against wild, seed 0), line 3 (greedy against wild, seed 7)"
    )
    for chosen in (["--game", "3"], ["--game", "3", "--decks", "A,B"]):
        assert_refused(run("replay", file, *chosen), lines, "expected a file with one of them")


def test_the_same_game_twice_is_one(run, tmp_path):
    once = run("replay", write(tmp_path / "once.jsonl", numbered(3)))
    twice = write(tmp_path / "twice.jsonl", numbered(3), numbered(4), numbered(3))
    assert run("replay", twice, "--game", "3") == once
    assert_refused(run("replay", twice), "holds 3 games")


@pytest.mark.parametrize(
    "decks", [None, "1,4", [], [[["x"] * 5]], ["x" * 9999] * 9, {"1": 4}, ["\x1b[2J", 1]]
)
def test_games_to_choose_from_may_be_malformed(run, tmp_path, decks):
    file = write(
        tmp_path / "games.jsonl", *(numbered(3, decks=decks, policies=decks, seed=n) for n in range(9))
    )
    for chosen in ([], ["--game", "3"], ["--game", "4"], ["--decks", "1,4"]):
        result = run("replay", file, *chosen)
        assert_refused(result, "games.jsonl")
        assert len(result[2]) < 1500
        assert "\x1b" not in result[2]


def test_replay_reads_windows_line_ends_and_blank_lines(run, tmp_path):
    line = json.dumps(GAME).encode()
    (tmp_path / "game.jsonl").write_bytes(b"\xef\xbb\xbf" + line + b"\r\n\r\n")
    assert run("replay", "game.jsonl")[0] == 0


def test_missing_file_folder_and_empty_file(run, tmp_path):
    write(tmp_path / "games.jsonl", GAME)
    assert_refused(run("replay", "game.jsonl"), "no trace file game.jsonl", "Did you mean games.jsonl?")
    assert_refused(run("replay", "."), "is a folder")
    assert_refused(run("replay", "a\0b"), "a")
    (tmp_path / "empty.jsonl").write_text("\n")
    assert_refused(run("replay", "empty.jsonl"), "empty.jsonl is empty")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "line 2 is not JSON"),
        (b"\xff", "byte 1 is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 5000, "a number is too long"),
        (b"[]", "line 2: []; expected an object"),
        (b"{}", "line 2: no key 'format'"),
        (
            b'{"format": "clashsim-trace/2", "game": 1}',
            "format is 'clashsim-trace/2'; expected 'clashsim-trace/1'",
        ),
        (b'{"format": "clashsim-trace/1"}', "line 2: no key 'game'"),
        (b'{"format": "clashsim-trace/1", "game": "1"}', "line 2: game is '1'; expected a whole number"),
    ],
)
def test_bad_line_is_named(run, tmp_path, line, message):
    (tmp_path / "games.jsonl").write_bytes(json.dumps(GAME).encode() + b"\n" + line + b"\n")
    assert_refused(run("replay", "games.jsonl"), "games.jsonl", message)


def test_a_duel_that_is_called_a_solo_game_is_refused(run, tmp_path):
    file = write(tmp_path / "solo.jsonl", numbered(0, mode="solo"))
    assert_refused(run("replay", file), "game 0: no key 'solo'")


def first_step(do):
    return next(index for index, step in enumerate(GAME["steps"]) if step["do"] == do)


CAST, SUMMON, ATTACK = map(first_step, ("cast", "summon", "attack"))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["mode"], "dual", "mode is 'dual'; expected duel, solo. Did you mean duel?"),
        (["first"], True, "first is True; expected 0, 1"),
        (["seed"], 1.0, "seed is 1.0"),
        (["policies"], ["greedy"], "policies is ['greedy']; expected a list of 2"),
        (["decks", 0], "\x1b[2J", "printable"),
        (["rules", "self_breach"], "maybe", "rule self_breach is 'maybe'"),
        (["cards", "CARD 1", "cost"], 99, "cards['CARD 1']: cost is 99"),
        (["setup", "sides", 0, "hand", 0], "CARD", "setup: sides[0]: hand: card is 'CARD'"),
        (["setup", "sides", 0, "hand", 0], "CARD 1", "setup: sides[0]"),
        (
            ["setup", "sides", 0, "lanes", 0],
            [["CARD 1"]],
            "lanes[0]: creature is ['CARD 1']; expected a list of 2",
        ),
        (["steps"], [], "no steps"),
        (["steps", 0, "do"], "end_turn", "steps[0] (end_turn): expected a start_turn here"),
        (["steps", 0, "mana"], None, "steps[0] (start_turn): mana is None"),
        (["steps", SUMMON, "do"], "sumon", "Did you mean summon?"),
        (["steps", SUMMON, "card"], "TROLL", f"steps[{SUMMON}] (summon): card is 'TROLL'"),
        (["steps", SUMMON, "lane"], 2, "lane is 2; expected 0, 1"),
        (["steps", SUMMON, "state", "sides", 0, "lanes"], [[], []], "without cause"),
        (["steps", CAST, "target"], None, "(cast): target: None; expected an object"),
        (["steps", CAST, "target", "position"], 8, "position is 8"),
        (["steps", CAST, "destroyed"], [[0, "TROLL"]], "destroyed: creature is 'TROLL'"),
        (["steps", ATTACK, "position"], -1, "position is -1"),
        (["steps", ATTACK, "target"], "bastion", "target is 'bastion'; expected creature, fortress"),
        (["result", "winner"], "A", "result: winner is 'A'; expected 0, 1, null"),
        (["result", "reason"], "last_turn", "result: reason"),
        (["result", "turns"], 0, "turns is 0"),
    ],
)
def test_malformed_game_is_named(run, tmp_path, path, value, message):
    file = write(tmp_path / "games.jsonl", changed(GAME, path, value))
    assert_refused(run("replay", file), "games.jsonl: line 1, game 0: ", message)


def changed(record, path, value):
    record = deepcopy(record)
    *way, last = path
    spot = record
    for key in way:
        spot = spot[key]
    spot[last] = value
    return record


@pytest.mark.parametrize("key", [key for key in GAME if key not in ("format", "game")])
def test_missing_key_is_named(run, tmp_path, key):
    file = write(tmp_path / "games.jsonl", {name: value for name, value in GAME.items() if name != key})
    assert_refused(run("replay", file), f"game 0: no key '{key}'")


def test_further_keys_and_older_rules_are_fine(run, tmp_path):
    rules = {name: value for name, value in GAME["rules"].items() if name not in ("first_mana", "window")}
    assert run("replay", write(tmp_path / "more.jsonl", numbered(0, note="mine", rules=rules)))[0] == 0


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        ["BASTION", "FORT", "CARD 1", "CARD 2", "cast", "attack", "creature", "\ud800", 0, 1, 2]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)


def spots(value, way=()):
    """Every place in a JSON value, as the keys that lead there."""
    if way:
        yield way
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from spots(one, (*way, key))


SPOTS = list(spots({key: value for key, value in GAME.items() if key != "steps"}))
SPOTS += [("steps", *way) for way in spots(GAME["steps"][:25])]


@settings(max_examples=400)
@given(spot=st.sampled_from(SPOTS), value=JSON_VALUES)
def test_any_change_to_a_trace_is_drawn_or_refused_in_one_line(tmp_path_factory, spot, value):
    text = json.dumps(changed(GAME, spot, value))
    assert_drawn_or_refused(tmp_path_factory.getbasetemp() / "changed.jsonl", text.encode())


@given(
    content=st.binary(max_size=60) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_bytes_are_refused_in_one_line(tmp_path_factory, content):
    assert_drawn_or_refused(tmp_path_factory.getbasetemp() / "bytes.jsonl", content)


def assert_drawn_or_refused(path, content):
    path.write_bytes(content)
    drawing = message = ""
    try:
        drawing = "\n".join(line.plain for line in render(trace_files.read_trace(path)))
    except InputError as error:
        message = str(error)
    assert bool(drawing) is not bool(message)
    assert drawing.encode("utf-8").decode() == drawing
    assert drawing or str(path) in message
    assert len(message) < 1000


def test_formats_agree():
    assert trace_files.FORMAT == trace.FORMAT


def test_replay_imports_no_compiler(tmp_path):
    file = write(tmp_path / "game.jsonl", GAME)
    script = (
        f"import sys\nfrom clashsim.cli.main import main\ncode = main(['replay', {file!r}])\n"
        "sys.exit(' '.join({'numba', 'numpy', 'pandas'} & set(sys.modules)) or code)"
    )
    environment = {key: value for key, value in os.environ.items() if key != "FORCE_COLOR"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, timeout=60, check=False, env=environment
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout


# The message before compiling


@pytest.mark.parametrize(("cached", "lines"), [(True, 0), (False, 1)])
def test_compiling_is_announced_once_when_needed(capsys, monkeypatch, cached, lines):
    monkeypatch.setattr("clashsim.clash.core.jit.is_cached", lambda kernels=(): cached)
    compiling.announce_compiling()
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == lines
    assert ("Compiling the game core" in err) is not cached
