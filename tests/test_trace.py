"""Traces of the compiled core: the format to the letter, and the same games as the counted ones."""

import json

import pytest
from coregames import COMPILED, duel_of, random_duel
from corekit import KIT, creature
from naive.referee import check_trace

from clashsim.clash.cards import Deck
from clashsim.clash.core.events import LOG_ROOM
from clashsim.clash.duels import Duel
from clashsim.clash.policies import POLICIES
from clashsim.clash.rules import Rules
from clashsim.clash.trace import Tracer

KEYS = {
    "start_turn": {"do", "state", "turn", "side", "mana"},
    "summon": {"do", "state", "card", "lane"},
    "cast": {"do", "state", "card", "target", "destroyed"},
    "attack": {"do", "state", "card", "lane", "position", "target", "destroyed"},
    "end_turn": {"do", "state"},
}
ENDLESS = 1500 if COMPILED else 250  # turns: more events than one buffer holds


def idle_deck(name: str, free: int = 8) -> Deck:
    """Creatures that never hurt anybody: `free` of them cost nothing, the others are never played."""
    cost = [0] * free + [15] * (8 - free)
    return Deck(name, tuple(creature(f"{name}{slot}", cost=cost[slot]) for slot in range(8)))


def idle_duel(turns: int, free: tuple[int, int] = (8, 8)) -> Duel:
    decks = tuple(idle_deck(name, n) for name, n in zip("AB", free, strict=True))
    return Duel(decks, (POLICIES["greedy"],) * 2, Rules(turn_limit=turns, window=8))


def check_state(state):
    assert set(state) == {"sides"}
    assert len(state["sides"]) == 2
    for side in state["sides"]:
        assert set(side) == {"hand", "lanes"}
        assert len({"BASTION", "FORT"} & set(side["hand"])) == 1
        assert len(side["hand"]) + sum(map(len, side["lanes"])) == 9
        assert len(side["lanes"]) == 2
        for name, damage in side["lanes"][0] + side["lanes"][1]:
            assert isinstance(name, str)
            assert type(damage) is int


@pytest.mark.parametrize("policies", ["random greedy", "wild wild"])
def test_all_keys_are_there(policies):
    trace = Tracer(duel_of("1", "4", policies, seed=5)).game(3)
    assert {
        "format": "clashsim-trace/1",
        "mode": "duel",
        "first": 1,
        "policies": policies.split(),
        "seed": 5,
        "game": 3,
        "decks": ["1", "4"],
    }.items() <= trace.items()
    assert set(trace) >= {"rules", "cards", "setup", "steps", "result"}
    assert set(trace["result"]) == {"winner", "reason", "turns"}
    check_state(trace["setup"])
    for step in trace["steps"]:
        assert set(step) == KEYS[step["do"]]
        check_state(step["state"])
        if step["do"] == "cast":
            assert set(step["target"]) == {"side", "lane", "position"}
    assert {step["do"] for step in trace["steps"]} == set(KEYS)


def test_all_rules_are_there():
    rules = {
        "turn_limit": 9,
        "self_breach": "off",
        "ignored_uses_protection": "on",
        "protection_against": "attacks",
        "ai_last_turn": "next",
        "resistance_reading": "minus_one",
    }
    trace = Tracer(duel_of("1", "2", **{**rules, "window": 3})).game(0)
    assert rules.items() <= trace["rules"].items()
    assert trace["rules"]["window"] == 3
    assert trace["rules"]["first_mana"] == 6


def test_cards_have_their_printed_faces():
    cards = Tracer(duel_of("1", "3")).game(0)["cards"]
    assert set(cards) == {card.name for card in KIT.decks["1"].cards + KIT.decks["3"].cards}
    assert cards["TROLL"] == {
        "kind": "creature",
        "cost": 6,
        "attack": 3,
        "health": 6,
        "abilities": ["Rage", "Berserk"],
        "auras": [],
    }
    assert cards["METEORITE"]["health"] is None
    assert cards["METEORITE"]["abilities"] == ["Perforation"]
    assert cards["VORTEX"]["auras"] == ["Sprint"]


def test_lines_are_json_of_the_games():
    tracer = Tracer(duel_of("2", "3", "wild greedy"))
    lines = list(tracer.lines(4, 3))
    assert [json.loads(line) for line in lines] == [tracer.game(number) for number in (4, 5, 6)]
    assert all("\n" not in line for line in lines)


def test_names_of_all_alphabets_stay_themselves():
    names = ("BOOM!", "ΤΕΡΑΣ", "وحش", "POŠAST", 'THE "BIG" ONE', "Ő", "E\\F", "z")
    deck = Deck("δ", tuple(creature(name) for name in names))
    (line,) = Tracer(Duel((deck, deck), (POLICIES["wild"],) * 2, Rules(turn_limit=4))).lines(0, 1)
    assert "ΤΕΡΑΣ" in json.loads(line)["cards"]
    trace = json.loads(line)
    assert set(trace["cards"]) == set(names)
    check_trace(trace)


@pytest.mark.parametrize("seed", range(8))
def test_a_trace_is_the_counted_game(seed):
    duel = random_duel(seed)
    outcomes, _ = duel.outcomes(10, 4)
    for outcome, number in zip(outcomes, range(10, 14), strict=True):
        result = Tracer(duel).game(number)["result"]
        winner = -1 if result["winner"] is None else result["winner"]
        assert (winner, result["turns"]) == (outcome["winner"], outcome["turns"])


def test_tracing_changes_nothing():
    duel = duel_of("1", "2", "wild wild")
    before = duel.tally(0, 6)
    Tracer(duel).game(2)
    assert all((duel.tally(0, 6)[key] == values).all() for key, values in before.items())


def test_a_fort_that_falls_ends_the_trace_at_once():
    trace = Tracer(duel_of("1", "2", "greedy greedy")).game(0)
    assert trace["result"]["reason"] == "fort"
    assert trace["steps"][-1]["do"] == "attack"
    last_turn = [step["turn"] for step in trace["steps"] if step["do"] == "start_turn"][-1]
    assert trace["result"]["turns"] == last_turn


def test_the_turn_limit_ends_the_trace_with_the_end_of_the_turn():
    trace = Tracer(duel_of("1", "2", turn_limit=3)).game(0)
    assert trace["result"] == {"winner": None, "reason": "turn_limit", "turns": 3}
    assert trace["steps"][-1]["do"] == "end_turn"


# ---- games with more events than one buffer holds


def test_a_long_game_is_complete():
    trace = Tracer(idle_duel(ENDLESS)).game(0)
    assert len(trace["steps"]) > (2 if COMPILED else 1) * LOG_ROOM
    assert sum(step["do"] == "end_turn" for step in trace["steps"]) == ENDLESS
    assert trace["result"] == {"winner": None, "reason": "turn_limit", "turns": ENDLESS}
    check_trace(trace)


@pytest.mark.jit
def test_games_that_just_fill_the_buffer_are_complete():
    """Every game of a longer turn limit begins like that of a shorter one."""
    seen = set()
    for free in ((0, 0), (0, 1)):
        steps = Tracer(idle_duel(1200, free)).game(0)["steps"]
        for turns, length in enumerate(lengths_at_the_ends_of_turns(steps), start=1):
            events = length + 1  # the setup is one
            if abs(events - LOG_ROOM) <= 1:
                assert Tracer(idle_duel(turns, free)).game(0)["steps"] == steps[:length]
                seen.add(events)
    assert seen == {LOG_ROOM - 1, LOG_ROOM, LOG_ROOM + 1}


def lengths_at_the_ends_of_turns(steps):
    return [index for index, step in enumerate(steps, start=1) if step["do"] == "end_turn"]
