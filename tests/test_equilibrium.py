"""Equilibria of games whose solution is known, and how sure they are when the scores are measured."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from clashsim.analysis.equilibrium import equilibrium, estimate_equilibrium, resampled_scores
from clashsim.errors import InputError

ROCK_PAPER_SCISSORS = [[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]
KNOWN = {
    "rock, paper, scissors": (ROCK_PAPER_SCISSORS, [1 / 3] * 3, [1 / 3] * 3, 0.5),
    # A win of 2 to 1 against scissors only: rock is chosen less, its prey more (weights by the opposite edges).
    "weighted cycle": ([[0.5, 0.4, 0.7], [0.6, 0.5, 0.4], [0.3, 0.6, 0.5]], [1 / 4, 1 / 2, 1 / 4], None, 0.5),
    "matching pennies": ([[1, 0], [0, 1]], [1 / 2] * 2, [1 / 2] * 2, 0.5),
    # 2 × 2 without a saddle point: (d - c) / (a - b - c + d) and so on.
    "two by two": ([[0.7, 0.2], [0.4, 0.6]], [2 / 7, 5 / 7], [4 / 7, 3 / 7], 17 / 35),
    "saddle point": ([[0.6, 0.7, 0.55], [0.2, 0.9, 0.5]], [1, 0], [0, 0, 1], 0.55),
    "a dominant item": ([[0.5, 0.6, 0.7], [0.4, 0.5, 0.9], [0.3, 0.1, 0.5]], [1, 0, 0], [1, 0, 0], 0.5),
    "one by one": ([[0.3]], [1], [1], 0.3),
    "all the same": (np.full((3, 4), 0.5), [1 / 3] * 3, [1 / 4] * 4, 0.5),
    "rock given twice": (
        np.array(ROCK_PAPER_SCISSORS)[np.ix_([0, 0, 1, 2], [0, 0, 1, 2])],
        [1 / 6, 1 / 6, 1 / 3, 1 / 3],
        [1 / 6, 1 / 6, 1 / 3, 1 / 3],
        0.5,
    ),
    "nearly even": (0.5 + 1e-5 * (np.array(ROCK_PAPER_SCISSORS) - 0.5), [1 / 3] * 3, [1 / 3] * 3, 0.5),
}

scores_on_a_coarse_grid = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 4)).map(lambda steps: steps / 4)
)


@pytest.mark.parametrize("game", KNOWN)
def test_known_games(game):
    scores, rows, columns, value = KNOWN[game]
    found = equilibrium(scores)
    np.testing.assert_allclose(found.rows, rows, atol=1e-9)
    np.testing.assert_allclose(found.columns, rows if columns is None else columns, atol=1e-9)
    assert found.value == pytest.approx(value, abs=1e-12)


@settings(deadline=None, max_examples=60)
@given(scores_on_a_coarse_grid, st.randoms(use_true_random=False))
def test_nobody_gains_by_another_choice_and_the_order_of_the_items_is_nothing(scores, random):
    found = equilibrium(scores)
    assert (found.rows @ scores).min() == pytest.approx(found.value, abs=1e-9)
    assert (scores @ found.columns).max() == pytest.approx(found.value, abs=1e-9)
    order = random.sample(range(len(scores)), len(scores))
    shuffled = equilibrium(scores[order])
    np.testing.assert_allclose(shuffled.rows, found.rows[order], atol=1e-6)
    np.testing.assert_allclose(shuffled.columns, found.columns, atol=1e-6)


@settings(deadline=None, max_examples=30)
@given(scores_on_a_coarse_grid)
def test_the_sides_are_treated_alike(scores):
    found, turned = equilibrium(scores), equilibrium(1 - scores.T)
    np.testing.assert_allclose(turned.columns, found.rows, atol=1e-6)
    assert turned.value == pytest.approx(1 - found.value)


@pytest.mark.parametrize("scores", [[[0.5, np.nan], [0.5, 0.5]], np.zeros((0, 0))])
def test_a_missing_score_is_an_error(scores):
    with pytest.raises(InputError, match="a score is missing"):
        equilibrium(scores)


# ---- measured scores

TRIANGLE = np.array([[0, 1], [1, 2], [2, 0]])
EVERYONE = (range(3), range(3))


def counts(*wins, games=100):
    """Results of pairs: wins of the first as given, half of the games started by each side, no draws."""
    won = np.array(wins) // 2
    by_starter = np.stack([won, 0 * won, games // 2 - won], -1)
    return np.stack([by_starter, by_starter], axis=1)


def test_a_sure_cycle_has_everyone_in_the_mix():
    found = estimate_equilibrium(TRIANGLE, counts(8000, 8000, 8000, games=10_000), EVERYONE, seed=1)
    np.testing.assert_allclose(found.rows.weight, 1 / 3, atol=1e-9)
    np.testing.assert_array_equal(found.rows.support, 1)
    assert (found.rows.high - found.rows.low < 0.05).all()
    assert (found.value, found.value_low, found.value_high) == (0.5, 0.5, 0.5)


def test_an_unsure_game_says_so():
    found = estimate_equilibrium(TRIANGLE, counts(52, 50, 48), EVERYONE, seed=1)
    assert ((found.rows.support > 0.2) & (found.rows.support < 1)).all()
    assert (found.rows.low <= found.rows.weight).all()
    assert (found.rows.weight <= found.rows.high).all()


def test_intervals_hold_the_true_weights():
    truth = np.array([1 / 4, 1 / 2, 1 / 4])
    scores = np.array([0.4, 0.4, 0.3])  # a against b, b against c, c against a: the weighted cycle above
    rng = np.random.default_rng(3)
    covered = []
    for _ in range(80):
        wins = rng.binomial(500, np.stack([scores, scores], -1))
        results = np.stack([wins, 0 * wins, 500 - wins], -1)
        mix = estimate_equilibrium(TRIANGLE, results, EVERYONE, seed=4, replicates=200).rows
        covered.append((mix.low <= truth) & (truth <= mix.high))
    assert np.mean(covered) == pytest.approx(0.95, abs=0.045)


def test_a_shut_out_is_not_taken_for_certain():
    results = counts(10, games=10)
    scores = resampled_scores(results, 2000, np.random.default_rng(5))[:, 0]
    assert scores.std() > 0.01
    assert np.quantile(scores, 0.025) == pytest.approx(0.75, abs=0.1)
    assert scores.max() <= 1


def test_resampled_scores_vary_as_the_games_do():
    results = np.array([[[300, 100, 100], [100, 100, 300]]])
    scores = resampled_scores(results, 4000, np.random.default_rng(6))[:, 0]
    assert scores.mean() == pytest.approx(0.5, abs=0.002)
    variance = (0.6 + 0.2 / 4 - 0.7**2) / 1000  # within a starter: score 0.7 or 0.3
    assert scores.var() == pytest.approx(variance, rel=0.08)


def test_two_sides_with_choices_of_their_own():
    pairs = [[0, 2], [0, 3], [1, 2], [1, 3]]
    found = estimate_equilibrium(
        pairs, counts(7000, 2000, 4000, 6000, games=10_000), ([0, 1], [2, 3]), seed=2
    )
    np.testing.assert_allclose(found.rows.weight, [2 / 7, 5 / 7], atol=1e-9)
    np.testing.assert_allclose(found.columns.weight, [4 / 7, 3 / 7], atol=1e-9)
    assert found.value == pytest.approx(17 / 35)
    assert found.value_low < 17 / 35 < found.value_high
    assert found.value_high - found.value_low < 0.03


def test_the_same_seed_gives_the_same_intervals():
    results = counts(52, 45, 61)
    one, again, other = (estimate_equilibrium(TRIANGLE, results, EVERYONE, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.rows, again.rows)
    assert not np.array_equal(one.rows.support, other.rows.support)
    np.testing.assert_array_equal(one.rows.weight, other.rows.weight)
