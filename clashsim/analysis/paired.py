"""Differences between the same games played twice: from joint counts, game by game.

A game counts 1 for a win, 1/2 for a draw and 0 for a loss. *Joint counts* have the shape (..., strata, 3, 3): games by
how they ended as they are, and by how they ended changed (won, drew, lost). Shares and differences are fractions.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from clashsim.analysis.blocks import leave_one_out
from clashsim.analysis.intervals import Floats, Interval

SCORES = np.array([1.0, 0.5, 0.0])
GAINS = SCORES[np.newaxis, :] - SCORES[:, np.newaxis]
"""By how much a game's score changes, by its two ends."""

POWER = 0.8


def paired_difference(joint: ArrayLike, confidence: float = 0.95) -> Interval:
    """Return by how much the score is higher in the changed games, with its interval.

    Parameters
    ----------
    joint : array_like of int, shape (..., strata, 3, 3)
    confidence : float
        Two-sided coverage.

    Returns
    -------
    Interval
        Arrays of shape (...); without any games 0 with limits -1 and 1.

    Notes
    -----
    The variance is that within the strata of the games' own differences, so that what both games owe to the same luck
    does not count. It is smoothed by z**2 games more, of which a quarter is won by the change and a quarter lost, and
    the limits are around the mean of all of these: for strata put together and z = 2 the adjusted interval of Agresti
    and Min (2005), Simple improved confidence intervals for comparing matched proportions, Statistics in Medicine 24,
    with twice their prior. So a change that was seen in no game still has an interval.
    """
    counts = np.asarray(joint, np.float64)
    z = _quantile(confidence)
    games = counts.sum(axis=(-1, -2))  # (..., strata)
    total = games.sum(axis=-1)
    gains = (counts * GAINS).sum(axis=(-1, -2))
    squares = (counts * GAINS**2).sum(axis=(-1, -2))
    means = gains / np.maximum(games, 1)
    within = (squares - games * means**2).sum(axis=-1)
    value = gains.sum(axis=-1) / np.maximum(total, 1)
    smoothed = total + z**2
    centre = gains.sum(axis=-1) / smoothed
    spread = within + z**2 / 2 + value**2 * total * z**2 / smoothed  # the games more are not around the mean
    half_width = np.where(total > 0, z * np.sqrt(spread) / smoothed, 1)
    return Interval(
        value,
        np.clip(np.minimum(centre - half_width, value), -1, 1),
        np.clip(np.maximum(centre + half_width, value), -1, 1),
        total,
    )


def replicated_differences(joint: ArrayLike) -> Floats:
    """Return by how much the score is higher in the changed games, as replicates (`blocks`), shape (1 + blocks, ...).

    Parameters
    ----------
    joint : array_like of int, shape (..., blocks, 3, 3)
    """
    counts = np.asarray(joint, np.int64)
    doubled = np.rint((2 * GAINS * counts).sum(axis=(-1, -2))).astype(np.int64)
    return leave_one_out(doubled) / 2 / leave_one_out(counts.sum(axis=(-1, -2)))


def prior_variance(games: ArrayLike, confidence: float = 0.95) -> Floats:
    """Return the variance that `paired_difference` adds to that of the mean of so many games: little, but never 0."""
    z = _quantile(confidence)
    return (z**2 / 2) / (np.asarray(games, np.float64) + z**2) ** 2


def detectable(interval: Interval, confidence: float = 0.95) -> Floats:
    """Return the smallest true difference that so many games tell from none in four of five repetitions, by intervals
    of this confidence.

    Notes
    -----
    Standard error times the sum of the normal quantiles of power (0.8) and of the interval's confidence, which is that
    of the verdict; the standard error is read off the interval.
    """
    return interval.half_width * (1 + float(ndtri(POWER)) / _quantile(confidence))


def marginals(joint: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the results, counts (..., strata, 3), of the games as they are and of the changed ones."""
    counts = np.asarray(joint, np.int64)
    return counts.sum(axis=-1), counts.sum(axis=-2)


def other_results(joint: ArrayLike) -> NDArray[np.int64]:
    """Return the number of games that end otherwise when changed, shape (...)."""
    counts = np.asarray(joint, np.int64)
    return counts.sum(axis=(-1, -2, -3)) - np.trace(counts, axis1=-2, axis2=-1).sum(axis=-1)


def seen_from_other_side(joint: ArrayLike) -> NDArray[np.int64]:
    """Return joint counts from the view of the other side: its wins are this side's losses."""
    return np.asarray(joint, np.int64)[..., ::-1, ::-1]


def _quantile(confidence: float) -> float:
    return -float(ndtri((1 - confidence) / 2))
