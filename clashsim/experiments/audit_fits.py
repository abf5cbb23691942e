"""Fits of the options' main effects to an outcome of solo games, and what a point of the price list is worth.

The price list (R38) adds points. On which scale should effects add, then? Percentage points of win rate shrink near 0
and 100 %, so that an option of four points would look too dear wherever a setting is hard already. Logits don't, so
win rates are fitted in logits, and counts of cards as they are.

What one point is worth is the slope over the printed points of what the fit of the options predicts for all settings.
(A fit that knows the points alone, to the settings that are neither on the floor nor on the ceiling, would find a
flatter slope, for what it leaves out and for which settings are missing: all options would look too cheap.)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit

from clashsim.analysis.blocks import Jackknifed, jackknife
from clashsim.analysis.effects import Coding, average_difference, firth_logit, least_squares
from clashsim.analysis.intervals import Floats
from clashsim.analysis.precision import CONFIDENCE
from clashsim.experiments.audit_cells import LEAST_AT_LEVEL, OPTIONS, WIN, Cells

DIGITS = 6
ENDS = ("", "_low", "_high")
Row = dict[str, Any]
Levels = tuple[str, str, str]  # option, base, level


class Worth(NamedTuple):
    """What a point is worth.

    Attributes
    ----------
    slope : Jackknifed
        How much what is fitted changes with a point, on average over the options: the logit of the win rate, or the
        mean of cards.
    effect : Jackknifed
        How much the outcome then changes with a point, on average over the cells: the share of wins, or cards.
    is_harder : bool
        Whether a point makes the game harder, as it should.
    """

    slope: Jackknifed
    effect: Jackknifed
    is_harder: bool


@dataclass(frozen=True)
class Fit:
    """A fit of main effects of the options to an outcome of the cells of a scope."""

    outcome: str
    cells: Cells
    coding: Coding
    design: Floats
    settings: pd.DataFrame  # all that were played, as far as their levels are known from the cells
    coefficients: Floats  # replicates

    def has(self, option: str, base: str, level: str) -> bool:
        """Whether there are enough cells with either level."""
        return all((self.cells.frame[option] == each).sum() >= LEAST_AT_LEVEL for each in (base, level))

    def effect(self, option: str, base: str, level: str) -> Jackknifed:
        """Return how much the level changes the outcome: the share of wins, or cards."""
        if self.outcome != WIN:
            return self.contrast(option, base, level)
        low, high = (self.coding.at(self.design, option, each) for each in (base, level))
        return jackknife(average_difference(low, high, self.coefficients))

    def contrast(self, option: str, base: str, level: str) -> Jackknifed:
        """Return how much the level changes what is fitted: the logit of the win rate, or the mean of cards."""
        return jackknife(self.coefficients @ self.coding.contrast(option, base, level))

    def worth(self, points: Floats) -> Worth:
        """Return what a point is worth, given the points of all settings."""
        design = self.coding.matrix(self.settings)
        others = [name in ("", "deck") for name, _ in self.coding.columns]
        weights = np.linalg.pinv(np.column_stack([design[:, others], points]))[-1]
        slope = self.coefficients @ (design.T @ weights)
        if self.outcome != WIN:
            return Worth(jackknife(slope), jackknife(slope), is_harder=bool(slope[0] > 0))
        linear, half = self.coefficients @ self.design.T, slope[:, np.newaxis] / 2
        effect = (expit(linear + half) - expit(linear - half)).mean(axis=1)
        return Worth(jackknife(slope), jackknife(effect), is_harder=bool(slope[0] < 0))


def fit_outcome(scope: Cells, outcome: str) -> Fit | None:
    """Fit an outcome; None where too few cells are left. Win rates on the floor or the ceiling are left out."""
    cells = scope.inside if outcome == WIN else scope
    if not len(cells.frame):
        return None
    coding = cells.coding()
    design = coding.matrix(cells.frame)
    if not cells.is_estimable(design):
        return None
    if outcome == WIN:
        coefficients = firth_logit(design, cells.counts["wins"], cells.games)
    else:
        coefficients = least_squares(design, cells.counts[outcome], cells.games)
    known = np.logical_and.reduce([scope.frame[name].isin(levels) for name, levels in coding.levels.items()])
    return Fit(outcome, cells, coding, design, scope.frame[known], coefficients)


def compared(cells: Cells) -> Iterator[Levels]:
    """Yield option, base and level of all comparisons of levels that occur."""
    for option, levels in OPTIONS.items():
        present = [level for level in levels if (cells.frame[option] == level).any()]
        yield from ((option, present[0], level) for level in present[1:])
        if option == "fixed":
            yield from ((option, below, level) for below, level in pairwise(present[1:]))


def printed_prices(scope: Cells) -> dict[Levels, int]:
    """Return the printed prices, as the cells' points have them: prices add, so least squares finds them exactly."""
    coding = scope.coding()
    design = coding.matrix(scope.frame)
    prices = np.linalg.lstsq(design, scope.frame["points"].to_numpy(float))[0]
    return {levels: round(float(prices @ coding.contrast(*levels))) for levels in compared(scope)}


def estimate_row(name: str, estimate: Jackknifed | None) -> Row:
    """Return an estimate and its limits as three columns."""
    numbers = np.full(3, np.nan)
    if estimate is not None:
        numbers[:] = estimate.value, *estimate.limits(CONFIDENCE)
    return {f"{name}{end}": each for end, each in zip(ENDS, numbers.tolist(), strict=True)}
