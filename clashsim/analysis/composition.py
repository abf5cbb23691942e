"""What each of many things adds to a result, from games in which who has what follows no chance of its own.

Where people choose, who has a thing depends on what else there was, and those who have it differ in the rest as well.
What was there to choose from is chance, though, and least squares on all things at once holds the rest fixed.
"""

import numpy as np
from numpy.typing import ArrayLike

from clashsim.analysis.blocks import Jackknifed, jackknife, leave_one_out, with_prior
from clashsim.analysis.intervals import Floats

_PRIOR_GAMES = 1.0  # that speak for no difference at all: so there is a solution however few games there are


def contributions(
    products: ArrayLike, scores: ArrayLike, games: int, known: ArrayLike | None = None
) -> Jackknifed:
    """Return what each thing adds, against the mean of all.

    Parameters
    ----------
    products : array_like of int, shape (blocks, things, things)
        Sums over the games of a block of x times x: x of a thing is 1 if the side has it, -1 if the other side does, 0
        otherwise.
    scores : array_like of int, shape (blocks, things)
        Sums of x times the result, which is from -1 to 1.
    games : int
    known : array_like of bool, optional
        Things of which it can be told, as they were in some games and not in others; by default all. Those that always
        or never were there say nothing: nan, and the mean is that of the others.

    Returns
    -------
    Jackknifed
        Estimates of shape (things,), in the unit of the results.

    Notes
    -----
    The coefficients of the least squares fit of the result on x, less their mean, and their jackknife over the blocks
    (ridge regression with the weight of one game, which is next to nothing), and the variance that is left open where
    all games end alike: as if one of them had ended otherwise. With equal numbers of things on each side
    a constant added to all coefficients changes no fitted result. If results are sums of what the things add, and of
    what does not depend on who has what, the estimates are unbiased however the things were chosen; otherwise they are
    those of the nearest such sum.
    """
    products = np.moveaxis(np.asarray(products, np.int64), 0, -1)
    scores = np.moveaxis(np.asarray(scores, np.int64), 0, -1)
    left, right = leave_one_out(products).astype(np.float64), leave_one_out(scores).astype(np.float64)
    things = left.shape[-1]
    told = np.flatnonzero(np.ones(things, np.bool_) if known is None else np.asarray(known))
    fitted = np.full((len(left), things), np.nan)
    if told.size == 0:
        return jackknife(fitted)
    left = left[:, told[:, np.newaxis], told] + _PRIOR_GAMES * np.eye(told.size)
    solved = np.linalg.solve(left, right[:, told, np.newaxis])[..., 0]
    fitted[:, told] = solved - solved.mean(axis=-1, keepdims=True)
    variance = np.full(things, np.nan)
    variance[told] = np.diagonal(np.linalg.inv(left[0])) / (games + 2)
    return with_prior(jackknife(fitted), variance)


def shrunk(values: ArrayLike, errors: ArrayLike) -> Floats:
    """Draw noisy estimates of many small numbers towards 0, by as much as their scatter is noise.

    Parameters
    ----------
    values, errors : array_like of float
        Estimates and their standard errors; nan counts as unknown, and becomes 0.

    Notes
    -----
    Empirical Bayes for normal numbers around 0: each is multiplied by tau² / (tau² + its error²), with tau² by the
    method of moments.
    """
    values, errors = np.asarray(values, np.float64), np.asarray(errors, np.float64)
    known = np.isfinite(values) & np.isfinite(errors)
    if not known.any():
        return np.zeros(values.shape)
    tau2 = max(float(np.mean(values[known] ** 2 - errors[known] ** 2)), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(tau2 > 0, tau2 / (tau2 + errors**2), 0.0)
    return np.where(known, values * share, 0.0)


def apart_from_means(pairs: ArrayLike) -> Floats:
    """Take out of numbers for pairs what each thing has in common with all others: every row then sums to 0.

    Parameters
    ----------
    pairs : array_like of float, shape (things, things)
        Symmetric, with zeros on the diagonal; at least three things.
    """
    pairs = np.asarray(pairs, np.float64)
    things = len(pairs)
    rows = pairs.sum(axis=1)
    common = (rows - rows.sum() / (2 * (things - 1))) / (things - 2)
    apart = pairs - (common[:, np.newaxis] + common)
    np.fill_diagonal(apart, 0.0)
    return apart


def rank_correlation(one: ArrayLike, other: ArrayLike) -> float:
    """Return Spearman's rank correlation of the pairs without nan; 0 where one of them has no order."""
    from scipy.stats import rankdata  # slow to import

    one, other = np.asarray(one, np.float64), np.asarray(other, np.float64)
    both = np.isfinite(one) & np.isfinite(other)
    if both.sum() < 2:
        return 0.0
    ranks = [rankdata(values[both]) for values in (one, other)]
    if any(np.ptp(each) == 0 for each in ranks):
        return 0.0
    return float(np.corrcoef(*ranks)[0, 1])
