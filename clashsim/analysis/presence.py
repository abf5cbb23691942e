"""What it is worth to a side to have something, from games in which chance decides who has what.

Counts are seen from the side that has it: games won, drawn and lost, on the last axis. Since chance deals, the mean
score of those who have it tells what it is worth, whatever else goes on. Shares and differences are fractions.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from clashsim.analysis.intervals import Floats, Interval, score_interval


def value_of(counts: ArrayLike, confidence: float = 0.95) -> Interval:
    """Return how much more than 1/2 those score who have something that the other side has not.

    Parameters
    ----------
    counts : array_like of int, shape (..., strata, 3)
    confidence : float
        Two-sided coverage.

    Notes
    -----
    `score_interval` less 1/2, of all strata together: chance decides how many games of each stratum a side with it has,
    so differences between strata are part of the variance. Where both sides are dealt eight of the same things, it is
    what having this one is worth against the mean of the others: the score of a side with it is 1/2 + v - m if each
    adds its v to the score of its side, and m is the mean v of the others.
    """
    results = np.asarray(counts, np.int64).sum(axis=-2, keepdims=True)
    score = score_interval(results[..., 0], results[..., 1], results[..., 2], confidence)
    return Interval(score.value - 0.5, score.low - 0.5, score.high - 0.5, score.games)


def synergy_of(
    together: ArrayLike, one: ArrayLike, other: ArrayLike, confidence: float = 0.95
) -> tuple[Interval, Floats, Floats]:
    """Return by how much two things do more together than the sum of what each does; in standard errors; p-values.

    Parameters
    ----------
    together, one, other : array_like of int, shape (..., 3)
        Games of sides that have both, only the one, only the other, and that meet a side with neither.
    confidence : float
        Two-sided coverage.

    Notes
    -----
    The 2 x 2 difference of differences: mean score with both, less those with one, plus 1/2, which is the score with
    neither. The three kinds of games are different games, so that variances add up; each is smoothed by two games more,
    one won and one lost. Without games of a kind nan.
    """
    means, variances, numbers = zip(*map(_moments, (together, one, other)), strict=True)
    value = means[0] - means[1] - means[2] + 0.5
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(sum(variance / games for variance, games in zip(variances, numbers, strict=True)))
    half_width = -float(ndtri((1 - confidence) / 2)) * error
    z = value / error
    return Interval(value, value - half_width, value + half_width, sum(numbers)), z, 2 * ndtr(-np.abs(z))


def difference_of_values(
    first: ArrayLike, second: ArrayLike, together: ArrayLike, against: ArrayLike, confidence: float = 0.95
) -> Interval:
    """Return by how much the second of two things is worth more than the first.

    Parameters
    ----------
    first, second : array_like of int, shape (..., 3)
        Games of sides that have the one, or the other, and meet a side that has it not.
    together, against : array_like of int, shape (..., 3)
        Those of both: games of sides that have both, and of those with the first that meet a side with the second.
    confidence : float
        Two-sided coverage.

    Notes
    -----
    Games that count for both make the two means depend on each other: alike where one side has both, contrary where
    they meet. The variance of a game's score is that with two games more, one won and one lost.
    """
    (mean, variance, games), (mean_2, variance_2, games_2) = map(_moments, (first, second))
    shared = [_moments(counts)[1] * _moments(counts)[2] for counts in (together, against)]
    with np.errstate(divide="ignore", invalid="ignore"):
        covariance = (shared[0] - shared[1]) / (games * games_2)
        error = np.sqrt(np.maximum(variance / games + variance_2 / games_2 - 2 * covariance, 0))
    value = mean_2 - mean
    half_width = -float(ndtri((1 - confidence) / 2)) * error
    return Interval(value, value - half_width, value + half_width, games + games_2)


def _moments(counts: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return mean score, variance of a game's score (smoothed by a game won and one lost), and number of games."""
    won, drew, lost = np.moveaxis(np.asarray(counts, np.float64), -1, 0)
    games = won + drew + lost
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (won + drew / 2) / games
    smoothed = (won + 1 + drew / 2) / (games + 2)
    return mean, (won + 1 + drew / 4) / (games + 2) - smoothed**2, games
