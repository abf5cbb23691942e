"""Elo ratings against simulated truths, an independent fit, and results that leave little to fit."""

from itertools import combinations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit, logit

from clashsim.analysis.ratings import ELO_PER_LOGIT, elo_ratings, score_matrix
from clashsim.errors import InputError

NAMES = ("a", "b", "c", "d", "e", "f")


def all_pairs(items):
    return np.array(list(combinations(range(items), 2)))


def implied_scores(elo, pairs):
    return expit((elo[pairs[:, 0]] - elo[pairs[:, 1]]) / ELO_PER_LOGIT)


def play(rng, scores, games, going_first=0.0, draws=0.0):
    """Results (pairs, 2, 3) of games half of which each side starts, with given scores of the first item."""
    starts = np.array([going_first, -going_first])
    by_starter = np.asarray(scores)[:, np.newaxis] + starts
    chances = np.stack(
        [by_starter - draws / 2, np.full_like(by_starter, draws), 1 - by_starter - draws / 2], -1
    )
    return rng.multinomial(games // 2, chances)


def rate(pairs, results):
    return elo_ratings(pairs, results, NAMES[: pairs.max() + 1])


@pytest.mark.parametrize(
    ("spread", "games", "going_first", "draws"),
    [(60, 200, 0.0, 0.0), (60, 200, 0.2, 0.0), (60, 200, 0.05, 0.3), (150, 1000, 0.0, 0.0)],
)
def test_intervals_cover_and_the_test_of_fit_is_true(spread, games, going_first, draws):
    rng = np.random.default_rng(7)
    pairs = all_pairs(5)
    truth = spread * np.array([2, 1, 0, -1, -2.0])
    scores = implied_scores(truth, pairs)
    found = [rate(pairs, play(rng, scores, games, going_first, draws)) for _ in range(400)]
    covered = np.array([(ratings.low <= truth) & (truth <= ratings.high) for ratings in found])
    assert covered.mean() == pytest.approx(0.95, abs=0.02)  # over three standard errors of 5 × 400 intervals
    p = np.array([ratings.fit.p for ratings in found])
    assert (p < 0.05).mean() == pytest.approx(0.05, abs=0.035)
    assert (p < 0.5).mean() == pytest.approx(0.5, abs=0.08)


def test_intervals_hold_the_best_fit_where_no_rating_fits():
    pairs = all_pairs(4)
    scores = np.array([0.7, 0.3, 0.6, 0.75, 0.5, 0.6])
    best = rate(pairs, np.stack([scores, 0 * scores, 1 - scores], -1)[:, np.newaxis] * 10**8)
    rng = np.random.default_rng(8)
    found = [rate(pairs, play(rng, scores, 400)) for _ in range(400)]
    covered = np.array([(ratings.low <= best.elo) & (best.elo <= ratings.high) for ratings in found])
    assert covered.mean() == pytest.approx(0.95, abs=0.02)
    assert np.mean([ratings.fit.p < 0.01 for ratings in found]) > 0.99
    assert best.fit.miss == pytest.approx(np.sqrt(np.mean((implied_scores(best.elo, pairs) - scores) ** 2)))


def test_rock_paper_scissors_has_equal_ratings_that_do_not_fit():
    ratings = rate(np.array([[0, 1], [1, 2], [2, 0]]), [[[80, 0, 20]]] * 3)
    np.testing.assert_allclose(ratings.elo, 0, atol=1e-9)
    assert ratings.fit.df == 1
    assert ratings.fit.p < 1e-6
    assert ratings.fit.miss == pytest.approx(0.3, abs=0.01)


def test_the_fit_is_that_of_a_logistic_regression():
    rng = np.random.default_rng(9)
    pairs = all_pairs(6)
    wins = rng.integers(5, 95, len(pairs))
    ratings = rate(pairs, np.stack([wins, 0 * wins, 100 - wins], -1)[:, np.newaxis])
    design = np.zeros((len(pairs), 6))
    np.put_along_axis(design, pairs[:, :1], 1, axis=1)
    np.put_along_axis(design, pairs[:, 1:], -1, axis=1)
    counts = np.stack([wins, 100 - wins], -1) + 0.5
    ref = sm.GLM(counts, design[:, 1:], family=sm.families.Binomial()).fit(tol=1e-12)
    logits = np.append(0, ref.params)
    np.testing.assert_allclose(ratings.elo, ELO_PER_LOGIT * (logits - logits.mean()), atol=1e-6)
    unsmoothed = sm.GLM(counts - 0.5, design[:, 1:], family=sm.families.Binomial()).fit(tol=1e-12)
    assert ratings.fit.chi2 == pytest.approx(unsmoothed.deviance)
    assert ratings.fit.miss == pytest.approx(np.sqrt(np.mean((wins / 100 - ref.mu) ** 2)), abs=1e-6)
    assert ratings.fit.df == ref.df_resid
    from_centred = np.eye(6)[:, 1:] - 1 / 6
    by_counts = (
        counts[:, 0] * counts[:, 1] / counts.sum(axis=1)
    )  # the sandwich: variances as observed, not as implied
    covariance = ref.cov_params() @ (design[:, 1:].T * by_counts) @ design[:, 1:] @ ref.cov_params()
    errors = np.sqrt(np.diag(from_centred @ covariance @ from_centred.T))
    np.testing.assert_allclose(ratings.high - ratings.elo, 1.959964 * ELO_PER_LOGIT * errors, rtol=1e-5)


def test_two_items_get_the_elo_of_their_score():
    ratings = rate(all_pairs(2), [[[40_000, 0, 10_000], [40_000, 0, 10_000]]])
    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(ELO_PER_LOGIT * logit(0.8), abs=0.01)
    assert ratings.elo.sum() == pytest.approx(0)
    assert ratings.fit.df == 0
    assert np.isnan(ratings.fit.p)


@pytest.mark.parametrize("games", [1, 10, 10**6])
def test_shut_outs_have_finite_ratings_in_the_right_order(games):
    pairs = all_pairs(4)
    ratings = rate(pairs, np.full((6, 2, 3), [games, 0, 0]))
    assert np.isfinite(np.concatenate(ratings[:3])).all()
    assert (np.diff(ratings.elo) < 0).all()
    assert (ratings.low < ratings.elo).all()
    assert ratings.fit.p > 0.2  # such ratings exist


def test_a_long_ladder_of_shut_outs_can_be_fitted():
    pairs = all_pairs(40)
    ratings = elo_ratings(pairs, np.full((len(pairs), 1, 3), [100, 0, 0]), [str(item) for item in range(40)])
    assert (np.diff(ratings.elo) < 0).all()
    assert ratings.fit.p > 0.99


def test_nothing_but_draws_is_even():
    ratings = rate(all_pairs(3), np.full((3, 2, 3), [0, 50, 0]))
    np.testing.assert_allclose(ratings.elo, 0, atol=1e-9)
    assert (ratings.high > 0).all()


def test_who_is_named_first_in_a_pair_does_not_matter():
    pairs = all_pairs(5)
    results = np.random.default_rng(10).integers(1, 50, (len(pairs), 2, 3))
    ratings, turned = rate(pairs, results), rate(pairs[:, ::-1], results[..., ::-1])
    for one, other in zip(ratings[:3], turned[:3], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)
    assert ratings.fit == pytest.approx(turned.fit)


def test_an_incomplete_schedule_is_enough_if_it_connects_all():
    chain = np.array([[0, 1], [1, 2], [2, 3]])
    ratings = rate(chain, np.full((3, 1, 3), [3 * 10**6, 0, 10**6]))
    np.testing.assert_allclose(-np.diff(ratings.elo), ELO_PER_LOGIT * np.log(3), rtol=1e-4)
    assert ratings.fit.df == 0


def test_items_that_cannot_be_compared_are_named():
    results = np.full((3, 1, 3), 5)
    with pytest.raises(InputError, match="ratings: c, d never met a, b"):
        elo_ratings([[0, 1], [2, 3]], results[:2], NAMES[:4])
    results[1] = 0  # a pair without games connects nothing
    with pytest.raises(InputError, match="c, d never met a, b"):
        elo_ratings([[0, 1], [1, 2], [2, 3]], results, NAMES[:4])


def test_a_score_matrix_holds_both_sides_of_a_pair():
    matrix = score_matrix([[0, 1], [2, 0]], [0.25, 0.75], 3)
    np.testing.assert_array_equal(matrix, [[0.5, 0.25, 0.25], [0.75, 0.5, np.nan], [0.75, np.nan, 0.5]])
    lower = score_matrix([[0, 1]], [0.25], 2, opposite=[0.375])
    np.testing.assert_array_equal(lower, [[0.5, 0.25], [0.625, 0.5]])


def test_ratings_do_not_depend_on_how_many_games_a_pair_got():
    """A run that stops early plays few games of clear pairs: where the model does not fit, weights would matter."""
    pairs = all_pairs(4)
    shares = np.array([0.44, 0.25, 0.33, 0.20, 0.14, 0.61])

    def elo(games):
        wins = np.rint(shares * games).astype(int)
        return rate(pairs, np.stack([wins, 0 * wins, games - wins], -1)[:, np.newaxis])

    even, early = elo(np.full(6, 10**7)), elo(np.array([4, 1, 1, 1, 1, 2]) * 10**6)
    assert even.fit.p < 1e-6
    np.testing.assert_allclose(even.elo, early.elo, atol=0.01)
    assert even.fit.miss == pytest.approx(early.fit.miss, abs=1e-5)
    assert (early.high - early.low > even.high - even.low).all()


def test_in_a_round_robin_ratings_have_the_order_of_the_scores():
    rng = np.random.default_rng(3)
    pairs = all_pairs(5)
    for _ in range(50):
        wins = rng.integers(100, 1900, len(pairs))
        ratings = rate(pairs, np.stack([wins, 0 * wins, 2000 - wins], -1)[:, np.newaxis])
        scores = np.zeros(5)
        np.add.at(scores, pairs[:, 0], wins)
        np.add.at(scores, pairs[:, 1], 2000 - wins)
        assert (np.diff(ratings.elo[np.argsort(scores)]) >= -1e-9).all()
