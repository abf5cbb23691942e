"""The compiled core against the naive engine: every step and every state of whole games, and the referee's word."""

from itertools import product

import pytest
from coregames import duel_of, random_duel, replayed
from naive.policies import POLICIES
from naive.referee import check_trace

from clashsim.clash.trace import Tracer

PAIRS = [f"{one} {other}" for one, other in product(POLICIES, repeat=2)]


def check_game(duel, number):
    """Compare step by step, so that a failure shows the first step that differs."""
    comp = Tracer(duel).game(number)
    ref = replayed(duel, comp)
    for index, steps in enumerate(zip(ref["steps"], comp["steps"], strict=False)):
        assert steps[0] == steps[1], f"step {index}"
    assert len(ref["steps"]) == len(comp["steps"])
    assert (ref["setup"], ref["result"]) == (comp["setup"], comp["result"])
    check_trace(comp)


@pytest.mark.parametrize(
    "seeds",
    [
        range(30),
        pytest.param(range(30, 230), marks=pytest.mark.jit),
        pytest.param(range(1000, 5000), marks=[pytest.mark.jit, pytest.mark.slow]),
    ],
    ids=lambda seeds: f"{len(seeds)} games",
)
def test_random_cards_rules_and_policies(seeds):
    for seed in seeds:
        check_game(random_duel(seed), number=seed % 7)


@pytest.mark.jit
@pytest.mark.parametrize("policies", PAIRS)
def test_the_four_decks(policies):
    for one, other in product("1234", repeat=2):
        check_game(duel_of(one, other, policies), number=int(one) + int(other))


@pytest.mark.parametrize("policies", ["random greedy", "greedy wild"])
def test_two_of_the_decks(policies):
    check_game(duel_of("2", "4", policies), number=1)


def test_random_duels_cover_every_rule_switch_and_pair_of_policies():
    duels = [random_duel(seed) for seed in range(230)]
    assert {" ".join(policy.name for policy in duel.policies) for duel in duels} == set(PAIRS)
    for switch in ("self_breach", "ignored_uses_protection", "protection_against"):
        assert len({duel.rules.as_dict()[switch] for duel in duels}) == 2
    assert {duel.rules.window for duel in duels} == set(range(1, 9))
    assert len({duel.rules.first_mana for duel in duels}) > 8
    assert len({duel.rules.turn_limit for duel in duels}) > 30
