"""The policies of the compiled core in whole games: what they never do, and what they do at times."""

from collections import Counter

import pytest
from coregames import duel_of

from clashsim.clash.trace import Tracer


def steps_of(*policies, decks=("3", "4"), games=10, seed=1):
    """The steps of some games, each with the state before it."""
    tracer = Tracer(duel_of(*decks, " ".join(policies), seed=seed))
    for trace in map(tracer.game, range(games)):
        before = trace["setup"]
        side = None
        for step in trace["steps"]:
            side = step.get("side", side)
            yield trace, side, before, step
            before = step["state"]


def fortress_of(state, side):
    return state["sides"][side]["hand"]


def breaches(side, before, step):
    """Whether a summon breached the own fortress (R19)."""
    hand, after = fortress_of(before, side), fortress_of(step["state"], side)
    return step["do"] == "summon" and (("BASTION" in hand) != ("BASTION" in after) or after[-1] == "FORT")


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_the_yardsticks_never_breach_nor_cast_in_the_assault(policy):
    plays = Counter()
    for decks in (("1", "2"), ("3", "4")):
        attacked = False
        for _, side, before, step in steps_of(policy, policy, decks=decks):
            attacked = step["do"] == "attack" or (attacked and step["do"] != "start_turn")
            plays[step["do"]] += 1
            assert not breaches(side, before, step)
            assert not (step["do"] in ("cast", "summon") and attacked)
    assert min(plays[do] for do in ("cast", "summon", "attack")) > 10


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_the_yardsticks_return_target_behind_beside(policy):
    together = 0
    for _, _, before, step in steps_of(policy, policy, decks=("2", "4")):
        if len(step.get("destroyed", [])) > 1:
            together += 1
            owner = step["destroyed"][0][0]
            lanes = before["sides"][owner]["lanes"]
            lane = step["lane"] if step["do"] == "attack" else step["target"]["lane"]
            order = [name for name, _ in lanes[lane]] + [name for name, _ in lanes[1 - lane]]
            places = [order.index(name) for _, name in step["destroyed"]]
            assert places == sorted(places)
    assert together > 5


def test_wild_uses_every_freedom():
    seen = set()
    trail = ["end_turn"]
    for decks in (("1", "4"), ("2", "3")):
        for trace, side, before, step in steps_of("wild", "wild", decks=decks, games=24, seed=3):
            do = step["do"]
            trail = [do] if do == "start_turn" else [*trail, do]
            if do == "summon":
                seen.add(f"summon in lane {step['lane']}")
            if do == "cast":
                seen.add("cast at own" if step["target"]["side"] == side else "cast at enemy")
            if do == "cast" and "attack" in trail:
                seen.add("cast after an attack")
            if do == "attack" and trail[-2] == "cast" and "attack" in trail[:-1]:
                seen.add("cast between attacks")
            if do == "end_turn" and not {"summon", "cast"} & set(trail):
                seen.add("nothing played")
            if breaches(side, before, step):
                seen.add("own Fort" if step is trace["steps"][-1] else "own Bastion")
            if len(step.get("destroyed", [])) == 2:
                seen.add("two destroyed")
    assert seen >= {
        "summon in lane 0",
        "summon in lane 1",
        "cast at own",
        "cast at enemy",
        "cast after an attack",
        "cast between attacks",
        "nothing played",
        "own Bastion",
        "own Fort",
        "two destroyed",
    }


def test_random_stops_early_at_times_and_plays_several_cards_at_others():
    runs = Counter()
    trail = []
    for _, _, _, step in steps_of("random", "random"):
        trail = [] if step["do"] == "start_turn" else [*trail, step["do"]]
        if step["do"] == "end_turn":
            runs[sum(do in ("summon", "cast") for do in trail)] += 1
    assert {0, 1, 2} <= set(runs)


@pytest.mark.jit
def test_greedy_beats_random_clearly():
    results = duel_of("2", "2", "greedy random").tally(0, 2000)["results"].sum(axis=0)
    assert results[0] > 0.7 * results.sum()
