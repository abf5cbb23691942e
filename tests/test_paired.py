"""Differences from the same games played twice: exact where they are, and intervals that cover."""

import numpy as np
import pytest

from clashsim.analysis.paired import (
    detectable,
    marginals,
    other_results,
    paired_difference,
    replicated_differences,
    seen_from_other_side,
)


def counts(same=0, gained=0, lost=0, half_gained=0, half_lost=0):
    """Joint counts of one stratum, without draws but for the halves."""
    joint = np.zeros((1, 3, 3), np.int64)
    joint[0, 0, 0], joint[0, 2, 0], joint[0, 0, 2] = same, gained, lost
    joint[0, 2, 1], joint[0, 0, 1] = half_gained, half_lost
    return joint


def test_the_difference_is_that_of_the_scores():
    rng = np.random.default_rng(1)
    joint = rng.integers(0, 50, (20, 2, 3, 3))
    base, changed = marginals(joint)
    score = [
        (results[..., 0] + results[..., 1] / 2).sum(axis=-1) / results.sum(axis=(-1, -2))
        for results in (base, changed)
    ]
    np.testing.assert_allclose(paired_difference(joint).value, score[1] - score[0], atol=1e-12)


def test_games_that_end_alike_differ_by_exactly_nothing():
    found = paired_difference(counts(same=5000))
    assert found.value == 0
    assert found.low == -found.high
    assert 0 < found.high < 0.001
    assert other_results(counts(same=5000)) == 0


def test_without_games_anything_is_possible():
    found = paired_difference(counts())
    assert (found.value, found.low, found.high) == (0, -1, 1)


def test_the_other_side_sees_the_opposite():
    joint = np.random.default_rng(2).integers(0, 50, (2, 3, 3))
    here, there = paired_difference(joint), paired_difference(seen_from_other_side(joint))
    np.testing.assert_allclose([there.value, there.low, there.high], [-here.value, -here.high, -here.low])


def test_other_results_are_counted():
    assert other_results(counts(7, 3, 2, 1, 1)) == 7


def test_what_all_games_owe_to_who_starts_does_not_count():
    """Between strata nothing is random: each has a fixed number of games."""
    apart = np.concatenate([counts(gained=500), counts(same=500)])
    together = counts(same=500, gained=500)
    assert paired_difference(apart).half_width < 0.2 * paired_difference(together).half_width


@pytest.mark.parametrize("games", [200, 1000, 5000])
@pytest.mark.parametrize("halves", [0, 0.5])
@pytest.mark.parametrize(
    ("gained", "lost"),
    [(0, 0), (0.002, 0), (0.002, 0.002), (0.01, 0.005), (0.05, 0.05), (0.1, 0.02), (0.3, 0.1), (0.5, 0.3)],
)
def test_intervals_cover_known_differences(games, halves, gained, lost):
    rng = np.random.default_rng(games)
    shares = [gained * (1 - halves), lost * (1 - halves), gained * halves, lost * halves]
    drawn = rng.multinomial(games, [1 - sum(shares), *shares], size=4000)
    joint = np.stack([counts(*row) for row in drawn])
    found = paired_difference(joint)
    truth = (gained - lost) * (1 - halves / 2)
    covered = ((found.low <= truth) & (truth <= found.high)).mean()
    assert covered > 0.937
    if games * (gained + lost) > 50:
        assert covered < 0.965  # and no wider than they need be


def test_the_detectable_difference_is_seen_in_four_of_five():
    rng = np.random.default_rng(5)
    games, changed = 4000, 0.1
    half = paired_difference(counts(3600, 200, 200))
    truth = float(detectable(half))
    gained = (changed + truth) / 2
    drawn = rng.multinomial(games, [1 - changed, gained, changed - gained], size=4000)
    found = paired_difference(np.stack([counts(*row) for row in drawn]))
    assert (found.low > 0).mean() == pytest.approx(0.8, abs=0.03)


def test_replicates_leave_out_one_block_after_the_other():
    joint = np.random.default_rng(5).integers(0, 50, (3, 4, 3, 3))
    found = replicated_differences(joint)
    assert found.shape == (5, 3)
    for left_out in (None, 0, 3):
        kept = joint if left_out is None else np.delete(joint, left_out, axis=1)
        expected = paired_difference(kept.sum(axis=1, keepdims=True)).value
        np.testing.assert_allclose(found[0 if left_out is None else left_out + 1], expected)
