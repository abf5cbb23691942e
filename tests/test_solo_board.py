"""The drawing of a traced solo game: what the AI reveals, its deck and discard pile, its last turn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.generate import numbered_solo_trace, solo_trace_of
from naive.solo import AI, Solo
from naive.solo_game import SoloRecorder
from test_board import CARDS, FIELDS, drawn, told

FACES = {**CARDS, "GIANT": ("creature", 9, 5, 5, [], []), "TOWER": ("creature", 9, 0, 9, [], [])}
FILLERS = [f"FILLER{number}" for number in range(8)]


def record(hand, deck, turns, solo=None, faces=FACES, **rules):
    """A trace of the given moves; in the AI's turns its reveals come by themselves, its attacks are named.

    Per turn "summon CARD lane, cast CARD side lane position, attack CARD".
    """
    rules = {"window": 8, "turn_limit": len(turns), **rules}
    cards = {name: dict(zip(FIELDS, values, strict=True)) for name, values in faces.items()}
    hand = hand.split() + FILLERS[: 8 - len(hand.split())]
    game = Solo(cards, rules, solo or {}, hand, deck.split())
    recorder = SoloRecorder(game, lambda discard: discard[::-1])
    for turn in turns:
        recorder.start_turn()
        while game.active == AI and game.must_reveal:
            recorder.reveal(given_order)
        for words in filter(None, turn.split(", ")):
            move(recorder, *words.split())
        if game.loser is None:
            recorder.end_turn()
    return solo_trace_of(cards, rules, solo or {}, "greedy", recorder.finish())


def given_order(_owner, destroyed):
    return destroyed


def move(recorder, do, name, *place):
    sides, place = recorder.duel.sides, [int(number) for number in place]
    if do == "summon":
        recorder.summon(name, place[0])
    elif do == "cast":
        side, lane, position = place
        recorder.cast(name, sides[side].lanes[lane][position], given_order)
    else:
        lanes = sides[recorder.duel.active].lanes
        attacker = next(one for lane in lanes for one in lane if one.name == name)
        recorder.attack(attacker, given_order)


def test_whole_drawing():
    turns = ["summon RAM 0, summon GHOST 1", "", "attack RAM, attack GHOST", ""]
    trace = record("RAM GHOST", "BULL ZAP WALL", turns, {"fixed": 7, "ability": "Splash"})
    assert drawn(trace) == [
        "Solo game 0, seed 0",
        "Player deck A, played by greedy, takes the first turn",
        "AI all other cards, mana 7 + 1 per creature, splash",
        "Rules: window=8, turn_limit=4",
        "",
        "Board: NAME attack/health, fronts at the bridge. Hand: NAME cost, [in reach].",
        "What lies on top of the AI's deck is told here only: it is face down.",
        "",
        "AI  deck of 3 cards on its <BASTION>, on top BULL 2",
        "   == upper lane ================ bridge == lower lane ========================",
        "Player  [<BASTION>, RAM 0, GHOST 0, FILLER0 0, FILLER1 0, FILLER2 0, FILLER3 0,",
        "   FILLER4 0, FILLER5 0]",
        "",
        "Turn 1, Player (greedy): 6 mana",
        "  summons RAM (0) to the upper lane",
        "  summons GHOST (0) to the lower lane",
        "  6 mana unspent",
        "",
        "AI  deck of 3 cards on its <BASTION>, on top BULL 2",
        "   == upper lane ================ bridge == lower lane ========================",
        "   RAM 8/1                               GHOST 1/2",
        "Player  [<BASTION>, FILLER0 0, FILLER1 0, FILLER2 0, FILLER3 0, FILLER4 0,",
        "   FILLER5 0]",
        "",
        "Turn 2, AI: 9 mana",
        "  The AI reveals BULL (2) for the upper lane",
        "  The AI reveals ZAP (1) on GHOST (lower lane, front): unharmed",
        "  The AI reveals WALL (0) for the upper lane: its own Bastion falls",
        "  The AI shuffles its discard pile: a new deck of 1 card",
        "  The AI reveals ZAP (1) on GHOST (lower lane, front): unharmed; the Fort is",
        "    uncovered, the AI's next turn is its last",
        "  5 mana unspent",
        "",
        "AI  no card on its <FORT>",
        "   discard pile of 1, the newest last: ZAP",
        "   WALL 0/9",
        "   BULL 3/3",
        "   == upper lane ================ bridge == lower lane ========================",
        "   RAM 8/1                               GHOST 1/2",
        "Player  [<BASTION>, FILLER0 0, FILLER1 0, FILLER2 0, FILLER3 0, FILLER4 0,",
        "   FILLER5 0]",
        "",
        "Turn 3, Player (greedy): 7 mana",
        "  RAM attacks BULL (upper lane): 8 damage, destroyed",
        "  GHOST hits the Fort for 1: no card is left to lose",
        "  7 mana unspent",
        "",
        "AI  no card on its <FORT>",
        "   discard pile of 2, the newest last: ZAP, BULL",
        "   WALL 0/9",
        "   == upper lane ================ bridge == lower lane ========================",
        "   RAM 8/1                               GHOST 1/2",
        "Player  [<BASTION>, FILLER0 0, FILLER1 0, FILLER2 0, FILLER3 0, FILLER4 0,",
        "   FILLER5 0]",
        "",
        "Turn 4, AI: 9 mana, its last turn",
        "  9 mana unspent",
        "",
        "AI  no card on its <FORT>",
        "   discard pile of 2, the newest last: ZAP, BULL",
        "   WALL 0/9",
        "   == upper lane ================ bridge == lower lane ========================",
        "   RAM 8/1                               GHOST 1/2",
        "Player  [<BASTION>, FILLER0 0, FILLER1 0, FILLER2 0, FILLER3 0, FILLER4 0,",
        "   FILLER5 0]",
        "",
        "Player wins: it has survived the AI's last turn, after 4 turns.",
    ]


@pytest.mark.parametrize(
    ("deck", "expected"),
    [
        pytest.param(
            "GIANT WALL",
            ["The AI reveals GIANT (9) for the upper lane", "2 mana more than it had"],
            id="overshoot",
        ),
        pytest.param(
            "WALL ZAP GIANT RAT",
            [
                "The AI reveals WALL (0) for the upper lane",
                "The AI reveals ZAP, which finds no creature and costs nothing",
                "The AI reveals GIANT (9) for the upper lane",
                "2 mana more than it had",
            ],
            id="no target",
        ),
        pytest.param(
            "STORM GIANT RAT",
            [
                "The AI reveals STORM (2) on RAM (upper lane, front): 1 damage, destroyed",
                "The AI reveals GIANT (9) for the lower lane",
                "4 mana more than it had",
            ],
            id="incantation",
        ),
    ],
)
def test_the_ai_reveals(deck, expected):
    assert told(record("RAM", deck, ["summon RAM 0", ""]), 2) == expected


@pytest.mark.parametrize(
    ("solo", "expected"),
    [
        (
            {},
            "RAM hits the deck for 8: RAT, WALL, SHELL, GHOST, BULL, LANCE, ZAP, STORM discarded, 1 card left",
        ),
        (
            {"resistance": True},
            "RAM hits the deck for 8: RAT, WALL, SHELL, GHOST, BULL, LANCE, ZAP discarded, 2 cards left",
        ),
    ],
)
def test_cards_that_an_attack_discards(solo, expected):
    trace = record(
        "RAM",
        "GIANT RAT WALL SHELL GHOST BULL LANCE ZAP STORM TOWER",
        ["summon RAM 1", "", "attack RAM"],
        solo,
    )
    assert told(trace, 3)[0] == expected


def test_an_attack_that_resistance_takes():
    deck = "GIANT WALL TOWER"
    trace = record("RAT", deck, ["summon RAT 1", "", "attack RAT"], {"resistance": True})
    assert told(trace, 3)[0] == "RAT hits the deck for 1: no card lost, 2 cards left"


@pytest.mark.parametrize(
    ("solo", "expected"),
    [
        (
            {},
            [
                "RAM hits the deck for 8: WALL discarded, the deck is empty; the Bastion falls",
                "The AI shuffles its discard pile: a new deck of 1 card",
            ],
        ),
        (
            {"bastion": False},
            [
                "RAM hits the deck for 8: WALL discarded, the deck is empty; the Fort is uncovered, the AI's next turn "
                "is its last"
            ],
        ),
    ],
)
def test_the_last_card_of_a_deck(solo, expected):
    trace = record("RAM", "GIANT WALL", ["summon RAM 1", "", "attack RAM"], solo)
    assert told(trace, 3)[: len(expected)] == expected


def test_the_last_turn_may_be_the_running_one():
    trace = record("RAT", "WALL", ["summon RAT 0", ""], {"bastion": False}, ai_last_turn="current")
    assert told(trace, 2)[0] == (
        "The AI reveals WALL (0) for the upper lane: the Fort is uncovered, the AI's turn is its last"
    )
    assert drawn(trace)[-1] == "Player wins: it has survived the AI's last turn, after 2 turns."


def test_other_ends():
    trace = record("RAT", "GIANT WALL TOWER", [""])
    assert drawn(trace)[-1] == "Draw: nobody has won in 1 turn, the turn limit."
    moves = ["", "", "", "attack GIANT", "", "attack GIANT", "", "attack GIANT", "", "attack GIANT"]
    trace = record("", "GIANT TOWER WALL LANCE SHELL", moves, {"fixed": 6})
    assert trace["result"]["winner"] == AI
    assert drawn(trace)[-1] == f"AI wins: Player's Fort fell, after {trace['result']['turns']} turns."


def test_a_creature_far_back_in_a_long_lane_has_its_place():
    cheap = [f"C{number}" for number in range(24)]
    with_cheap = {**FACES, **{name: ("creature", 0, 0, 9, [], []) for name in cheap}}
    cast = "cast ZAP 1 0 11"
    trace = record("ZAP", " ".join([*cheap, "GIANT"]), ["", "", cast], faces=with_cheap)
    assert told(trace, 3)[0] == "casts ZAP (1) on C22 (upper lane, 12th): 2 damage, 7 health left"


@given(st.integers(0, 2**20))
def test_every_game_can_be_drawn(seed):
    trace = numbered_solo_trace(seed)
    lines = drawn(trace)
    assert max(map(len, lines)) <= 80
    assert all(line == line.rstrip() for line in lines)
    turns = trace["result"]["turns"]
    assert sum(line.startswith("Turn ") for line in lines) == turns
    assert sum(line.startswith("   == upper lane") for line in lines) == turns + 1
    reveals = sum(line.startswith("  The AI reveals ") for line in lines)
    assert reveals == len(revealed(trace))


def revealed(trace):
    """The cards that the AI plays, one by one."""
    side, cards = None, []
    for step in trace["steps"]:
        side = step["side"] if step["do"] == "start_turn" else side
        if side == AI and step["do"] in ("summon", "cast"):
            cards.append(step["card"])
    return cards
