"""Solo games of the compiled core against the naive engine: every step and every state, and the referee's word."""

from dataclasses import replace

import pytest
from coregames import random_solo, replayed_solo
from corekit import KIT
from naive.policies import POLICIES as NAIVE_POLICIES
from naive.referee import check_trace

from clashsim.clash.drafting import DRAFTERS
from clashsim.clash.policies import POLICIES
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import PRICES, SoloSettings
from clashsim.clash.solos import Solo
from clashsim.clash.trace import Tracer


def check_game(solo, number):
    """Compare step by step, so that a failure shows the first step that differs; return the trace."""
    comp = Tracer(solo).game(number)
    ref = replayed_solo(solo, comp)
    for index, steps in enumerate(zip(ref["steps"], comp["steps"], strict=False)):
        assert steps[0] == steps[1], f"step {index}"
    assert len(ref["steps"]) == len(comp["steps"])
    assert (ref["setup"], ref["result"]) == (comp["setup"], comp["result"])
    check_trace(comp)
    return comp


def is_long(trace):
    """Whether a lane of the AI was longer than a lane of a duel can be."""
    return any(len(lane) > 8 for step in trace["steps"] for lane in step["state"]["sides"][1]["lanes"])


@pytest.mark.parametrize(
    "seeds",
    [
        range(30),
        pytest.param(range(30, 330), marks=pytest.mark.jit),
        pytest.param(range(1000, 5000), marks=[pytest.mark.jit, pytest.mark.slow]),
    ],
    ids=lambda seeds: f"{len(seeds)} games",
)
def test_random_cards_rules_settings_and_policies(seeds):
    traces = [check_game(random_solo(seed), number=seed % 7) for seed in seeds]
    if len(seeds) > 100:  # enough of them to come upon everything
        assert {trace["result"]["reason"] for trace in traces} == {"fort", "last_turn", "turn_limit"}
        assert any(step["do"] == "reshuffle" for trace in traces for step in trace["steps"])
        assert sum(map(is_long, traces)) >= 10


ONE_BY_ONE = [
    SoloSettings(),
    *(replace(SoloSettings(), **{name: value}) for name in PRICES for value in list(PRICES[name])[1:]),
]
"""The quick game, and each option changed in it by itself."""


@pytest.mark.jit
@pytest.mark.parametrize("settings", ONE_BY_ONE, ids=str)
@pytest.mark.parametrize("policy", NAIVE_POLICIES)
def test_the_four_decks_and_drafted_ones(settings, policy):
    for deck in (*KIT.decks.values(), *DRAFTERS.values()):
        for number in range(3):
            check_game(Solo(KIT, deck, POLICIES[policy], settings), number)


@pytest.mark.jit
@pytest.mark.parametrize("reading", ["resistance_reading=to_one", "ai_last_turn=current"])
def test_the_other_readings_change_games(reading):
    name, value = reading.split("=")
    settings = SoloSettings(bastion=False, resistance=True)
    for deck in KIT.decks.values():
        here, there = (
            Solo(KIT, deck, POLICIES["greedy"], settings, rules)
            for rules in (Rules(), Rules(**{name: value}))
        )
        traces = [(check_game(here, number), check_game(there, number)) for number in range(20)]
        assert any(one["steps"] != other["steps"] for one, other in traces)
