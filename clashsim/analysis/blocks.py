"""Standard errors, intervals and tests from games in blocks: the delete-one-block jackknife.

Where many conditions are played with common random numbers, game i of every condition has the same shuffles, and the
conditions are correlated. A *block* is a set of game numbers, the same in all conditions; blocks are independent of
each other. Whatever is computed from all conditions is computed again without one block after the other: how much
the results scatter tells the standard error, correlations of any kind included. No model of them is needed.

*Replicates* are arrays of shape (1 + blocks, ...): the statistic from all games first, then without each block.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtr, stdtrit  # scipy.stats has them too, but takes a second to import

from clashsim.analysis.intervals import Floats, wilson
from clashsim.errors import InputError


class Jackknifed(NamedTuple):
    """Estimates with what their covariances are made of.

    Attributes
    ----------
    value : ndarray, shape (...)
        Estimates from all games.
    deviations : ndarray, shape (blocks, ...)
        Scaled so that the covariance of two estimates is the sum over the blocks of the products of theirs.
    priors : int
        How many of the deviations are of no block (`with_prior`).
    """

    value: Floats
    deviations: Floats
    priors: int = 0

    @property
    def df(self) -> int:
        """Degrees of freedom of the standard errors."""
        return len(self.deviations) - 1 - self.priors

    @property
    def standard_error(self) -> Floats:
        """Standard errors of the estimates."""
        return np.sqrt((self.deviations**2).sum(axis=0))

    def limits(self, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Return lower and upper limits of Student's intervals."""
        half_width = student_quantile(confidence, self.df) * self.standard_error
        return self.value - half_width, self.value + half_width

    def p_above(self) -> Floats:
        """Return one-sided p-values: the chance of so high an estimate of what is truly 0.

        An estimate of 0 that never varied tells nothing: 1/2.
        """
        error = self.standard_error
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where((error == 0) & (self.value == 0), 0, self.value / error)
        return stdtr(self.df, -t)

    def p_other(self) -> Floats:
        """Return two-sided p-values: the chance of an estimate so far from 0 of what is truly 0."""
        above = self.p_above()
        return 2 * np.minimum(above, 1 - above)


def leave_one_out(counts: ArrayLike) -> NDArray[np.int64]:
    """Return the sums over the last axis, of shape (1 + blocks, ...): of all blocks, then without each of them."""
    counts = np.asarray(counts)
    total = counts.sum(axis=-1)
    return np.concatenate([total[np.newaxis], total - np.moveaxis(counts, -1, 0)])


def jackknife(replicates: ArrayLike) -> Jackknifed:
    """Return the estimates of which these are the replicates.

    Notes
    -----
    The grouped jackknife (Quenouille 1956, Tukey 1958). For a mean over blocks of equal size its intervals are
    those of Student's t over the means of the blocks, for a difference of two such means those of the paired t.
    """
    replicates = np.asarray(replicates, np.float64)
    blocks = len(replicates) - 1
    if blocks < 2:
        raise InputError(f"a jackknife needs at least 2 blocks of games; got {blocks}.")
    without = replicates[1:]
    return Jackknifed(replicates[0], np.sqrt((blocks - 1) / blocks) * (without - without.mean(axis=0)))


def with_prior(found: Jackknifed, variance: float | Floats, place: int = 0, places: int = 1) -> Jackknifed:
    """Add a variance of its own to an estimate: what is left open where no block differs from another.

    Parameters
    ----------
    found : Jackknifed
        Of one estimate.
    variance : float
    place, places : int
        Of several estimates that are to be compared each has a place of its own: these variances are independent.
    """
    own = np.zeros((places, *np.shape(found.value)))
    own[place] = np.sqrt(variance)
    return Jackknifed(found.value, np.concatenate([found.deviations, own]), found.priors + places)


def ratio(
    numerator: Jackknifed, denominator: Jackknifed, confidence: float = 0.95
) -> tuple[Floats, Floats, Floats]:
    """Return the ratios of two estimates from the same blocks, with their limits.

    nan, all three, where the interval of the denominator touches 0: the ratio could be anything.

    Notes
    -----
    Fieller (1954): the ratios r for which ``numerator - r * denominator`` is not surely other than 0.
    """
    t2 = student_quantile(confidence, numerator.df) ** 2
    top, bottom, both = (
        (one.deviations * other.deviations).sum(axis=0)
        for one, other in ((numerator, numerator), (denominator, denominator), (numerator, denominator))
    )
    a = denominator.value**2 - t2 * bottom
    b = numerator.value * denominator.value - t2 * both
    c = numerator.value**2 - t2 * top
    bounded = a > 0
    a = np.where(bounded, a, np.nan)
    off = np.sqrt(np.maximum(b**2 - a * c, 0))
    value = numerator.value / np.where(bounded, denominator.value, np.nan)
    return value, (b - off) / a, (b + off) / a


def ratio_to_gain(
    numerator: Jackknifed, denominator: Jackknifed, confidence: float = 0.95
) -> tuple[Floats, Floats, Floats]:
    """Return `ratio` where the denominator is surely above 0, else nan."""
    sure = denominator.value > student_quantile(confidence, denominator.df) * denominator.standard_error
    value, low, high = (np.where(sure, part, np.nan) for part in ratio(numerator, denominator, confidence))
    return value, low, high


def share_limits(
    share: Jackknifed, games: ArrayLike, least_games: ArrayLike, confidence: float = 0.95
) -> tuple[Floats, Floats]:
    """Return limits of shares that stay between 0 and 1, shut-outs included.

    Parameters
    ----------
    share : Jackknifed
        Shares over `games` games, which may be correlated.
    games, least_games : array_like of int
        Number of games, and how many of them are surely independent: that is what a share of 0 or 1 rests on.
    confidence : float
        Two-sided coverage.

    Notes
    -----
    Wilson's interval on the number of independent games that would have the jackknife's variance, less what Student's
    quantile exceeds the normal one by.
    """
    variance = share.standard_error**2
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = share.value * (1 - share.value) / variance
    effective = np.where(variance > 0, np.minimum(effective, games), least_games)
    factor = (ndtri((1 + confidence) / 2) / student_quantile(confidence, share.df)) ** 2
    return wilson(np.clip(share.value, 0, 1), effective * factor, confidence)


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Return adjusted p-values: those below q are, but for a share of q of them, true finds.

    Notes
    -----
    Benjamini and Hochberg (1995), as statsmodels has it. It holds for independent tests and for those that tend to
    err together (Benjamini and Yekutieli 2001). nan stays nan and does not count as a test.
    """
    from statsmodels.stats.multitest import multipletests  # slow to import

    p = np.asarray(p, np.float64)
    adjusted = np.full(p.shape, np.nan)
    known = np.isfinite(p)
    if known.any():
        adjusted[known] = multipletests(p[known], method="fdr_bh")[1]
    return adjusted


def student_quantile(confidence: float, df: int) -> float:
    """Return how many standard errors the limits of Student's interval are away."""
    return -float(stdtrit(df, (1 - confidence) / 2))
