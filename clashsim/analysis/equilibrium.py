"""The game before the game: which mix of items to bring when the other side chooses too, unseen.

A zero-sum game in matrix form: side A picks a row, side B a column, and the matrix holds A's scores, as fractions.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clashsim.analysis.intervals import Floats
from clashsim.analysis.ratings import score_matrix
from clashsim.errors import InputError

REPLICATES = 1000
IN_THE_MIX = 1e-6
"""A larger weight counts as support; smaller ones are rounding of the linear program."""

_SLACK = 1e-12  # by which a mix may miss what it has to secure, as numbers are rounded
_AT_ONCE = 100  # games solved as one linear program, for speed


class Equilibrium(NamedTuple):
    """Mixes that neither side can improve on alone: weights of the rows and columns, and A's score under them."""

    rows: Floats
    columns: Floats
    value: float


class Mix(NamedTuple):
    """A side's weights with their intervals, and the share of replicates that have the item in the mix."""

    weight: Floats
    low: Floats
    high: Floats
    support: Floats


class EquilibriumEstimate(NamedTuple):
    """An equilibrium from measured scores: the mixes of both sides, and A's score with its interval."""

    rows: Mix
    columns: Mix
    value: float
    value_low: float
    value_high: float


def equilibrium(scores: ArrayLike) -> Equilibrium:
    """Solve the game in which side A picks a row and side B a column.

    Parameters
    ----------
    scores : array_like of float, shape (rows, columns)
        A's score, 0 to 1 (any other scale will do).

    Returns
    -------
    Equilibrium
        Of several equilibria, on either side the most even mix: the one whose squared weights have the least sum.
        There is just one such, whatever the order of the items, and items that do not differ share alike.

    Raises
    ------
    InputError
        If a score is missing (nan) or there is none.

    Notes
    -----
    By linear programming (von Neumann's minimax theorem): A's mix maximises the least score over the columns, B's
    the least of what it leaves A over the rows.
    """
    scores = np.asarray(scores, np.float64)
    if scores.size == 0 or not np.isfinite(scores).all():
        raise InputError("equilibrium: a score is missing; expected one for every row against every column")
    rows, columns, values = _solve(scores[np.newaxis])
    return Equilibrium(_most_even(scores, rows[0]), _most_even(-scores.T, columns[0]), float(values[0]))


def estimate_equilibrium(
    pairs: ArrayLike,
    results: ArrayLike,
    sides: tuple[Sequence[int], Sequence[int]],
    seed: int,
    replicates: int = REPLICATES,
    confidence: float = 0.95,
) -> EquilibriumEstimate:
    """Solve the game of measured scores, and see by resampling how sure its solution is.

    Parameters
    ----------
    pairs : array_like of int, shape (pairs, 2)
        Item numbers; every item of a side has met every other item of the other side.
    results : array_like of int, shape (pairs, strata, 3)
        Games that the first won, drew, lost.
    sides : two sequences of int
        The items that side A and side B choose from. The same ones make a mirror game, worth 1/2 to both.
    seed : int
        Of the random numbers: the same seed gives the same intervals.
    replicates : int
        Number of resampled games.
    confidence : float
        Of the intervals, which are quantiles over the replicates, widened to hold the estimate.

    Notes
    -----
    Bayesian bootstrap (Rubin 1981): in each replicate the shares of won, drawn and lost games of a stratum are
    drawn from the Dirichlet distribution of their counts, half a won and half a lost game added (Jeffreys). So a
    pair in which one side won every game still varies, by as much as its number of games leaves open; resampling
    the games themselves would call it certain.
    """
    results = np.asarray(results, np.int64)
    items = int(np.max(pairs)) + 1
    rows_of, columns_of = np.ix_(*sides)
    counts = results.sum(axis=1)
    measured = (counts[:, 0] + counts[:, 1] / 2) / counts.sum(axis=1)
    solution = equilibrium(score_matrix(pairs, measured, items)[rows_of, columns_of])
    drawn = resampled_scores(results, replicates, np.random.default_rng(seed))
    rows, columns, values = _solve(score_matrix(pairs, drawn, items)[:, rows_of, columns_of])
    if tuple(sides[0]) == tuple(sides[1]):
        mix = _estimate(solution.rows, rows, confidence)
        return EquilibriumEstimate(mix, mix, 0.5, 0.5, 0.5)
    low, high = _limits(values, confidence)
    return EquilibriumEstimate(
        _estimate(solution.rows, rows, confidence),
        _estimate(solution.columns, columns, confidence),
        solution.value,
        min(float(low), solution.value),
        max(float(high), solution.value),
    )


def resampled_scores(results: NDArray[np.int64], replicates: int, rng: np.random.Generator) -> Floats:
    """Draw scores of pairs as their counts leave them open, (replicates, pairs); see `estimate_equilibrium`."""
    games = results.sum(axis=-1)
    shares = rng.standard_gamma(results + np.array([0.5, 0, 0.5]), size=(replicates, *results.shape))
    scores = (shares[..., 0] + shares[..., 1] / 2) / shares.sum(axis=-1)
    return (scores * (games / games.sum(axis=-1, keepdims=True))).sum(axis=-1)


def _estimate(weight: Floats, mixes: Floats, confidence: float) -> Mix:
    low, high = _limits(mixes, confidence)
    support = (mixes > IN_THE_MIX).mean(axis=0)
    return Mix(weight, np.minimum(low, weight), np.maximum(high, weight), support)


def _limits(replicates: Floats, confidence: float) -> Floats:
    return np.quantile(replicates, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)


def _solve(scores: Floats) -> tuple[Floats, Floats, Floats]:
    """Solve games (games, rows, columns): return mixes of the rows and of the columns, and values (games,)."""
    scaled, least, span = _scaled(scores)
    batches = [_solve_at_once(scaled[first : first + _AT_ONCE]) for first in range(0, len(scores), _AT_ONCE)]
    rows, columns, values = (np.concatenate(parts) for parts in zip(*batches, strict=True))
    return rows, columns, least + span * values


def _scaled(scores: Floats) -> tuple[Floats, Floats, Floats]:
    """Stretch each game to scores from 0 to 1, so that the solver's tolerances are fine enough for close games."""
    least, span = scores.min(axis=(-2, -1)), np.ptp(scores, axis=(-2, -1))
    span = np.where(span > 0, span, 1)
    return (scores - least[..., np.newaxis, np.newaxis]) / span[..., np.newaxis, np.newaxis], least, span


def _solve_at_once(scores: Floats) -> tuple[Floats, Floats, Floats]:
    """Solve games as one linear program: each has its variables, the weights of the rows and the value."""
    from scipy.optimize import linprog
    from scipy.sparse import block_diag

    games, rows, columns = scores.shape
    secured = block_diag([np.hstack([-game.T, np.ones((columns, 1))]) for game in scores], "csr")
    whole = block_diag([np.append(np.ones(rows), 0)[np.newaxis]] * games, "csr")
    solved = linprog(
        c=np.tile(np.append(np.zeros(rows), -1), games),
        A_ub=secured,
        b_ub=np.zeros(games * columns),
        A_eq=whole,
        b_eq=np.ones(games),
        bounds=[*[(0, None)] * rows, (None, None)] * games,
    )
    if not solved.success:
        raise ArithmeticError(f"equilibrium: {solved.message}")
    variables = solved.x.reshape(games, rows + 1)
    prices = -solved.ineqlin.marginals.reshape(games, columns)  # B's mix, by duality
    return _mixes(variables[:, :-1]), _mixes(prices), variables[:, -1]


def _mixes(weights: Floats) -> Floats:
    weights = np.maximum(weights, 0)
    return weights / weights.sum(axis=-1, keepdims=True)


def _most_even(scores: Floats, mix: Floats) -> Floats:
    """Return the most even of the mixes that secure as much as `mix`: `mix` itself, if it is the only one.

    The shortest step away from equal weights that satisfies linear inequalities: least distance programming
    (Lawson and Hanson 1974, chapter 23), within the steps that leave the sum of the weights alone.
    """
    from scipy.optimize import nnls

    scores, n = _scaled(scores)[0], len(mix)
    equal = np.full(n, 1 / n)
    steps = np.linalg.svd(np.ones((1, n)))[2][1:]
    constraints = np.vstack([np.eye(n), scores.T])
    least = np.append(np.zeros(n), np.full(scores.shape[1], (mix @ scores).min() - _SLACK))
    dual = np.vstack([steps @ constraints.T, least - constraints @ equal])
    weights, _ = nnls(dual, np.append(np.zeros(n - 1), 1))
    residual = dual @ weights - np.append(np.zeros(n - 1), 1)
    even = _mixes(equal - residual[:-1] @ steps / residual[-1])
    secures_as_much = (even @ scores).min() >= (mix @ scores).min() - IN_THE_MIX
    return even if secures_as_much and np.abs(even - mix).max() > IN_THE_MIX else mix
