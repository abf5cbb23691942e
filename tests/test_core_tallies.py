"""Tallies of duels: whatever the chunks they add up to the same, and they count what the traces show."""

from collections import Counter

import numpy as np
import pytest
from coregames import duel_of, random_duel
from hypothesis import given, settings
from hypothesis import strategies as st

from clashsim.clash.core.state import DECK_SIZE
from clashsim.clash.duels import Duel
from clashsim.clash.trace import Tracer

SEEDS = st.integers(0, 200)
FEW = settings(max_examples=15)


def merged(tallies):
    return {key: sum(tally[key] for tally in tallies) for key in tallies[0]}


def assert_equal(one, other):
    assert one.keys() == other.keys()
    for key in one:
        np.testing.assert_array_equal(one[key], other[key], err_msg=key)


@FEW
@given(SEEDS, st.lists(st.integers(0, 5), min_size=1, max_size=5), st.integers(0, 9))
def test_chunks_add_up_to_the_whole(seed, sizes, first):
    duel = random_duel(seed)
    starts = [first + sum(sizes[:index]) for index in range(len(sizes))]
    parts = [duel.tally(start, size) for start, size in zip(starts, sizes, strict=True)]
    assert_equal(merged(parts), duel.tally(first, sum(sizes)))


@FEW
@given(SEEDS, st.integers(0, 9))
def test_a_tally_is_whole_numbers_that_add_up(seed, pairs):
    duel = random_duel(seed)
    tally = duel.tally(0, 2 * pairs)
    lengths = duel.rules.turn_limit + 1
    shapes = {
        "results": (2, 3),
        "turns": (2, lengths),
        "bastion_falls": (2, lengths),
        "turns_ended": (2,),
        "unspent_mana": (2,),
        "plays": (2, DECK_SIZE),
    }
    assert {key: values.shape for key, values in tally.items() if key in shapes} == shapes
    assert all(values.dtype == np.int64 and (values >= 0).all() for values in tally.values())
    assert tally["results"].sum(axis=1).tolist() == [pairs, pairs]  # half of the games per starter
    assert tally["turns"].sum(axis=1).tolist() == [pairs, pairs]
    assert tally["bastion_falls"].sum(axis=1).tolist() == [2 * pairs, 2 * pairs]
    # Every turn but the last one of a decided game is played to its end.
    turns = (tally["turns"] * np.arange(lengths)).sum()
    decided = tally["results"][:, [0, 2]].sum()
    assert tally["turns_ended"].sum() == turns - decided


def counted(duel: Duel, numbers: range) -> dict[str, np.ndarray]:
    """The tally of some games, counted from their traces."""
    lengths = duel.rules.turn_limit + 1
    tally = {
        "results": np.zeros((2, 3), int),
        "turns": np.zeros((2, lengths), int),
        "bastion_falls": np.zeros((2, lengths), int),
        "turns_ended": np.zeros(2, int),
        "unspent_mana": np.zeros(2, int),
        "plays": np.zeros((2, DECK_SIZE), int),
    }
    for trace in map(Tracer(duel).game, numbers):
        count_game(duel, trace, tally)
    return tally


def count_game(duel, trace, tally):
    slots = [{card.name: slot for slot, card in enumerate(deck.cards)} for deck in duel.decks]
    result = {0: 0, None: 1, 1: 2}[trace["result"]["winner"]]
    tally["results"][trace["first"], result] += 1
    tally["turns"][trace["first"], trace["result"]["turns"]] += 1
    fell = {}
    for step in trace["steps"]:
        if step["do"] == "start_turn":
            turn, side, mana = step["turn"], step["side"], step["mana"]
        elif step["do"] in ("summon", "cast"):
            mana -= trace["cards"][step["card"]]["cost"]
            tally["plays"][side, slots[side][step["card"]]] += 1
        elif step["do"] == "end_turn":
            tally["turns_ended"][side] += 1
            tally["unspent_mana"][side] += mana
        for owner in (0, 1):
            if "FORT" in step["state"]["sides"][owner]["hand"]:
                fell.setdefault(owner, turn)
    for owner in (0, 1):
        tally["bastion_falls"][owner, fell.get(owner, 0)] += 1


@FEW
@given(SEEDS)
def test_a_tally_counts_what_the_traces_show(seed):
    duel = random_duel(seed)
    tally = duel.tally(3, 6)
    for key, expected in counted(duel, range(3, 9)).items():
        np.testing.assert_array_equal(tally[key], expected, err_msg=key)


@pytest.mark.parametrize("first", [0, 1])
def test_side_0_starts_the_even_games(first):
    starters = [Tracer(duel_of("1", "3")).game(number)["steps"][0]["side"] for number in range(first, 6, 2)]
    assert set(starters) == {first}
    assert duel_of("1", "3").tally(first, 1)["results"].sum(axis=1).tolist() == [1 - first, first]


@pytest.mark.jit
@pytest.mark.parametrize("policy", ["random", "greedy", "wild"])
@pytest.mark.parametrize("deck", ["1", "2", "3", "4"])
def test_mirrors_are_even(deck, policy):
    """Same deck, same policy: which side is called 0 must not matter."""
    results = duel_of(deck, deck, f"{policy} {policy}").tally(0, 20_000)["results"]
    wins, losses = results[:, 0].sum(), results[:, 2].sum()
    assert abs(wins - losses) < 4 * np.sqrt(wins + losses)
    started, answered = results[0, 0] + results[1, 2], results[0, 2] + results[1, 0]
    assert started + answered == wins + losses


@pytest.mark.jit
def test_swapped_sides_give_the_same_strength():
    """A against B and B against A are different games of the same odds."""
    there = duel_of("1", "4", "greedy random").tally(0, 20_000)["results"]
    back = duel_of("4", "1", "random greedy").tally(0, 20_000)["results"]
    for starter in (0, 1):
        share = there[starter] / there[starter].sum()
        back_share = back[1 - starter][::-1] / back[1 - starter].sum()
        np.testing.assert_allclose(share, back_share, atol=4 * np.sqrt(0.5 / 10_000))


def test_no_games_make_an_empty_tally():
    tally = duel_of("1", "2").tally(0, 0)
    assert Counter(int(values.sum()) for values in tally.values()) == {0: len(tally)}
