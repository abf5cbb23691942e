"""The naive reference policies, and whole games between them."""

from itertools import pairwise
from random import Random as PythonRandom

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.game import play
from naive.generate import random_trace
from naive.policies import Cast, Greedy, Random, Summon, Wild, casts, summons
from naive.positions import creature, names, position
from naive.referee import check_trace
from naive.rules import Creature


def test_order_of_the_options():
    duel = position(("a BASTION OGRE BOLT b x", ""), (("c", "d"), ("", "WALL y")))
    assert summons(duel, breaching=True) == [
        Summon(name, lane) for name in ("a", "OGRE", "b") for lane in (0, 1)
    ]
    assert [(cast.name, cast.target.name) for cast in casts(duel)] == [
        ("BOLT", name) for name in ("c", "d", "WALL", "y")
    ]


def test_self_breaching_plays_can_be_left_out():
    duel = position(("a b BASTION c", ""))
    assert Summon("c", 0) in summons(duel, breaching=True)
    assert summons(duel, breaching=False) == [Summon(name, lane) for name in "ab" for lane in (0, 1)]


def test_wild_can_breach_its_own_fortress():
    duel = position(("a b BASTION c", ""))
    assert Wild().act(duel, "summon", lambda n: n - 2) == Summon("c", 1)
    assert Random().act(duel, "summon", lambda n: n - 2) == Summon("b", 1)


def test_greedy_casts_what_destroys_most():
    duel = position(("BASTION a BOLT b", ""), (("TROLL", ""), ("WALL ELF", "ELF ORC")))
    action = Greedy().act(duel, "summon", pick=None)
    assert isinstance(action, Cast)
    assert (action.name, action.target.name) == ("BOLT", "ORC")


def test_greedy_casts_nothing_for_nothing():
    duel = position(("BASTION BOLT a", ""), (("", ""), ("x", "")))
    assert Greedy().act(duel, "summon", pick=None) == Summon("a", 0)


@pytest.mark.parametrize(("enemy", "lane"), [(("OGRE", "ABERRATION"), 0), (("", "OGRE"), 1), (("", ""), 0)])
def test_greedy_summons_the_dearest_where_the_enemy_is_ahead(enemy, lane):
    duel = position(("BASTION a ABERRATION b", ""), (("", ""), enemy))
    assert Greedy().act(duel, "summon", pick=None) == Summon("ABERRATION", lane)


def test_wild_draws_the_order_of_return():
    asked = []

    def last(n: int) -> int:
        asked.append(n)
        return n - 1

    assert names(Wild().order([Creature(name, 0) for name in "abc"], last)) == ["c", "b", "a"]
    assert [n for n in asked if n > 1] == [3, 2]


def test_draws_are_numbered_per_side_and_turn():
    asked = []

    def draw(side: int, turn: int, decision: int, n: int) -> int:
        asked.append((side, turn, decision))
        assert n >= 2
        return 0

    cards = {f"c{i}": creature(cost=1, health=2) for i in range(8)}
    play(cards, {"turn_limit": 3, "first_mana": 3}, [list(cards)] * 2, 1, ["random", "random"], draw)
    plays = {(1, 1): 3, (0, 2): 7, (1, 3): 4}
    assert asked == [(side, turn, i) for (side, turn), count in plays.items() for i in range(count)]


def test_wild_casts_in_the_assault():
    pairs = set()
    for seed in range(10):
        steps = random_trace(PythonRandom(seed), ["wild", "wild"])["steps"]
        pairs |= {(one["do"], other["do"]) for one, other in pairwise(steps)}
    assert {("attack", "cast"), ("cast", "attack"), ("cast", "end_turn")} <= pairs


@given(st.integers(0, 2**32), st.lists(st.sampled_from(["random", "greedy", "wild"]), min_size=2, max_size=2))
@settings(max_examples=40, deadline=None)
def test_referee_accepts_played_games(seed, policies):
    trace = random_trace(PythonRandom(seed), policies)
    check_trace(trace)
    assert trace["result"]["turns"] <= trace["rules"]["turn_limit"]
