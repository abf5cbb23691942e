"""The commands `play`, `trace` and `replay` with solo games."""

import json
from pathlib import Path

import pytest
from corekit import KIT
from naive.referee import check_trace as check_by_the_rules

from clashsim.clash.card_checks import DeckSizeError
from clashsim.clash.drafting import load_solo_deck
from clashsim.clash.policies import POLICIES
from clashsim.cli import compiling
from clashsim.cli.main import main

PLAY = ("play", "--solo", "--policy", "greedy")
TRACE = ("trace", "--solo", "--policy", "greedy")
NAMES = ["ASSASSIN", "GNOME", "GRRR", "PARTISAN", "REPTILE", "SHAMAN", "VORTEX", "ZOMBIE", "TROLL", "OGRE"]


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run the program in an empty folder; return its exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("clashsim.clash.core.jit.is_cached", lambda kernels=(): True)
    monkeypatch.setattr("clashsim.clash.core.jit.unit_is_cached", lambda name, solo=False: True)

    def run(*arguments):
        code = main(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def assert_refused(result, *messages):
    assert result[:2] == (2, "")
    assert result[2].startswith("clashsim: error: ")
    assert result[2].count("\n") == 1
    for message in messages:
        assert message in result[2]


def test_trace_writes_games_that_replay_shows(run):
    options = ("--deck", "1", "--fixed", "8", "--ability", "splash")
    assert run(*TRACE, *options, "--games", "20", "--out", "solo.jsonl")[:2] == (0, "")
    lines = Path("solo.jsonl").read_text(encoding="utf-8").splitlines()
    traces = [json.loads(line) for line in lines]
    assert [trace["game"] for trace in traces] == list(range(20))
    for trace in traces:
        assert (trace["solo"]["fixed"], trace["solo"]["ability"]) == (8, "Splash")
        check_by_the_rules(trace)
    code, out, err = run("replay", "solo.jsonl", "--game", "7", "--decks", "1,ai")
    assert (code, err) == (0, "")
    assert out.startswith("Solo game 7, seed 1\n")
    assert "AI all other cards, mana 8 + 1 per creature, splash" in out
    assert run(*PLAY, *options, "--game", "7") == (0, out, "")


def test_trace_to_standard_output_from_a_game_on(run):
    code, out, err = run(*TRACE, "--deck", "2", "--first-game", "5", "--games", "2", "--seed", "3")
    assert (code, err) == (0, "")
    assert [(trace["game"], trace["seed"]) for trace in map(json.loads, out.splitlines())] == [(5, 3), (6, 3)]


def test_every_option_is_a_setting(run):
    options = "--variable 2 --fixed 9 --first ai --no-bastion --resistance --ability rage --rule ai_last_turn=current"
    code, out, _ = run(*TRACE, "--deck", "draft:random", *options.split())
    assert code == 0
    trace = json.loads(out)
    assert trace["solo"] == {
        "variable": 2,
        "fixed": 9,
        "first": "ai",
        "bastion": False,
        "resistance": True,
        "ability": "Rage",
    }
    assert trace["rules"]["ai_last_turn"] == "current"
    assert trace["decks"] == ["draft:random", "ai"]


def test_without_options_it_is_the_quick_game(run):
    quick = run(*TRACE, "--deck", "3")
    options = "--preset quick --variable 1 --fixed 6 --first player --bastion --no-resistance --ability none"
    assert run(*TRACE, "--deck", "3", *options.split()) == quick


def test_play_shows_a_game_and_writes_its_trace(run):
    code, out, err = run(*PLAY, "--deck", "draft", "--trace", "one.jsonl")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == [
        "Solo game 0, seed 1",
        "Player deck draft:dearest, played by greedy, takes the first turn",
    ]
    assert max(map(len, lines)) <= 80
    assert lines[-1].startswith(("Player wins", "AI wins", "Draw"))
    assert run("replay", "one.jsonl") == (0, out, "")
    assert_refused(run(*PLAY, "--deck", "draft", "--trace", "one.jsonl"), "one.jsonl exists", "--yes")


def test_decks_and_cards_of_the_user(run):
    Path("mine.toml").write_text(f"cards = {json.dumps(NAMES[:8])}\n", encoding="utf-8")
    code, out, _ = run(*PLAY, "--deck", "mine.toml", "--cards", "starter-kit-community")
    assert code == 0
    assert "Player deck mine, played by greedy" in out


def test_games_that_stop_are_kept(run):
    Path("bad.py").write_text("def choose(view):\n    return 7\n", encoding="utf-8")
    code, out, err = run("trace", "--solo", "--deck", "1", "--policy", "bad.py", "--out", "solo.jsonl")
    assert (code, out) == (1, "")
    assert (
        "policy bad.py:choose: illegal action in solo game 0 of deck 1 (seed 1), turn 1, summon phase" in err
    )
    assert not Path("solo.jsonl").exists()
    assert "Stopped in turn 1" in run("replay", "stopped-game-0.jsonl")[1]


def test_the_search_for_a_game_tells_solo_games_apart(run):
    run(*TRACE, "--deck", "1", "--out", "one.jsonl")
    run(*TRACE, "--deck", "2", "--out", "two.jsonl")
    both = Path("one.jsonl").read_text("utf-8") + Path("two.jsonl").read_text("utf-8")
    Path("both.jsonl").write_text(both, encoding="utf-8")
    assert_refused(run("replay", "both.jsonl"), "2 games", "(1 against ai)", "(2 against ai)", "--game N")
    assert_refused(
        run("replay", "both.jsonl", "--game", "0"),
        "1 against ai (greedy against the AI), 2 against ai (greedy against the AI); choose one with --decks",
    )
    assert run("replay", "both.jsonl", "--decks", "2,ai")[0] == 0


@pytest.mark.parametrize("command", ["play", "trace"])
@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        ("--solo", ["Missing option '--deck'"]),
        ("--solo --deck 1 --decks 1,2", ["--decks and --solo are given", "--decks is for duels"]),
        ("--solo --deck 1 --vs-policy greedy", ["--vs-policy and --solo are given"]),
        ("--deck 1", ["--deck is for solo games; expected --solo as well"]),
        ("--decks 1,2 --no-bastion", ["--bastion is for solo games"]),
        ("--decks 1,2 --fixed 8", ["--fixed is for solo games"]),
        ("--decks 1,2 --preset quick", ["--preset is for solo games"]),
        ("--decks 1,2 --rule ai_last_turn=current", ["ai_last_turn is for solo games only"]),
        ("--solo --deck 5", ["unknown deck '5'"]),
        ("--solo --deck 1,2", ["unknown deck '1,2'"]),
        ("--solo --deck draft:best", ["unknown drafter 'best'"]),
        ("--solo --deck none.toml", ["no deck file none.toml"]),
        ("--solo --deck 1 --fixed 11", ["fixed", "11", "10"]),
        ("--solo --deck 1 --variable two", ["--variable is 'two'"]),
        ("--solo --deck 1 --ability rgae", ["ability is 'rgae'", "Did you mean rage?"]),
        ("--solo --deck 1 --first me", ["first is 'me'; expected player or ai"]),
        ("--solo --deck 1 --preset quik", ["unknown preset 'quik'", "Did you mean quick?"]),
        ("--solo --deck 1 --rule ai_last_turn=nxt", ["Did you mean next?"]),
        ("--solo --deck 1 --policy gredy", ["Did you mean greedy?"]),
    ],
)
def test_wrong_conditions_are_refused(run, command, arguments, messages):
    assert_refused(run(command, *arguments.split()), *messages)


@pytest.mark.parametrize("option", [("--where", "turns>3"), ("--run", "folder"), ("--limit", "3")])
def test_searches_are_for_duels(run, option):
    assert_refused(run("trace", "--solo", "--deck", "1", *option), f"{option[0]} and --solo are given")


def test_ten_cards_are_no_deck_for_solo_games(run):
    Path("ten.toml").write_text(f"cards = {json.dumps(NAMES)}\n", encoding="utf-8")
    message = "ten.toml: 10 cards; expected exactly 8 distinct ones"
    rule = "solo games have no constructed format (R39)"
    assert_refused(run("play", "--solo", "--deck", "ten.toml"), message, rule)
    duel = run("play", "--decks", "1,ten.toml")
    assert_refused(duel, message)
    assert "R39" not in duel[2]


@pytest.mark.parametrize(("size", "names_rule"), [(10, True), (9, False), (7, False)])
def test_the_rule_is_named_for_a_constructed_deck_only(size, names_rule):
    with pytest.raises(DeckSizeError) as caught:
        load_solo_deck(NAMES[:size], KIT)
    assert caught.value.size == size
    assert ("R39" in str(caught.value)) == names_rule


@pytest.mark.parametrize("solo", [True, False])
def test_the_wait_for_the_compiler_is_announced(capsys, monkeypatch, solo):
    duels = ("duel.play_games",)
    monkeypatch.setattr("clashsim.clash.core.jit.is_cached", lambda kernels=duels: tuple(kernels) == duels)
    compiling.announce_compiling([POLICIES["greedy"]], solo, stepwise=True)
    assert capsys.readouterr().err.startswith("Compiling the game core") == solo


def test_games_step_by_step_wait_for_their_kernel_only(monkeypatch):
    asked = []
    monkeypatch.setattr("clashsim.clash.core.jit.is_cached", lambda kernels: asked.append(kernels) or True)
    for name in ("greedy", "tactician"):
        for stepwise in (False, True):
            compiling.announce_compiling([POLICIES[name]], solo=True, stepwise=stepwise)
    short, long = ["solo.play_most_with_short_lanes"], ["solo.play_solo_games"]
    assert asked == [short, long, long, long]
