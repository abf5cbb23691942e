"""The random numbers: known values, uniformity, independence, and what a game's numbers depend on."""

from dataclasses import replace

import numpy as np
import pytest
from coregames import duel_of, subkey, with_card
from corekit import KIT
from scipy import stats

from clashsim.clash.core import duel as core_duel
from clashsim.clash.core import rng
from clashsim.clash.core.events import new_log
from clashsim.clash.core.lists import PLACES
from clashsim.clash.core.state import DECK_SIZE, FIRST_CARD, new_state
from clashsim.clash.trace import Tracer

UNLIKELY = 1e-4  # a p-value below it fails; the seeds are fixed, so a test fails always or never


@pytest.fixture(autouse=True)
def _wrapping_is_meant():
    with np.errstate(over="ignore"):
        yield


def draws(key: np.uint64, n: int, size: int) -> np.ndarray:
    return np.array([rng.uniform(key, decision, n) for decision in range(size)])


def keys(size: int, seed: int = 1) -> list[np.uint64]:
    key = rng.condition_key(seed, "test")
    return [subkey(key, number) for number in range(size)]


def hands(duel, games) -> np.ndarray:
    """The slots of both hands from left to right: shape (games, 2, 8)."""
    state, log = new_state(), new_log()
    found = np.empty((len(games), 2, DECK_SIZE), np.int64)
    for row, game in zip(found, games, strict=True):
        core_duel.set_up(state[0], duel.match[0], log[0], game)
        for side, first in enumerate(FIRST_CARD):
            cards = int(state[0].sides[side].hand).to_bytes(PLACES, "little")
            row[side] = np.array(list(cards)) - first
    return found


def p_independent(xs, ys) -> float:
    table = np.zeros((DECK_SIZE, DECK_SIZE))
    np.add.at(table, (np.array(xs), np.array(ys)), 1)
    return stats.chi2_contingency(table).pvalue


# ---- the generator


@pytest.mark.parametrize(
    ("seed", "outputs"),
    [
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423]),
    ],
)
def test_subkeys_are_the_published_outputs_of_splitmix64(seed, outputs):
    assert [int(subkey(np.uint64(seed), number)) for number in range(3)] == outputs


@pytest.mark.parametrize("n", range(2, 58))
def test_uniform_is_uniform(n):
    counts = np.bincount(draws(rng.condition_key(n, "uniform"), n, 100 * n), minlength=n)
    assert counts.size == n
    assert stats.chisquare(counts).pvalue > UNLIKELY


def test_uniform_over_many_keys():
    counts = np.bincount([rng.uniform(key, 0, 8) for key in keys(4000)], minlength=8)
    assert stats.chisquare(counts).pvalue > UNLIKELY


def test_successive_decisions_keys_and_levels_are_independent():
    found = keys(3000)
    first = [rng.uniform(key, 0, 8) for key in found]
    assert p_independent(first, [rng.uniform(key, 1, 8) for key in found]) > UNLIKELY
    assert p_independent(first[:-1], first[1:]) > UNLIKELY
    assert p_independent(first, [rng.uniform(subkey(key, 0), 0, 8) for key in found]) > UNLIKELY


def test_roles_and_turns_have_streams_of_their_own():
    sides = [[subkey(key, side) for key in keys(3000)] for side in (0, 1)]
    turns = [[rng.uniform(subkey(stream, turn), 0, 8) for stream in sides[0]] for turn in (0, 1, 2)]
    other_side = [rng.uniform(subkey(stream, 1), 0, 8) for stream in sides[1]]
    assert p_independent(turns[1], turns[2]) > UNLIKELY
    assert p_independent(turns[0], turns[1]) > UNLIKELY
    assert p_independent(turns[1], other_side) > UNLIKELY


def test_condition_keys_tell_seeds_and_groups_apart():
    pairs = [(seed, group) for seed in (-1, 0, 1, 11) for group in ("", "1", "1 2", "2 1")]
    found = {int(rng.condition_key(*pair)) for pair in pairs}
    assert len(found) == len(pairs)
    assert rng.condition_key(1, "a") == rng.condition_key(1, "a")


# ---- shuffles


@pytest.fixture(scope="module")
def mirror_hands():
    with np.errstate(over="ignore"):
        return hands(duel_of("1", "1"), range(3000))


@pytest.mark.parametrize("side", [0, 1])
def test_every_slot_is_equally_often_at_every_place(mirror_hands, side):
    own = mirror_hands[:, side]
    assert (np.sort(own, axis=1) == np.arange(DECK_SIZE)).all()
    counts = np.array([np.bincount(own[:, place], minlength=DECK_SIZE) for place in range(DECK_SIZE)])
    expected = len(own) / DECK_SIZE
    statistic = ((counts - expected) ** 2 / expected).sum()
    assert stats.chi2(df=(DECK_SIZE - 1) ** 2).sf(statistic) > UNLIKELY


def test_pairs_of_neighbouring_slots_are_equally_likely(mirror_hands):
    pairs = (mirror_hands[:, 0, 0] * DECK_SIZE + mirror_hands[:, 0, 1]).astype(int)
    counts = np.bincount(pairs, minlength=DECK_SIZE**2).reshape(DECK_SIZE, DECK_SIZE)
    assert np.trace(counts) == 0
    assert stats.chisquare(counts[~np.eye(DECK_SIZE, dtype=bool)]).pvalue > UNLIKELY


def test_sides_and_games_have_no_equal_hands_beyond_chance(mirror_hands):
    one, other = mirror_hands[:, 0], mirror_hands[:, 1]
    assert (one == other).all(axis=1).sum() <= 1  # expected: 3000 / 40320
    assert (one[1:] == one[:-1]).all(axis=1).sum() <= 1
    assert p_independent(one[:, 0], other[:, 0]) > UNLIKELY
    assert p_independent(one[1:, 0], one[:-1, 0]) > UNLIKELY


# ---- what a game's numbers depend on


def test_a_changed_cost_changes_no_shuffle():
    base = duel_of("1", "2")
    variant = with_card(base, side=0, slot=4, card=replace(base.decks[0].cards[4], cost=9))
    np.testing.assert_array_equal(hands(base, range(50)), hands(variant, range(50)))


def test_a_replaced_card_keeps_its_slot_within_the_group():
    base = duel_of("1", "2", group="base")
    variant = with_card(base, side=1, slot=3, card=KIT["ZOMBIE"])
    np.testing.assert_array_equal(hands(base, range(50)), hands(variant, range(50)))


@pytest.mark.parametrize("settings", [{"seed": 2}, {"group": "other"}])
def test_another_seed_or_group_shuffles_otherwise(settings):
    base, other = hands(duel_of("1", "2"), range(50)), hands(duel_of("1", "2", **settings), range(50))
    assert (base == other).all(axis=2).sum() <= 1  # of 100; chance: 1 in 40320 each


def test_policies_and_rules_change_no_shuffle():
    base = hands(duel_of("1", "2"), range(50))
    other = hands(duel_of("1", "2", "greedy wild", window=3, turn_limit=9), range(50))
    np.testing.assert_array_equal(base, other)


def test_a_policy_draws_the_same_numbers_against_any_opponent():
    """Up to the first thing that the opponent does, a player's game does not depend on who the opponent is."""
    for number in range(0, 20, 2):
        first_turns = []
        for opponent in ("random", "greedy", "wild"):
            steps = Tracer(duel_of("3", "4", f"random {opponent}")).game(number)["steps"]
            end = next(index for index, step in enumerate(steps) if step["do"] == "end_turn")
            first_turns.append(steps[: end + 1])
        assert first_turns[0] == first_turns[1] == first_turns[2]


@pytest.mark.jit
def test_a_late_game_is_played_alone_as_among_others():
    duel = duel_of("2", "3", "random greedy")
    among_others, _ = duel.outcomes(0, 200)
    alone, _ = duel.outcomes(100, 100)
    np.testing.assert_array_equal(among_others[100:], alone)
    far = 2**40 + 1
    np.testing.assert_array_equal(duel.outcomes(far, 3)[0][2:], duel.outcomes(far + 2, 1)[0])
