"""Records that are no traces of solo games are refused, with the place in them that is wrong."""

import json
from copy import deepcopy
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.generate import numbered_solo_trace, random_solo_trace

from clashsim.clash.board import render
from clashsim.clash.trace_checks import check_trace
from clashsim.errors import InputError


def with_everything() -> dict:
    """A game in which the AI reveals both kinds of cards, loses cards to an attack, and shuffles."""
    for seed in range(500):
        trace = random_solo_trace(seed, "wild")
        turns = [None]
        for step in trace["steps"]:
            turns.append(step["side"] if step["do"] == "start_turn" else turns[-1])
        done = {(step["do"], side) for step, side in zip(trace["steps"], turns[1:], strict=True)}
        hits = any(step["do"] == "attack" and step["target"] == "fortress" for step in trace["steps"])
        if {("summon", 1), ("cast", 1), ("reshuffle", 0)} <= done and hits and trace["solo"]["ability"]:
            return trace
    raise AssertionError("no such game")


TRACE = with_everything()


def index_of(do, side=None):
    """The first step of a kind, in a side's turn."""
    active = None
    for index, step in enumerate(TRACE["steps"]):
        active = step["side"] if step["do"] == "start_turn" else active
        if step["do"] == do and side in (None, active):
            return index
    raise AssertionError(f"no {do}")


REVEAL, CAST, SHUFFLE = index_of("summon", 1), index_of("cast", 1), index_of("reshuffle")


def change(path, value):
    """The trace with another value at a path."""
    trace = deepcopy(TRACE)
    spot = trace
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    return trace


def without(path):
    trace = deepcopy(TRACE)
    spot = trace
    for key in path[:-1]:
        spot = spot[key]
    del spot[path[-1]]
    return trace


def test_the_trace_itself_is_one():
    check_trace(TRACE, "trace")


@given(st.integers(0, 400))
def test_games_of_the_plain_engine_are_traces(seed):
    check_trace(numbered_solo_trace(seed), "trace")


@pytest.mark.parametrize(
    ("trace", "message"),
    [
        (without(["solo"]), "no key 'solo'"),
        (without(["solo", "ability"]), "solo: no key 'ability'"),
        (change(["solo", "ability"], "Sprint"), "solo: ability is 'Sprint'; expected null, Splash"),
        (change(["solo", "fixed"], 11), "solo: fixed is 11; expected 6, 7, 8, 9, 10"),
        (change(["solo", "bastion"], 1), "solo: bastion is 1; expected True, False"),
        (change(["first"], 1 - TRACE["first"]), "first is .*; expected by the solo settings"),
        (change(["policies", 1], "greedy"), r"policies\[1\] is 'greedy'; expected the AI has none: null"),
        (change(["policies", 0], None), "policies"),
        (change(["mode"], "duo"), "mode is 'duo'; expected duel, solo"),
        (change(["setup", "sides", 1, "fortress"], "CASTLE"), "fortress is 'CASTLE'; expected BASTION, FORT"),
        (without(["setup", "sides", 1, "discard"]), "no key 'discard'"),
        (change(["setup", "sides", 1, "deck"], {}), "deck is {}; expected a list"),
        (change(["setup", "sides", 1, "deck", 0], "NOBODY"), "deck: card is 'NOBODY'"),
        (change(["setup", "sides", 1, "discard"], TRACE["setup"]["sides"][1]["deck"][:1]), "is there twice"),
        (change(["setup", "sides", 1, "discard"], TRACE["setup"]["sides"][0]["hand"][1:2]), "is there twice"),
        (
            change(["steps", REVEAL, "card"], TRACE["setup"]["sides"][0]["hand"][1]),
            "creature on top of the deck",
        ),
        (change(["steps", CAST, "card"], "x"), "incantation on top of the deck"),
        (
            change(["steps", CAST, "target"], {"side": 1, "lane": 0, "position": 0}),
            "target: side is 1; expected 0",
        ),
        (change(["steps", SHUFFLE, "deck"], []), "expected the step's deck, the cards of the discard pile"),
        (change(["steps", SHUFFLE, "deck"], 5), "deck is 5; expected a list"),
        (
            change(["steps", SHUFFLE - 1, "state", "sides", 1, "fortress"], "BASTION"),
            "empty deck on the FORT",
        ),
        (change(["steps", 0, "state", "sides", 1, "deck"], []), "deck: its cards came or went without cause"),
        (change(["result", "reason"], "won"), "reason is 'won'"),
        (change(["result"], {"winner": 0, "reason": "fort", "turns": 3}), "expected last_turn"),
        (change(["result"], {"winner": 1, "reason": "last_turn", "turns": 3}), "expected fort"),
    ],
)
def test_what_is_wrong_is_named(trace, message):
    with pytest.raises(InputError, match=message):
        check_trace(json.loads(json.dumps(trace)), "trace")


def test_a_duel_has_no_reshuffle():
    duel = change(["mode"], "duel")
    duel["policies"][1] = "greedy"
    with pytest.raises(InputError, match="no key 'hand'"):
        check_trace(duel, "trace")


def refusal(trace) -> str | None:
    """What is said against a trace, if anything."""
    try:
        check_trace(trace, "trace")
    except InputError as error:
        return str(error)
    return None


@given(st.integers(0, 2**32))
def test_whatever_is_changed_is_refused_in_words_or_can_be_drawn(seed):
    """A value anywhere in the record becomes another one."""
    rng = Random(seed)
    trace = deepcopy(TRACE)
    spot, key = {"trace": trace}, "trace"
    while isinstance(spot[key], dict | list) and spot[key] and (spot[key] is trace or rng.random() < 0.95):
        spot = spot[key]
        key = rng.choice(list(spot) if isinstance(spot, dict) else range(len(spot)))
    spot[key] = rng.choice([None, -1, 0, 3, 10**30, "", "OGRE", [], {}, [[]], True, 1.5])
    reason = refusal(trace)
    if reason is None:
        assert list(render({"game": 0, **trace}))
    else:
        assert reason.startswith("trace: ")
