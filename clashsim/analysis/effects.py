"""Effects of factors on rates and means over a designed set of conditions: regression on grouped counts.

Each condition is one *cell* of the design: a level of each factor. A factor's first level is its *base*; the others
have a column of the design matrix each (treatment coding). All fits take replicates, arrays of shape (replicates,
cells), and fit them all at once: the cells' counts from all games, and without one block of games after the other
(`blocks.leave_one_out`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from clashsim.analysis.intervals import Floats

_ITERATIONS = 100
_CLOSE = 1e-8  # steps of coefficients below this end the fit
_STEP = 4.0  # longest step of a coefficient
_LEAST_VARIANCE = 1e-12  # of a game; keeps the information regular wherever a step leads


@dataclass(frozen=True)
class Coding:
    """How factors become the columns of a design matrix: an intercept, then each factor's levels but the base.

    Attributes
    ----------
    levels : mapping of str to sequence of str
        The levels of each factor, its base first.
    """

    levels: Mapping[str, Sequence[str]]

    @property
    def columns(self) -> list[tuple[str, str]]:
        """Factor and level of each column; that of the intercept is empty."""
        return [("", ""), *((name, level) for name, levels in self.levels.items() for level in levels[1:])]

    def matrix(self, cells: pd.DataFrame) -> Floats:
        """Return the design matrix of cells with a column of levels for each factor, shape (cells, columns)."""
        values = {name: cells[name].to_numpy() for name in self.levels}
        columns = [values[name] == level if name else np.ones(len(cells)) for name, level in self.columns]
        return np.column_stack(columns).astype(np.float64)

    def contrast(self, factor: str, base: str, level: str) -> Floats:
        """Return what `level` adds to `base`: the difference of their rows, shape (columns,)."""
        return self._row(factor, level) - self._row(factor, base)

    def at(self, matrix: Floats, factor: str, level: str) -> Floats:
        """Return the design matrix with the factor at that level in all cells."""
        of_factor = [name == factor for name, _ in self.columns]
        changed = matrix.copy()
        changed[:, of_factor] = self._row(factor, level)[of_factor]
        return changed

    def _row(self, factor: str, level: str) -> Floats:
        return np.array([column == (factor, level) for column in self.columns], np.float64)


def firth_logit(design: Floats, wins: ArrayLike, games: ArrayLike) -> Floats:
    """Fit logistic regressions to grouped counts, reducing their bias; finite also where cells are empty or full.

    Parameters
    ----------
    design : ndarray, shape (cells, columns)
        Of full column rank over the cells that have games.
    wins, games : array_like of int, shape (replicates, cells) or (cells,)

    Returns
    -------
    ndarray, shape (replicates, columns) or (columns,)
        Coefficients in logits.

    Notes
    -----
    Firth (1993), Bias reduction of maximum likelihood estimates, Biometrika 80: the likelihood is penalised by the root
    of the information's determinant, which shrinks as counts grow. A group of games with leverage h is fitted
    as if h / 2 games more were won and h / 2 lost. Newton steps with halving (Heinze and Schemper 2002).
    """
    wins, games = np.broadcast_arrays(np.asarray(wins, np.float64), np.asarray(games, np.float64))
    if wins.ndim == 1:
        return firth_logit(design, wins[np.newaxis], games[np.newaxis])[0]
    first = _newton(design, wins[:1], games[:1], np.zeros((1, design.shape[1])))
    if len(wins) == 1:
        return first
    rest = _newton(design, wins[1:], games[1:], np.repeat(first, len(wins) - 1, axis=0))
    return np.concatenate([first, rest])


def least_squares(design: Floats, sums: ArrayLike, games: ArrayLike) -> Floats:
    """Fit the cells' means by least squares, each weighing as many games as it has.

    Parameters and result are those of `firth_logit`, with sums of an outcome over the games instead of wins, and
    coefficients in the outcome's unit.
    """
    sums, games = np.broadcast_arrays(np.asarray(sums, np.float64), np.asarray(games, np.float64))
    totals = (sums @ design)[..., np.newaxis]
    return np.linalg.solve(_information(design, games), totals)[..., 0].astype(np.float64)


def average_difference(low: Floats, high: Floats, coefficients: Floats) -> Floats:
    """Return how much higher the predicted rates are at `high` than at `low`, on average over the cells.

    Parameters
    ----------
    low, high : ndarray, shape (cells, columns)
        Design matrices that differ in what is asked about.
    coefficients : ndarray, shape (..., columns)
        In logits.

    Returns
    -------
    ndarray, shape (...)
        Average marginal effects, as differences of shares.
    """
    return (expit(coefficients @ high.T) - expit(coefficients @ low.T)).mean(axis=-1)


def independent_columns(design: Floats) -> NDArray[np.bool_]:
    """Return which columns are not made up of those before them."""
    kept: list[Floats] = []
    independent = np.zeros(design.shape[1], bool)
    for number, column in enumerate(design.T):
        rest = column.astype(np.float64)
        for _ in range(2):  # once more, against rounding
            for direction in kept:
                rest = rest - (rest @ direction) * direction
        length = float(np.linalg.norm(rest))
        if length > 1e-9 * max(float(np.linalg.norm(column)), 1.0):
            independent[number] = True
            kept.append(rest / length)
    return independent


def _information(design: Floats, weights: Floats) -> Floats:
    return (design.T * weights[..., np.newaxis, :]) @ design


def _newton(design: Floats, wins: Floats, games: Floats, start: Floats) -> Floats:
    coefficients = start.copy()
    likelihood, step = _penalised(design, wins, games, coefficients)
    for _ in range(_ITERATIONS):
        moving = np.flatnonzero(np.abs(step).max(axis=1) > _CLOSE)
        if not len(moving):
            break
        trial = coefficients[moving] + step[moving]
        likelihood_there, step_there = _penalised(design, wins[moving], games[moving], trial)
        better = likelihood_there > likelihood[moving]
        step[moving[~better]] /= 2
        moved = moving[better]
        coefficients[moved], likelihood[moved], step[moved] = (
            each[better] for each in (trial, likelihood_there, step_there)
        )
    return coefficients


def _penalised(design: Floats, wins: Floats, games: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
    """Return the penalised log likelihood of each replicate and its Newton step."""
    linear = coefficients @ design.T
    rates = expit(linear)
    weights = games * np.maximum(rates * (1 - rates), _LEAST_VARIANCE)
    information = _information(design, weights)
    inverse = np.linalg.inv(information)
    leverage = weights * ((design @ inverse) * design).sum(axis=-1)
    score = (wins - games * rates + leverage * (0.5 - rates)) @ design
    step = (inverse @ score[..., np.newaxis])[..., 0]
    longest = np.abs(step).max(axis=1, keepdims=True)
    step = step * np.minimum(1, _STEP / np.maximum(longest, _STEP))
    log_likelihood = (wins * linear - games * np.logaddexp(0, linear)).sum(axis=1)
    return log_likelihood + np.linalg.slogdet(information)[1] / 2, step
