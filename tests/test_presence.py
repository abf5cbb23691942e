"""What having something is worth, against games drawn from a known truth."""

import numpy as np
import pytest

from clashsim.analysis.presence import difference_of_values, synergy_of, value_of

THINGS, HAND = 12, 4


def drawn(worth, pair_worth=0.0, games=4000, seed=1, draws=0.1):
    """Games of sides that are dealt four of twelve things each; who has what decides the score, things 0 and 1 together
    besides. Return the counts by what a side has: holding (things, 3), together, against and alone (things, things, 3).
    """
    rng = np.random.default_rng(seed)
    order = rng.permuted(np.tile(np.arange(THINGS), (games, 1)), axis=1)
    has = np.zeros((2, games, THINGS), bool)
    for side in range(2):
        np.put_along_axis(has[side], order[:, HAND * side : HAND * (side + 1)], True, axis=1)
    strength = [side @ worth + pair_worth * (side[:, 0] & side[:, 1]) for side in has]
    score = 0.5 + strength[0] - strength[1]
    luck = rng.random(games)
    result = np.where(luck < score - draws / 2, 0, np.where(luck < score + draws / 2, 1, 2))
    holding, together = np.zeros((THINGS, 3), int), np.zeros((THINGS, THINGS, 3), int)
    against, alone = np.zeros_like(together), np.zeros_like(together)
    for side in range(2):
        mine, theirs = has[side].astype(int), has[1 - side].astype(int)
        seen = result if side == 0 else 2 - result
        for end in range(3):
            games_so = (seen == end)[:, np.newaxis]
            holding[:, end] += (mine * games_so).sum(axis=0)
            together[..., end] += (mine * games_so).T @ mine
            against[..., end] += (mine * games_so).T @ theirs
            alone[..., end] += (mine * games_so).T @ (1 - mine - theirs)
    return holding, together, against, alone


WORTH = np.linspace(-0.05, 0.06, THINGS)


def test_values_are_against_the_mean_of_the_others():
    holding, *_ = drawn(WORTH, games=400_000)
    others = (WORTH.sum() - WORTH) / (THINGS - 1)
    found = value_of(holding[:, np.newaxis])
    np.testing.assert_allclose(found.value, WORTH - others, atol=0.006)


@pytest.mark.parametrize("games", [200, 2000])
def test_intervals_of_values_cover(games):
    others = (WORTH.sum() - WORTH) / (THINGS - 1)
    covered = []
    for seed in range(300):
        found = value_of(drawn(WORTH, games=games, seed=seed)[0][:, np.newaxis])
        covered.append((found.low <= WORTH - others) & (WORTH - others <= found.high))
    assert 0.935 < np.mean(covered) < 0.965


def test_alike_things_have_alike_values():
    """Two identical ones differ by no more than their intervals allow: at the stated rate."""
    worth = WORTH.copy()
    worth[3] = worth[4]
    outside = []
    for seed in range(400):
        holding, together, against, _ = drawn(worth, games=1500, seed=seed)
        found = difference_of_values(holding[3], holding[4], together[3, 4], against[3, 4])
        outside.append(found.low > 0 or found.high < 0)
    assert 0.03 < np.mean(outside) < 0.075


@pytest.mark.parametrize("pair", [(0, 11), (5, 6)])
def test_intervals_of_differences_of_values_cover(pair):
    one, other = pair
    truth = (WORTH[other] - WORTH[one]) * THINGS / (THINGS - 1)
    covered = []
    for seed in range(500):
        holding, together, against, _ = drawn(WORTH, games=1500, seed=seed)
        found = difference_of_values(holding[one], holding[other], together[one, other], against[one, other])
        covered.append(found.low <= truth <= found.high)
    assert 0.925 < np.mean(covered) < 0.975


def test_a_planted_synergy_is_found_and_no_other():
    holding, together, _, alone = drawn(WORTH, pair_worth=0.1, games=400_000)
    assert holding.sum() == 400_000 * 2 * HAND
    one, other = np.triu_indices(THINGS, k=1)
    found, _, p = synergy_of(together[one, other], alone[one, other], alone[other, one])
    planted = (one == 0) & (other == 1)
    assert found.low[planted] < 0.1 < found.high[planted]
    assert p[planted] < 1e-20
    # Things 0 and 1 are partners of others that are worth a little more for it; what is left is small.
    assert np.abs(found.value[~planted]).max() < 0.04


def test_without_synergies_p_values_are_those_of_chance():
    found = []
    for seed in range(300):
        _, together, _, alone = drawn(WORTH, games=1500, seed=seed)
        _, _, p = synergy_of(together[2, 9], alone[2, 9], alone[9, 2])
        found.append(float(p))
    assert 0.025 < np.mean(np.array(found) < 0.05) < 0.085


def test_without_games_nothing_is_said():
    none = np.zeros(3, int)
    found, _, p = synergy_of(none, [5, 0, 5], [5, 0, 5])
    assert np.isnan(found.value)
    assert np.isnan(p)


def test_intervals_of_values_cover_where_going_first_decides():
    """How many of the games with a card its side starts is chance, and part of the variance."""
    rng = np.random.default_rng(11)
    covered = []
    for _ in range(400):
        starts, wins = rng.random(300) < 0.5, rng.random(300)
        won = np.where(starts, wins < 0.9, wins < 0.1)
        counts = np.zeros((2, 3), np.int64)
        for stratum in range(2):
            of_it = won[starts == (stratum == 0)]
            counts[stratum, 0], counts[stratum, 2] = of_it.sum(), (~of_it).sum()
        found = value_of(counts)
        covered.append(found.low <= 0 <= found.high)
    assert 0.92 < np.mean(covered) < 0.98
