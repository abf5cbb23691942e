"""The drawing of a traced duel: the steps in words, the board, the hands."""

import io
import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.game import Recorder
from naive.generate import random_trace, trace_of
from naive.rules import Duel
from rich.console import Console

from clashsim.clash.board import render
from clashsim.clash.trace_checks import check_trace

FIELDS = ("kind", "cost", "attack", "health", "abilities", "auras")
CARDS = {
    "RAT": ("creature", 0, 1, 1, [], []),
    "WALL": ("creature", 0, 0, 9, [], []),
    "SHELL": ("creature", 0, 0, 3, ["Protection"], []),
    "GHOST": ("creature", 0, 1, 2, ["Indestructible"], []),
    "BULL": ("creature", 2, 3, 3, ["Sprint", "Berserk"], []),
    "LANCE": ("creature", 1, 2, 2, ["Perforation", "Splash"], []),
    "RAM": ("creature", 0, 8, 1, [], []),
    "ZAP": ("incantation", 1, 2, None, [], []),
    "STORM": ("incantation", 2, 1, None, ["Splash"], []),
    **{f"FILLER{i}": ("creature", 0, 0, 1, [], []) for i in range(8)},
}


def record(hands, turns, **rules):
    """A trace of the given moves: per turn "summon CARD lane, cast CARD side lane position, attack CARD"."""
    rules = {"window": 8, "turn_limit": len(turns), **rules}
    cards = {name: dict(zip(FIELDS, values, strict=True)) for name, values in CARDS.items()}
    full = [hand.split() + [f"FILLER{i}" for i in range(8 - len(hand.split()))] for hand in hands]
    recorder = Recorder(Duel(cards, rules, full, first=0))
    for turn in turns:
        recorder.start_turn()
        for words in filter(None, turn.split(", ")):
            move(recorder, *words.split())
        if recorder.duel.loser is None:
            recorder.end_turn()
    return trace_of(cards, rules, 0, ["greedy", "random"], recorder.finish())


def move(recorder, do, name, *place):
    sides, place = recorder.duel.sides, [int(number) for number in place]
    if do == "summon":
        recorder.summon(name, place[0])
    elif do == "cast":
        side, lane, position = place
        recorder.cast(name, sides[side].lanes[lane][position], lambda _owner, destroyed: destroyed)
    else:
        lanes = sides[recorder.duel.active].lanes
        attacker = next(one for lane in lanes for one in lane if one.name == name)
        recorder.attack(attacker, lambda _owner, destroyed: destroyed)


def drawn(trace, width=80):
    check_trace(trace, "trace")
    return [line.plain for line in render(trace, width)]


def told(trace, turn):
    """What is told of a turn: its lines up to the board."""
    lines = drawn(trace, width=200)
    start = next(i for i, line in enumerate(lines) if line.startswith(f"Turn {turn},"))
    return [line.strip() for line in lines[start + 1 : lines.index("", start)]]


def test_whole_drawing():
    trace = record(("BULL RAT", "WALL ZAP"), ["summon RAT 1, summon BULL 1", "summon WALL 0, cast ZAP 0 1 0"])
    assert drawn(trace) == [
        "Game 0, seed 0",
        "A deck A, played by greedy, takes the first turn",
        "B deck B, played by random",
        "Rules: window=8, turn_limit=2",
        "",
        "Board: NAME attack/health, fronts at the bridge. Hands: NAME cost, [in reach].",
        "",
        "B  [<BASTION>, WALL 0, ZAP 1, FILLER0 0, FILLER1 0, FILLER2 0, FILLER3 0,",
        "   FILLER4 0, FILLER5 0]",
        "   == upper lane ================ bridge == lower lane ========================",
        "A  [<BASTION>, BULL 2, RAT 0, FILLER0 0, FILLER1 0, FILLER2 0, FILLER3 0,",
        "   FILLER4 0, FILLER5 0]",
        "",
        "Turn 1, A (greedy): 6 mana",
        "  summons RAT (0) to the lower lane",
        "  summons BULL (2) to the lower lane",
        "  4 mana unspent",
        "",
        "B  [<BASTION>, WALL 0, ZAP 1, FILLER0 0, FILLER1 0, FILLER2 0, FILLER3 0,",
        "   FILLER4 0, FILLER5 0]",
        "   == upper lane ================ bridge == lower lane ========================",
        "                                         RAT 1/1",
        "                                         BULL 3/3",
        "A  [<BASTION>, FILLER0 0, FILLER1 0, FILLER2 0, FILLER3 0, FILLER4 0, FILLER5 0]",
        "",
        "Turn 2, B (random): 9 mana",
        "  summons WALL (0) to the upper lane",
        "  casts ZAP (1) on RAT (lower lane, front): 2 damage, destroyed",
        "  8 mana unspent",
        "",
        "B  [<BASTION>, FILLER0 0, FILLER1 0, FILLER2 0, FILLER3 0, FILLER4 0, FILLER5 0,",
        "   ZAP 1]",
        "   WALL 0/9",
        "   == upper lane ================ bridge == lower lane ========================",
        "                                         BULL 3/3",
        "A  [<BASTION>, FILLER0 0, FILLER1 0, FILLER2 0, FILLER3 0, FILLER4 0, FILLER5 0,",
        "   RAT 0]",
        "",
        "Draw: no Fort has fallen in 2 turns, the turn limit.",
    ]


@pytest.mark.parametrize(
    ("opening", "turn", "expected"),
    [
        pytest.param(
            "WALL 0", "attack RAM", ["RAM attacks WALL (upper lane): 8 damage, 1 health left"], id="harm"
        ),
        pytest.param(
            "SHELL 0", "attack RAM", ["RAM attacks SHELL (upper lane): unharmed (Protection)"], id="absorbed"
        ),
        pytest.param("RAT 0", "attack RAM", ["RAM attacks RAT (upper lane): 8 damage, destroyed"], id="kill"),
        pytest.param("RAT 1", "attack RAM", ["RAM hits the Bastion for 8: the Bastion falls"], id="bastion"),
        pytest.param(
            "WALL 0",
            "attack LANCE",
            ["LANCE hits the Bastion for 2: 5 cards left to its right"],
            id="fortress",
        ),
        pytest.param(
            "GHOST 0",
            "cast ZAP 1 0 0",
            ["casts ZAP (1) on GHOST (upper lane, front): unharmed"],
            id="ignored",
        ),
        pytest.param(
            "WALL 0",
            "cast ZAP 0 1 1",
            ["casts ZAP (1) on its own BULL (lower lane, second): 2 damage, 1 health left"],
            id="own target",
        ),
        pytest.param(
            "WALL 1, summon RAT 1, summon GHOST 0",
            "attack LANCE",
            [
                "LANCE attacks WALL (lower lane): 2 damage, 7 health left; "
                "GHOST 2 damage, destroyed; RAT 2 damage, destroyed"
            ],
            id="splash and perforation",
        ),
        pytest.param(
            "RAT 1, summon WALL 1",
            "attack BULL, attack BULL",
            [
                "BULL sprints to the front (attack 4) and attacks RAT (lower lane): 4 damage, destroyed",
                "BULL attacks WALL (lower lane): 4 damage, 5 health left",
            ],
            id="sprint and berserk",
        ),
    ],
)
def test_steps_in_words(opening, turn, expected):
    hands = ("RAM LANCE BULL ZAP STORM", "WALL SHELL RAT GHOST")
    first = "summon RAM 0, summon LANCE 1, summon BULL 1"
    *steps, end = told(record(hands, [first, f"summon {opening}", turn]), 3)
    assert steps == expected
    assert end == ("5 mana unspent" if "ZAP" in turn else "6 mana unspent")


def test_sprint_bonus_is_gone_in_the_next_turn_of_the_creature():
    turns = ["summon RAT 0, summon BULL 0", "summon WALL 0", "attack BULL", "", "attack BULL"]
    trace = record(("RAT BULL", "WALL"), turns)
    assert told(trace, 3)[0].startswith("BULL sprints to the front (attack 4) and attacks WALL")
    assert told(trace, 5)[0] == "BULL attacks WALL (upper lane): 3 damage, 6 health left"


def test_fall_of_the_fort_ends_the_drawing():
    trace = record(("RAM", ""), ["summon RAM 0", "", "attack RAM", "", "attack RAM"])
    assert told(trace, 3)[0] == "RAM hits the Bastion for 8: the Bastion falls"
    assert told(trace, 5) == ["RAM hits the Fort for 8: the Fort falls"]
    assert drawn(trace)[-1] == "A wins: B's Fort fell, after 5 turns."


def test_own_breach_is_told():
    # Two damage leave two cards left of the Bastion; playing the six to its right uncovers it (R19).
    uncovering = ", ".join(f"summon FILLER{i} 0" for i in range(6))
    trace = record(("RAT WALL", "LANCE"), ["", "summon LANCE 0", "", "attack LANCE", uncovering])
    assert told(trace, 5)[-2] == "summons FILLER5 (0) to the upper lane: its own Bastion falls"


def test_damage_is_on_the_board_when_a_turn_breaks_off():
    turns = ["summon RAM 0, summon LANCE 1", "summon WALL 1", "attack RAM", "", "attack RAM"]
    trace = record(("RAM LANCE", "WALL"), turns)
    trace["steps"][-1]["state"]["sides"][1]["lanes"][1][0][1] = 2
    assert any(line.strip() == "WALL 0/9 (2 damage)" for line in drawn(trace))


@pytest.mark.parametrize(
    ("hand", "window", "expected"),
    [
        ("<BASTION> A B C", 2, "[<BASTION>, A 0, B 0] C 0"),
        ("A B <FORT> C", 2, "[A 0, B 0] <FORT>, C 0"),
        ("A <FORT> B C", 2, "[A 0, <FORT>, B 0] C 0"),
        ("A <FORT>", 4, "[A 0] <FORT>"),
        ("<FORT>", 4, "<FORT>"),
    ],
)
def test_window_is_marked(hand, window, expected):
    trace = record(("", ""), [""], window=window)
    trace["cards"] |= {name: dict(zip(FIELDS, CARDS["RAT"], strict=True)) | {"cost": 0} for name in "ABC"}
    trace["setup"]["sides"][0]["hand"] = [word.strip("<>") for word in hand.split()]
    assert f"A  {expected}" in drawn(trace)


def test_long_names_are_cut_to_the_board_and_keep_their_values():
    text = json.dumps(record(("RAT", ""), ["summon RAT 0"]))
    lines = drawn(json.loads(text.replace("RAT", "N" * 40)), width=60)
    assert any(line.startswith("   NNNN") and line.endswith("N 1/1") for line in lines)
    assert max(map(len, lines)) <= 60


def test_sides_have_their_colours_on_a_terminal():
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", no_color=False)
    for line in render(record(("RAT", "WALL"), ["summon RAT 0", "summon WALL 0"])):
        console.print(line, soft_wrap=True)
    text = console.file.getvalue()
    assert "\x1b[1;38;2;0;114;178mRAT" in text
    assert "\x1b[1;38;2;213;94;0mWALL" in text


@given(
    seed=st.integers(0, 2**32),
    policies=st.lists(st.sampled_from(["random", "greedy", "wild"]), min_size=2, max_size=2),
)
def test_every_game_can_be_drawn(seed, policies):
    trace = random_trace(Random(seed), policies)
    lines = drawn(trace)
    assert max(map(len, lines)) <= 80
    assert all(line == line.rstrip() for line in lines)
    assert sum(line.startswith("Turn ") for line in lines) == trace["result"]["turns"]
    assert sum(line.startswith("   == upper lane") for line in lines) == trace["result"]["turns"] + 1
    summons = sum(step["do"] == "summon" for step in trace["steps"])
    assert sum(line.startswith("  summons ") for line in lines) == summons
