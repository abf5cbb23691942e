"""What each option of a solo game's setting does, and whether it is worth its price: the table `solo_options`.

The price list (R38) adds points. On which scale should effects add, then? Percentage points of win rate shrink near 0
and 100 %, so that an option of four points would look too dear wherever a setting is hard already. Logits don't:
*suggested* prices are ratios of logits for the win rate, and ratios of means for counts of cards. What one point is
worth, in logits, is the slope over the printed points of what the fit of the options predicts for all settings. (A fit
that knows the points alone, to the settings that are neither on the floor nor on the ceiling, would find a flatter
slope, for what it leaves out and for which settings are missing: all options would look too cheap.)
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit

from clashsim.analysis.blocks import Jackknifed, jackknife, ratio
from clashsim.analysis.effects import Coding, average_difference, firth_logit, least_squares
from clashsim.analysis.intervals import Floats, bonferroni
from clashsim.analysis.precision import CONFIDENCE
from clashsim.experiments.audit_cells import LEAST_AT_LEVEL, OPTIONS, OUTCOMES, WIN, Cells

FAIR, CHEAP, DEAR, UNDECIDED = "fair", "too cheap", "too dear", "undecided"
NOT_CONVERTIBLE, TOO_FEW = "not convertible", "too few settings"
NEAR = 0.5  # points: a price nearer than this could not be better in whole points
ARABIC_NO_BASTION = 1  # the price of playing without Bastion in the Arabic text (R38)

DIGITS = 6
ENDS = ("", "_low", "_high")
Row = dict[str, Any]
Levels = tuple[str, str, str]  # option, base, level


class _Worth(NamedTuple):
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
class _Fit:
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

    def worth(self, points: Floats) -> _Worth:
        """Return what a point is worth, given the points of all settings."""
        design = self.coding.matrix(self.settings)
        others = [name in ("", "deck") for name, _ in self.coding.columns]
        weights = np.linalg.pinv(np.column_stack([design[:, others], points]))[-1]
        slope = self.coefficients @ (design.T @ weights)
        if self.outcome != WIN:
            return _Worth(jackknife(slope), jackknife(slope), is_harder=bool(slope[0] > 0))
        linear, half = self.coefficients @ self.design.T, slope[:, np.newaxis] / 2
        effect = (expit(linear + half) - expit(linear - half)).mean(axis=1)
        return _Worth(jackknife(slope), jackknife(effect), is_harder=bool(slope[0] < 0))


def options_table(cells: Cells) -> pd.DataFrame:
    """Return effect, price and verdict of every option, per policy, deck (and ALL) and outcome.

    One row for each level of an option against its base, and for fixed mana also against the level one below.

    Notes
    -----
    `price_verdict` compares the printed price with the interval of the suggested one, made simultaneous over the
    options of the same policy, deck and outcome (Bonferroni). *fair*: the interval lies within half a point of the
    printed price, so that no other whole number would be better. *too cheap*: it lies above: the option makes the game
    harder than its points say, and the player gets too few for it. *too dear*: it lies below: harder by less than its
    points say (of an option with negative points: easier by more). *undecided*: none of these. *not convertible*: it
    is not sure that a point makes the game harder at all. *too few settings*: too few are off floor and ceiling.
    """
    rows = [
        row
        for policy, deck, scope in cells.scopes()
        for outcome in OUTCOMES
        for row in _rows({"policy": policy, "deck": deck, "outcome": outcome}, scope)
    ]
    return pd.DataFrame(rows).round(DIGITS)


def compared(cells: Cells) -> Iterator[Levels]:
    """Yield option, base and level of all comparisons of levels that occur."""
    for option, levels in OPTIONS.items():
        present = [level for level in levels if (cells.frame[option] == level).any()]
        yield from ((option, present[0], level) for level in present[1:])
        if option == "fixed":
            yield from ((option, below, level) for below, level in pairwise(present[1:]))


def price_verdict(low: float, high: float, printed: float) -> str:
    """Compare a printed price with the limits of the price that is suggested; see `options_table`."""
    if np.isnan(low):
        return NOT_CONVERTIBLE
    if printed - NEAR <= low and high <= printed + NEAR:
        return FAIR
    return CHEAP if low > printed else DEAR if high < printed else UNDECIDED


def _rows(names: Row, scope: Cells) -> list[Row]:
    """Return the rows of one outcome of a scope."""
    printed = _printed(scope)
    fit = _fit(scope, names["outcome"])
    told = [fit is not None and fit.has(*levels) for levels in printed]
    confidence = bonferroni(CONFIDENCE, sum(told))
    worths = _worths(fit, printed) if fit else {}
    rows = []
    for (levels, price), is_told in zip(printed.items(), told, strict=True):
        prices = {"": price, "_arabic": ARABIC_NO_BASTION if levels[0] == "bastion" else price}
        row = names | dict(zip(("option", "base", "level"), levels, strict=True))
        row |= {"cells": len(fit.cells.frame) if fit else 0, "comparisons": sum(told)}
        row |= {f"printed{end}": each for end, each in prices.items()}
        shown = fit if is_told else None
        rows.append(
            row | _effects(shown, levels, worths) | _prices(shown, levels, worths, prices, confidence)
        )
    return rows


def _effects(fit: _Fit | None, levels: Levels, worths: Mapping[str, _Worth]) -> Row:
    """Return what a level does, and what a point is worth."""
    logits = fit is not None and fit.outcome == WIN
    worth = worths[""] if fit else None
    return (
        _estimate("effect", fit.effect(*levels) if fit else None)
        | _estimate("logit", fit.contrast(*levels) if fit and logits else None)
        | _estimate("point_worth", worth and worth.effect)
        | _estimate("point_logit", worth.slope if worth and logits else None)
    )


def _prices(
    fit: _Fit | None,
    levels: Levels,
    worths: Mapping[str, _Worth],
    prices: Mapping[str, int],
    confidence: float,
) -> Row:
    """Return the price that each price list should have for a level, with the verdict on what it has."""
    row: Row = {}
    for end, printed in prices.items():
        numbers = np.full(5, np.nan)
        if fit is not None and worths[end].is_harder:
            change, slope = fit.contrast(*levels), worths[end].slope
            numbers[:3] = ratio(change, slope, CONFIDENCE)
            numbers[3:] = ratio(change, slope, confidence)[1:]
        if np.isnan(numbers).any():
            numbers[:] = np.nan
        named = [f"suggested{end}{limit}" for limit in ("", "_low", "_high", "_low_all", "_high_all")]
        row |= dict(zip(named, numbers.tolist(), strict=True))
        verdict = price_verdict(numbers[3], numbers[4], printed)
        row[f"price_verdict{end}"] = verdict if fit else TOO_FEW
    return row


def _estimate(name: str, estimate: Jackknifed | None) -> Row:
    """Return an estimate and its limits as three columns."""
    numbers = np.full(3, np.nan)
    if estimate is not None:
        numbers[:] = estimate.value, *estimate.limits(CONFIDENCE)
    return {f"{name}{end}": each for end, each in zip(ENDS, numbers.tolist(), strict=True)}


def _worths(fit: _Fit, printed: Mapping[Levels, int]) -> dict[str, _Worth]:
    """Return what a point is worth by each price list."""
    points = fit.settings["points"].to_numpy(float)
    other = points.copy()
    for (option, _, level), price in printed.items():
        if option == "bastion":
            other += (ARABIC_NO_BASTION - price) * (fit.settings[option] == level).to_numpy()
    return {end: fit.worth(each) for end, each in (("", points), ("_arabic", other))}


def _fit(scope: Cells, outcome: str) -> _Fit | None:
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
    return _Fit(outcome, cells, coding, design, scope.frame[known], coefficients)


def _printed(scope: Cells) -> dict[Levels, int]:
    """Return the printed prices, as the cells' points have them: prices add, so least squares finds them exactly."""
    coding = scope.coding()
    design = coding.matrix(scope.frame)
    prices = np.linalg.lstsq(design, scope.frame["points"].to_numpy(float))[0]
    return {levels: round(float(prices @ coding.contrast(*levels))) for levels in compared(scope)}
