"""Pairs of options that do more, or less, together than each by itself: the table `solo_interactions`.

The price list adds (R38), so a pair that departs from the sum is priced wrong in some settings whatever its prices are.
It is the logit of the win rate that is looked at, over the settings that are neither on the floor nor on the ceiling:
on counts of cards, which end at 0 and at the deck, nearly all pairs would seem to do less than their sum.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from clashsim.analysis.blocks import Jackknifed, benjamini_hochberg, jackknife, ratio
from clashsim.analysis.effects import firth_logit, independent_columns
from clashsim.analysis.intervals import Floats
from clashsim.analysis.precision import CONFIDENCE
from clashsim.experiments.audit_cells import OPTIONS, WIN, Cells
from clashsim.experiments.audit_fits import DIGITS, ENDS, Fit, Row, estimate_row, fit_outcome
from clashsim.experiments.audit_options import TOO_FEW

HARDER, EASIER, OPEN = "harder together", "easier together", "undecided"
PER_STEP = "per step"  # instead of a level of fixed mana: each point of mana above the base
FALSE_FINDS = 0.05  # share of the named pairs that may be wrong (Benjamini-Hochberg)
MATTERS = 0.5  # points beyond which a pair is called priced wrong
COLUMNS = [
    *("policy", "deck", "option", "level", "other_option", "other_level", "cells"),
    *("together", "together_low", "together_high", "in_points", "in_points_low", "in_points_high"),
    *("p", "p_adjusted", "pair_verdict", "matters"),
]
LEAST_CORNER = 4  # settings with both, either and none of a pair's levels


class _Unit(NamedTuple):
    """One side of a pair: how often an option's level is on in each cell (0 or 1; steps of fixed mana, 0 to 4)."""

    option: str
    level: str
    on: Floats


def interactions_table(cells: Cells) -> pd.DataFrame:
    """Return what pairs of options do together beyond their sum, per policy and deck (and ALL).

    Notes
    -----
    One fit per scope: main effects of all levels and the products of all pairs, fixed mana as its number of steps.
    `in_points` is the effect of the product over that of a point, positive where the pair makes the game harder
    than its points say. p-values are adjusted over the pairs of the scope (Benjamini-Hochberg).
    """
    rows = [
        row
        for policy, deck, scope in cells.scopes()
        for row in _rows({"policy": policy, "deck": deck}, scope)
    ]
    return pd.DataFrame(rows, columns=COLUMNS).round(DIGITS)


def _rows(names: Row, scope: Cells) -> list[Row]:
    fit = fit_outcome(scope, WIN)
    if fit is None:
        return []
    pairs = list(_pairs(fit.cells.frame))
    told, effects = _effects(fit, pairs)
    p = np.full(len(pairs), np.nan)
    p[told] = effects.p_other()
    adjusted = benjamini_hochberg(p)
    worth = fit.worth(fit.settings["points"].to_numpy(float))
    places = np.cumsum(told) - 1
    rows = []
    for number, (one, other) in enumerate(pairs):
        effect = None
        if told[number]:
            place = places[number]
            effect = Jackknifed(effects.value[place], effects.deviations[:, place])
        price = np.full(3, np.nan)
        if effect is not None and worth.is_harder:
            price[:] = ratio(effect, worth.slope, CONFIDENCE)
        row = names | {"option": one.option, "level": one.level}
        row |= {"other_option": other.option, "other_level": other.level, "cells": len(fit.cells.frame)}
        row |= estimate_row("together", effect)
        row |= {f"in_points{end}": each for end, each in zip(ENDS, price.tolist(), strict=True)}
        rows.append(row | {"p": p[number], "p_adjusted": adjusted[number]})
        rows[-1]["pair_verdict"] = _verdict(rows[-1])
        rows[-1]["matters"] = rows[-1]["pair_verdict"] in (HARDER, EASIER) and abs(price[0]) >= MATTERS
    return rows


def _verdict(row: Row) -> str:
    if np.isnan(row["p"]):
        return TOO_FEW
    if row["p_adjusted"] >= FALSE_FINDS:
        return OPEN
    return HARDER if row["together"] < 0 else EASIER


def _pairs(frame: pd.DataFrame) -> Iterator[tuple[_Unit, _Unit]]:
    """Yield all pairs of levels of different options."""
    steps = frame["fixed"].map(OPTIONS["fixed"].index).to_numpy(float)
    units = [
        _Unit(option, level, (frame[option] == level).to_numpy(float))
        for option, levels in OPTIONS.items()
        for level in levels[1:]
        if option != "fixed"
    ]
    units.insert(1, _Unit("fixed", PER_STEP, steps))
    yield from (pair for pair in combinations(units, 2) if pair[0].option != pair[1].option)


def _effects(fit: Fit, pairs: list[tuple[_Unit, _Unit]]) -> tuple[NDArray[np.bool_], Jackknifed]:
    """Return which pairs can be told, and of these what they do together beyond their sum."""
    cornered = np.array([_has_corners(one.on, other.on) for one, other in pairs])
    products = np.column_stack([one.on * other.on for one, other in pairs])
    main = fit.design.shape[1]
    told = cornered.copy()
    told[cornered] = independent_columns(np.column_stack([fit.design, products[:, cornered]]))[main:]
    design = np.column_stack([fit.design, products[:, told]])
    coefficients = firth_logit(design, fit.cells.counts["wins"], fit.cells.games)
    return told, jackknife(coefficients[:, main:])


def _has_corners(one: Floats, other: Floats) -> bool:
    corners = [(one > 0) & (other > 0), (one > 0) & (other == 0), (one == 0) & (other > 0)]
    return min(corner.sum() for corner in [*corners, (one == 0) & (other == 0)]) >= LEAST_CORNER
