"""Ratings of the items of a pool from the results of their pairs: one Bradley–Terry fit, and how well it fits.

Pairs are given as an array (pairs, 2) of item numbers, first and second, each pair of items at most once; results
as counts (pairs, strata, 3) of games that the first won, drew, lost, stratified by who starts as in `intervals`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc, expit, ndtri, rel_entr  # scipy.stats would take a second to import

from clashsim.analysis.intervals import Floats, Interval, score_interval
from clashsim.errors import InputError

ELO_PER_LOGIT = 400 / np.log(10)
"""Elo points of a difference of 1 in log odds: 400 points are odds of ten to one."""

_MORE = 0.5  # games won and lost that are added to each pair
_NEXT_TO_NOTHING = 1e-4  # likewise, but only as many as keep the ratings finite


class Fit(NamedTuple):
    """How well ratings describe the results of the pairs.

    Attributes
    ----------
    chi2 : float
        Deviance: twice the log likelihood that the scores that the ratings imply are short of the observed ones.
        (Pearson's statistic cries wolf at a single surprise in a pair that is all but a shut-out.)
    df : int
        Degrees of freedom: pairs played - items + 1. Without any, the ratings fit by themselves.
    p : float
        Chance of so large a statistic if the ratings described the pairs; nan without degrees of freedom.
    miss : float
        Root mean square distance of the scores from those that the ratings imply (0.05: 5 percentage points),
        chance included.
    """

    chi2: float
    df: int
    p: float
    miss: float


class Ratings(NamedTuple):
    """Elo ratings relative to the mean of the pool, with their confidence limits, and how well they fit."""

    elo: Floats
    low: Floats
    high: Floats
    fit: Fit


def score_matrix(
    pairs: ArrayLike, scores: ArrayLike, items: int, opposite: ArrayLike | None = None
) -> Floats:
    """Return the scores of all items (rows) against all (columns): B against A is one minus A against B.

    Parameters
    ----------
    pairs : array_like of int, shape (pairs, 2)
    scores : array_like of float, shape (..., pairs)
        Scores of the first against the second.
    items : int
        Number of items.
    opposite : array_like of float, shape (..., pairs), optional
        What the second's score is one minus of, if not `scores`: with `scores` lower limits, the upper ones.

    Returns
    -------
    ndarray, shape (..., items, items)
        1/2 on the diagonal, nan for pairs that are not given.
    """
    first, second = np.asarray(pairs).T
    scores = np.asarray(scores, np.float64)
    matrix = np.full((*scores.shape[:-1], items, items), np.nan)
    matrix[..., first, second] = scores
    matrix[..., second, first] = 1 - (scores if opposite is None else np.asarray(opposite, np.float64))
    matrix[..., range(items), range(items)] = 0.5
    return matrix


def elo_ratings(
    pairs: ArrayLike, results: ArrayLike, names: Sequence[str], confidence: float = 0.95
) -> Ratings:
    """Rate all items together from the results of their pairs.

    Parameters
    ----------
    pairs : array_like of int, shape (pairs, 2)
    results : array_like of int, shape (pairs, strata, 3)
    names : sequence of str
        Of the items, for messages.
    confidence : float
        Two-sided coverage of the limits.

    Returns
    -------
    Ratings
        Arrays of shape (items,), in Elo points; the mean over the items is 0.

    Raises
    ------
    InputError
        If the pairs that were played do not connect all items, so that ratings could not be compared.

    Notes
    -----
    Bradley and Terry (1952): the score of i against j is ``1 / (1 + exp(r[j] - r[i]))``, a draw counting half.
    Every pair weighs alike, however many games it got. Where the model does not hold, the best fitting ratings
    depend on the weights of the pairs: weighed by their games, they would be others in a run that stops early.
    In a round robin the ratings have the order of the mean scores. Half a game won and half a game lost are added to
    each pair: an item that won every game gets a finite rating, and pairs of thousands of games do not feel it. What
    only shut-outs tell apart is rated too close together rather than infinitely apart.

    The limits are what the chance of the games leaves open about the best fitting rating against these opponents
    (sandwich variance: White 1982, with each pair's effective number of games, `intervals.score_interval`), true
    whether the model holds or not. They do not tell how far single pairs lie from what the ratings imply; that does
    the `Fit`.
    """
    pairs = np.asarray(pairs, np.int64).reshape(-1, 2)
    results = np.asarray(results, np.int64)
    score = score_interval(results[..., 0], results[..., 1], results[..., 2], confidence)
    played = score.games > 0
    pairs, score = pairs[played], Interval(*(values[played] for values in score))
    _check_connected(pairs, names)
    design = np.zeros((len(pairs), len(names)))
    design[range(len(pairs)), pairs[:, 0]] = 1
    design[range(len(pairs)), pairs[:, 1]] = -1
    games, share = _smoothed(score, _MORE)
    logits = _fit(design, np.ones_like(games), share)
    elo = ELO_PER_LOGIT * logits
    half_widths = -ELO_PER_LOGIT * ndtri((1 - confidence) / 2) * _errors(design, games, share, logits)
    return Ratings(elo, elo - half_widths, elo + half_widths, _lack_of_fit(design, score, logits))


def _check_connected(pairs: NDArray[np.int64], names: Sequence[str]) -> None:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(names), len(names)))
    parts, part_of = connected_components(links, directed=False)
    if parts > 1:
        inside = [name for name, part in zip(names, part_of, strict=True) if part == part_of[0]]
        outside = [name for name, part in zip(names, part_of, strict=True) if part != part_of[0]]
        raise InputError(
            f"ratings: {', '.join(outside)} never met {', '.join(inside)}, nor any of their opponents; "
            "expected pairs that connect all of them"
        )


def _fit(design: Floats, games: Floats, share: Floats) -> Floats:
    """Return the logits that maximise the likelihood, with mean 0: where its gradient vanishes.

    The mean of the logits is added to the likelihood as a direction of its own, which changes nothing as it is 0.
    """
    from scipy.optimize import minimize, root

    weights = games / games.mean()

    def loss(logits: Floats) -> float:
        difference = design @ logits
        return weights @ (np.logaddexp(0, difference) - share * difference) + logits.sum() ** 2 / 2

    def gradient(logits: Floats) -> Floats:
        return design.T @ (weights * (expit(design @ logits) - share)) + logits.sum()

    def hessian(logits: Floats) -> Floats:
        return _information(design, weights * _variance(design @ logits)) + 1

    # Descent finds the place from anywhere, to half the digits only; root finding finds all of them, but from nearby.
    near = minimize(loss, np.zeros(design.shape[1]), jac=gradient, hess=hessian, method="trust-exact").x
    logits = root(gradient, near, jac=hessian, options={"xtol": 1e-13, "maxfev": 10_000}).x
    if np.abs(gradient(logits)).max() > 1e-8:
        raise ArithmeticError("ratings: the fit of the Bradley–Terry model did not converge")
    return logits - logits.mean()


def _errors(design: Floats, games: Floats, share: Floats, logits: Floats) -> Floats:
    """Return the standard errors of the logits: equal weights, and the variances of the shares as observed."""
    bread = np.linalg.inv(_information(design, _variance(design @ logits)) + 1)
    meat = _information(design, share * (1 - share) / games)
    return np.sqrt(np.maximum(np.diag(bread @ meat @ bread), 0))


def _smoothed(score: Interval, more: float) -> tuple[Floats, Floats]:
    """Return games and scores with `more` games won and as many lost in each pair."""
    games = score.games + 2 * more
    return games, (score.games * score.value + more) / games


def _variance(difference: Floats) -> Floats:
    return expit(difference) * expit(-difference)


def _information(design: Floats, weights: Floats) -> Floats:
    return design.T @ (weights[:, np.newaxis] * design)


def _lack_of_fit(design: Floats, score: Interval, logits: Floats) -> Fit:
    """Test whether any ratings describe the pairs, each with its games, and tell by how much these do not.

    The test adds next to nothing to the games, so that shut-outs are no misfit by themselves.
    """
    pairs, items = design.shape
    df = pairs - items + 1
    if df == 0:
        return Fit(0.0, 0, np.nan, 0.0)
    difference = design @ _fit(design, *_smoothed(score, _NEXT_TO_NOTHING))
    surprise = rel_entr(score.value, expit(difference)) + rel_entr(1 - score.value, expit(-difference))
    chi2 = max(2 * float((score.games * surprise).sum()), 0.0)  # 0 may come out as less, by rounding
    miss = float(np.sqrt(((score.value - expit(design @ logits)) ** 2).mean()))
    return Fit(chi2, df, float(chdtrc(df, chi2)), miss)
