"""Traces of solo games: the format to the letter, and the same games as the counted ones."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import pytest
from coregames import COMPILED, random_solo
from corekit import KIT, creature
from naive.referee import check_trace as check_by_the_rules

from clashsim.clash.cards import CardSet, Deck
from clashsim.clash.drafting import DRAFTERS
from clashsim.clash.policies import POLICIES
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import PRICES, SoloSettings
from clashsim.clash.solos import Solo
from clashsim.clash.trace import Tracer
from clashsim.clash.trace_checks import check_trace

KEYS = {
    "start_turn": {"do", "state", "turn", "side", "mana"},
    "summon": {"do", "state", "card", "lane"},
    "cast": {"do", "state", "card", "target", "destroyed"},
    "attack": {"do", "state", "card", "lane", "position", "target", "destroyed"},
    "reshuffle": {"do", "state", "deck"},
    "end_turn": {"do", "state"},
}
RULES = {
    "turn_limit",
    "self_breach",
    "ignored_uses_protection",
    "protection_against",
    "ai_last_turn",
    "resistance_reading",
    "first_mana",
    "window",
}
SETTINGS = [replace(SoloSettings(), **{name: value}) for name in PRICES for value in PRICES[name]]


def solo_of(deck="1", policy="greedy", settings=None, **rules):
    chosen = DRAFTERS[deck] if deck in DRAFTERS else KIT.decks[deck]
    return Solo(KIT, chosen, POLICIES[policy], settings or SoloSettings(), Rules(**rules))


def check_state(state, cards):
    """Every key, and every card of the kit in one place."""
    assert set(state) == {"sides"}
    player, ai = state["sides"]
    assert set(player) == {"hand", "lanes"}
    assert set(ai) == {"deck", "discard", "fortress", "lanes"}
    assert ai["fortress"] in ("BASTION", "FORT")
    creatures = [entry for side in (player, ai) for lane in side["lanes"] for entry in lane]
    assert all(type(damage) is int and damage >= 0 for _, damage in creatures)
    held = [name for name in player["hand"] if name not in ("BASTION", "FORT")]
    assert len(player["hand"]) == len(held) + 1
    names = held + ai["deck"] + ai["discard"] + [name for name, _ in creatures]
    assert sorted(names) == sorted(cards)
    assert len(held) + sum(map(len, player["lanes"])) == 8


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_all_keys_are_there(settings):
    solo = Solo(KIT, KIT.decks["3"], POLICIES["random"], settings, seed=5)
    trace = Tracer(solo).game(4)
    assert {
        "format": "clashsim-trace/1",
        "mode": "solo",
        "solo": {
            "variable": settings.variable,
            "fixed": settings.fixed,
            "first": settings.first,
            "bastion": settings.bastion,
            "resistance": settings.resistance,
            "ability": None if settings.ability == "none" else settings.ability.capitalize(),
        },
        "first": ["player", "ai"].index(settings.first),
        "policies": ["random", None],
        "seed": 5,
        "game": 4,
        "decks": ["3", "ai"],
    }.items() <= trace.items()
    assert set(trace["rules"]) == RULES
    assert set(trace["result"]) == {"winner", "reason", "turns"}
    check_state(trace["setup"], trace["cards"])
    for step in trace["steps"]:
        assert set(step) == KEYS[step["do"]]
        check_state(step["state"], trace["cards"])
        if step["do"] == "cast" and step["target"]:
            assert set(step["target"]) == {"side", "lane", "position"}
    check_trace(trace, "trace")
    check_by_the_rules(trace)


def test_every_kind_of_step_and_end_occurs():
    conditions = [
        solo_of(deck, settings=SoloSettings(bastion=bastion)) for deck in "1234" for bastion in (True, False)
    ]
    traces = [Tracer(solo).game(game) for solo in conditions for game in range(25 if COMPILED else 4)]
    steps = [step for trace in traces for step in trace["steps"]]
    assert {step["do"] for step in steps} == set(KEYS)
    assert any(step["do"] == "cast" and step["target"] is None for step in steps)
    assert {(trace["result"]["reason"], trace["result"]["winner"]) for trace in traces} == {
        ("fort", 1),
        ("last_turn", 0),
    }


def test_cards_are_those_of_the_kit_as_printed():
    cards = Tracer(solo_of(settings=SoloSettings(ability="splash"))).game(0)["cards"]
    assert set(cards) == {card.name for card in KIT.cards}
    for card in KIT.cards:
        assert cards[card.name]["abilities"] == list(card.abilities)


@pytest.mark.parametrize("points", ["-1", "1"])
def test_prices_are_no_rules_of_a_game(points):
    assert "no_bastion_points" not in Tracer(solo_of(no_bastion_points=points)).game(0)["rules"]


def test_rules_that_differ_are_told():
    rules = {"ai_last_turn": "current", "resistance_reading": "to_one", "window": 3}
    assert rules.items() <= Tracer(solo_of(**rules)).game(0)["rules"].items()


@pytest.mark.parametrize("seed", range(8))
def test_a_trace_is_the_counted_game(seed):
    solo = random_solo(seed)
    outcomes, _ = solo.outcomes(10, 3)
    for outcome, number in zip(outcomes, range(10, 13), strict=True):
        trace = Tracer(solo).game(number)
        winner = -1 if trace["result"]["winner"] is None else trace["result"]["winner"]
        assert (winner, trace["result"]["turns"]) == (outcome["winner"], outcome["turns"])
        ai = trace["steps"][-1]["state"]["sides"][1]
        assert len(ai["deck"]) == outcome["deck_left"]


def test_tracing_changes_nothing():
    solo = solo_of("2")
    before = solo.tally(0, 6)
    Tracer(solo).game(2)
    assert all((solo.tally(0, 6)[key] == values).all() for key, values in before.items())


def test_lines_are_json_of_the_games():
    tracer = Tracer(solo_of("dearest"))
    assert [json.loads(line) for line in tracer.lines(4, 3)] == [tracer.game(number) for number in (4, 5, 6)]


def test_the_turn_limit_ends_the_trace_with_the_end_of_the_turn():
    trace = Tracer(solo_of(turn_limit=3)).game(0)
    assert trace["result"] == {"winner": None, "reason": "turn_limit", "turns": 3}
    assert trace["steps"][-1]["do"] == "end_turn"


@pytest.mark.parametrize("drafter", DRAFTERS)
def test_a_drafted_deck_differs_from_game_to_game(drafter):
    tracer = Tracer(solo_of(drafter))
    traces = [tracer.game(number) for number in range(5)]
    hands = {frozenset(trace["setup"]["sides"][0]["hand"]) for trace in traces}
    assert len(hands) > 1
    for trace in traces:
        assert trace["decks"] == [f"draft:{drafter}", "ai"]
        check_state(trace["setup"], trace["cards"])
        check_trace(trace, "trace")


# ---- the AI's deck


def test_a_deck_is_reshuffled_once_and_right_after_it_has_run_out():
    reshuffles = 0
    for game in range(30 if COMPILED else 5):
        trace = Tracer(solo_of("2", settings=SoloSettings(fixed=10))).game(game)
        told = 0
        for before, step in pairwise(trace["steps"]):
            was, now = before["state"]["sides"][1], step["state"]["sides"][1]
            if step["do"] == "reshuffle":
                told += 1
                assert (was["deck"], was["fortress"], now["discard"]) == ([], "FORT", [])
                assert sorted(was["discard"]) == sorted(now["deck"]) == sorted(step["deck"])
            elif was["fortress"] == "BASTION" and now["fortress"] == "FORT":
                assert now["deck"] == []
        assert told <= 1
        reshuffles += told
    assert reshuffles > 0


def test_attacks_on_the_player_reshuffle_nothing():
    hits = 0
    for game in range(10 if COMPILED else 3):
        trace = Tracer(solo_of(policy="random")).game(game)
        for step, after in pairwise(trace["steps"]):
            if step["do"] == "attack" and step["target"] == "fortress" and step["state"]["sides"][1]["deck"]:
                hits += 1
                assert after["do"] != "reshuffle"
    assert hits > 0


def test_lanes_of_the_ai_grow_beyond_those_of_a_duel():
    """Harmless creatures of cost 1 keep coming, and nobody falls."""
    cards = tuple(creature(f"C{number}", cost=1, health=9) for number in range(39))
    kit = CardSet("cheap", cards)
    solo = Solo(kit, Deck("own", cards[:8]), POLICIES["greedy"], SoloSettings(fixed=10))
    trace = Tracer(solo).game(0)
    lengths = [len(lane) for step in trace["steps"] for lane in step["state"]["sides"][1]["lanes"]]
    assert max(lengths) == 16  # 31 cards, by turns
    for step in trace["steps"]:
        check_state(step["state"], trace["cards"])
    check_trace(trace, "trace")
    check_by_the_rules(trace)
    assert trace["result"]["reason"] == "last_turn"  # the AI has revealed all


# ---- without the compiler


@pytest.mark.jit
@pytest.mark.parametrize(
    "policy", ["random", "greedy", "wild", pytest.param("tactician", marks=pytest.mark.slow)]
)
def test_without_the_compiler_the_same_games_are_played(policy):
    """Lists that are wide are Python's numbers there."""
    code = (
        "import json, sys; from test_solo_trace import solo_of; from clashsim.clash.solo_settings import SoloSettings\n"
        "settings = SoloSettings(first='ai', ability='splash', resistance=True)\n"
        "tally = solo_of('3', sys.argv[1], settings).tally(0, int(sys.argv[2]))\n"
        "print(json.dumps({name: values.tolist() for name, values in tally.items()}))"
    )
    games = 1 if policy == "tactician" else 4
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, policy, str(games)]
    slow = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    settings = SoloSettings(first="ai", ability="splash", resistance=True)
    tally = solo_of("3", policy, settings).tally(0, games)
    assert json.loads(slow.stdout) == {name: values.tolist() for name, values in tally.items()}
