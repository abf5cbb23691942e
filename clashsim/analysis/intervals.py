"""Confidence intervals for scores, rates and means, computed from integer counts.

All functions are vectorised: they take scalars or arrays and broadcast. Shares and intervals are fractions
(0.5 is 50 %), never percentages.

A score counts a win as 1, a draw as 1/2 and a loss as 0. Its games fall into *strata* of fixed size (which
side starts), so only the variance within the strata matters. Scores are handled as offsets from 1/2, rounded
to a grid on which ``1 - x`` is exact: the interval of B against A is then one minus that of A against B, to
the last bit.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import lambertw, ndtri, stdtrit  # scipy.stats has them too, but takes a second to import

from clashsim.errors import InputError

Floats = NDArray[np.float64]

BAND = (0.475, 0.525)
"""Scores that count as balanced unless the user says otherwise."""

SEQUENCE_GAMES = 20_000
"""Number of games at which a confidence sequence is tightest."""

_GRID = 2.0**53


class Interval(NamedTuple):
    """An estimate with its confidence limits; `games` is the (effective) number of games it rests on."""

    value: Floats
    low: Floats
    high: Floats
    games: Floats

    @property
    def half_width(self) -> Floats:
        """Half the distance between the limits."""
        return (self.high - self.low) / 2


def wilson(share: ArrayLike, games: ArrayLike, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's interval for a share.

    Parameters
    ----------
    share : array_like of float
        Observed share, 0 to 1.
    games : array_like of float
        Number of games; an effective number need not be whole. With 0 games the interval is (0, 1).
    confidence : float
        Two-sided coverage.

    Returns
    -------
    low, high : ndarray
        Always ``0 <= low <= share <= high <= 1``.

    Notes
    -----
    Wilson (1927): the shares p with ``|share - p| <= z * sqrt(p * (1 - p) / games)``.
    """
    share = np.asarray(share, np.float64)
    low, high = _wilson_offsets(share - 0.5, np.asarray(games, np.float64), _quantile(confidence))
    return np.minimum(0.5 + low, share), np.maximum(0.5 + high, share)


def score_interval(
    wins: ArrayLike, draws: ArrayLike, losses: ArrayLike, confidence: float = 0.95
) -> Interval:
    """Score (wins + draws / 2) / games with its interval, stratified by the last axis.

    Parameters
    ----------
    wins, draws, losses : array_like of int, shape (..., strata)
        Counts per stratum. One stratum is allowed; strata without games are ignored.
    confidence : float
        Two-sided coverage.

    Returns
    -------
    Interval
        Arrays of shape (...). Without any games the score is 1/2 with limits 0 and 1.

    Notes
    -----
    Wilson's interval on the effective number of games ``score * (1 - score) / variance``, where ``variance``
    adds up the variances within the strata, draws included. For this ratio (not for the score) every stratum
    is smoothed by z**2 further games, half won and half lost, as Agresti and Coull (1998) do for a single
    share. So a stratum in which every game ended alike still has a variance, of the size that the outcome
    leaves possible, and a single stratum without draws gives exactly Wilson's interval.
    """
    wins, draws, losses = _counts(wins, draws, losses)
    return _score_interval(wins, draws, losses, np.asarray(_quantile(confidence)))


def score_sequence(
    wins: ArrayLike, draws: ArrayLike, losses: ArrayLike, confidence: float = 0.95
) -> Interval:
    """Score with limits that hold at every number of games at once, so that one may look and stop at will.

    Parameters and result are those of `score_interval`, and so is the stratification.

    Notes
    -----
    An asymptotic confidence sequence: `score_interval` with its quantile z replaced, after n games, by
    ``sqrt(2 * (1 + 1 / (n * rho**2)) * log(sqrt(n * rho**2 + 1) / alpha))``, the boundary of Robbins' normal
    mixture (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, Time-uniform central limit theory and
    asymptotic confidence sequences, Annals of Statistics 52, theorem 2.2). Their choice of rho makes it
    tightest at `SEQUENCE_GAMES` games. It is asymptotic in the number of games at the first look.
    """
    wins, draws, losses = _counts(wins, draws, losses)
    games = (wins + draws + losses).sum(axis=-1)
    return _score_interval(wins, draws, losses, _mixture_quantile(games, confidence))


def rate_interval(hits: ArrayLike, games: ArrayLike, confidence: float = 0.95) -> Interval:
    """Rate hits / games of what happens or not, stratified by the last axis as in `score_interval`."""
    hits, games = np.asarray(hits, np.int64), np.asarray(games, np.int64)
    return score_interval(hits, 0, games - hits, confidence)


def mean_of_intervals(interval: Interval) -> Interval:
    """Mean over the last axis of independent estimates with intervals, with its own interval.

    Notes
    -----
    The distances to the limits add up in squares on either side (MOVER: Zou and Donner 2008), so that limits
    which are not symmetric stay so, and shut-outs keep theirs.
    """
    n = interval.value.shape[-1]
    mean = interval.value.mean(axis=-1)
    below = np.sqrt(((interval.value - interval.low) ** 2).sum(axis=-1)) / n
    above = np.sqrt(((interval.high - interval.value) ** 2).sum(axis=-1)) / n
    return Interval(mean, mean - below, mean + above, interval.games.sum(axis=-1))


def mean_interval(
    total: ArrayLike, total_of_squares: ArrayLike, n: ArrayLike, confidence: float = 0.95
) -> Interval:
    """Mean of `n` values known by their sum and sum of squares, with Student's interval.

    In the unit of the values. Fewer than two values have no interval, none at all no mean: those are nan.
    """
    total, squares, n = (np.asarray(sums, np.float64) for sums in (total, total_of_squares, n))
    _quantile(confidence)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        variance = np.maximum(squares - total * mean, 0) / np.where(n > 1, n - 1, np.nan)
        half_width = -stdtrit(n - 1, (1 - confidence) / 2) * np.sqrt(variance / n)
    return Interval(mean, mean - half_width, mean + half_width, n)


def histogram_quantile(counts: ArrayLike, q: float) -> Floats:
    """Exact quantile of whole numbers 0, 1, 2, … of which ``counts[..., value]`` were seen.

    Where the quantile falls between two neighbours (the median of an even number of values), their average.
    An empty histogram gives nan.
    """
    if not 0 <= q <= 1:
        raise InputError(f"quantile {q}: expected a number from 0 to 1.")
    counts = np.asarray(counts, np.int64)
    cumulated = counts.cumsum(axis=-1)
    n = cumulated[..., -1]
    exact = Fraction(q).limit_denominator(
        10**6
    )  # as an integer ratio, 0.1 * n is a whole number when it should be
    upper, remainder = np.divmod(n * exact.numerator, exact.denominator)
    lower = np.where(remainder == 0, upper - 1, upper)
    ranks = np.clip(np.stack([lower, upper]), 0, np.maximum(n - 1, 0))
    values = (cumulated <= ranks[..., np.newaxis]).sum(axis=-1)
    return np.where(n > 0, values.mean(axis=0), np.nan)


def bonferroni(confidence: float, comparisons: int) -> float:
    """Confidence that each of several intervals needs so that all of them hold together with `confidence`."""
    _quantile(confidence)
    return 1 - (1 - confidence) / max(comparisons, 1)


def verdict(low: ArrayLike, high: ArrayLike, band: tuple[float, float] = BAND) -> NDArray[np.str_]:
    """Read "balanced", "unbalanced" or "undecided" off intervals.

    Balanced: the interval lies inside the band. Unbalanced: it lies outside. Undecided: it crosses an edge.
    """
    low, high = np.asarray(low), np.asarray(high)
    inside = (low >= band[0]) & (high <= band[1])
    outside = (low > band[1]) | (high < band[0])
    return np.select([inside, outside], ["balanced", "unbalanced"], "undecided")[()]


def distance(score: ArrayLike, band: tuple[float, float] = BAND) -> Floats:
    """Distance of scores from the band: negative below it, 0 inside, positive above."""
    score = np.asarray(score, np.float64)
    return score - np.clip(score, *band)


def _quantile(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise InputError(f"confidence {confidence}: expected a number between 0 and 1, such as 0.95.")
    return -float(ndtri((1 - confidence) / 2))


def _mixture_quantile(games: NDArray[np.int64], confidence: float) -> Floats:
    """Number of standard errors that the score stays within at all numbers of games together."""
    _quantile(confidence)
    alpha = 1 - confidence
    # With x = n rho**2 the square (1 + 1 / x) * (log(x + 1) - 2 * log(alpha)) is least where it equals x + 1.
    least = -lambertw(-(alpha**2) / np.e, k=-1).real - 1
    x = least * np.maximum(games, 1) / SEQUENCE_GAMES
    return np.sqrt((1 + 1 / x) * (np.log1p(x) - 2 * np.log(alpha)))


def _counts(*counts: ArrayLike) -> tuple[NDArray[np.int64], ...]:
    return np.broadcast_arrays(*(np.asarray(each, np.int64) for each in counts))


def _score_interval(wins: NDArray, draws: NDArray, losses: NDArray, z: Floats) -> Interval:
    """Score with the limits z standard errors away; z is one number or has the shape of the result."""
    effective = _effective_games(wins, draws, losses, z)
    total = (wins + draws + losses).sum(axis=-1)
    offset = (wins - losses).sum(axis=-1) / np.maximum(2 * total, 1)
    low, high = _wilson_offsets(offset, effective, z)
    offset = _on_grid(offset)
    return Interval(0.5 + offset, 0.5 + np.minimum(low, offset), 0.5 + np.maximum(high, offset), effective)


def _on_grid(offset: Floats) -> Floats:
    return np.rint(offset * _GRID) / _GRID


def _wilson_offsets(offset: Floats, games: Floats, z: Floats | float) -> tuple[Floats, Floats]:
    """Limits of Wilson's interval; the share and the limits are given as offsets from 1/2."""
    variance = (0.5 - offset) * (0.5 + offset)
    centre = offset * (games / (games + z**2))
    half_width = z * np.sqrt(games * variance + z**2 / 4) / (games + z**2)
    return (
        np.clip(_on_grid(centre - half_width), -0.5, 0.5),
        np.clip(_on_grid(centre + half_width), -0.5, 0.5),
    )


def _effective_games(wins: NDArray, draws: NDArray, losses: NDArray, z: Floats) -> Floats:
    """Number of games with two outcomes that would know the score as well as these strata do."""
    games = wins + draws + losses
    prior = np.where(games > 0, z[..., np.newaxis] ** 2, 0.0)
    won, lost, smoothed = wins + prior / 2, losses + prior / 2, games + prior
    # The terms are symmetric in won and lost, so that swapping the sides changes no bit.
    per_game = (won * lost + (won + lost) * draws / 4) / np.maximum(smoothed, 1) ** 2
    weight = games / np.maximum(games.sum(axis=-1, keepdims=True), 1)
    variance = (weight**2 * per_game / np.maximum(games, 1)).sum(axis=-1)
    pooled = (weight * (won - lost) / np.maximum(2 * smoothed, 1)).sum(axis=-1)
    played = variance > 0
    return np.where(played, (0.5 - pooled) * (0.5 + pooled) / np.where(played, variance, 1), 0.0)
