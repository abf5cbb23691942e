"""What each option of a solo game's setting does, and whether it is worth its price: the table `solo_options`.

*Suggested* prices are ratios: what an option does to what one point does (`audit_fits`).
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from clashsim.analysis.blocks import ratio
from clashsim.analysis.intervals import bonferroni
from clashsim.analysis.precision import CONFIDENCE
from clashsim.clash.solo_settings import NO_BASTION_POINTS
from clashsim.experiments.audit_cells import OUTCOMES, WIN, Cells
from clashsim.experiments.audit_fits import (
    DIGITS,
    ENDS,
    Fit,
    Levels,
    Row,
    Worth,
    estimate_row,
    fit_outcome,
    printed_prices,
)

FAIR, CHEAP, DEAR, UNDECIDED = "fair", "too cheap", "too dear", "undecided"
NOT_CONVERTIBLE, TOO_FEW, BY_WINS = "not convertible", "too few settings", "by wins only"
_SUGGESTED = (*ENDS, "_low_all", "_high_all")
COLUMNS = [
    *("policy", "deck", "outcome", "option", "base", "level", "cells", "comparisons"),
    *(f"{name}{end}" for name in ("effect", "logit", "point_worth", "point_logit") for end in ENDS),
    *("printed", *(f"suggested{limit}" for limit in _SUGGESTED), "price_verdict"),
    *("printed_arabic", *(f"suggested_arabic{limit}" for limit in _SUGGESTED), "price_verdict_arabic"),
]
NEAR = 0.5  # points: a price nearer than this could not be better in whole points
ARABIC_NO_BASTION = max(NO_BASTION_POINTS.values())


def options_table(cells: Cells) -> pd.DataFrame:
    """Return effect, price and verdict of every option, per policy, deck (and ALL) and outcome.

    One row for each level of an option against its base, and for fixed mana also against the level one below.

    Notes
    -----
    `price_verdict` compares the printed price with the interval of the suggested one, made simultaneous over the
    options of the same policy, deck and outcome (Bonferroni). *fair*: the interval lies within half a point of the
    printed price, so that no other whole number would be better. *too cheap*: it lies more than that above: the option
    makes the game harder than its points say, and the player gets too few for it. *too dear*: more than that below:
    harder by less than its points say (of an option with negative points: easier by more). *undecided*: none of
    these. *not convertible*: it is not sure that a point makes the game harder at all. *too few settings*: too few are
    off floor and ceiling. *by wins only*: cards have effects and a price that they suggest, but prices are judged by
    wins.
    """
    rows = [
        row
        for policy, deck, scope in cells.scopes()
        for outcome in OUTCOMES
        for row in _rows({"policy": policy, "deck": deck, "outcome": outcome}, scope)
    ]
    return pd.DataFrame(rows, columns=COLUMNS).round(DIGITS)


def price_verdict(low: float, high: float, printed: float) -> str:
    """Compare a printed price with the limits of the price that is suggested; see `options_table`."""
    if np.isnan(low):
        return NOT_CONVERTIBLE
    if printed - NEAR <= low and high <= printed + NEAR:
        return FAIR
    return CHEAP if low > printed + NEAR else DEAR if high < printed - NEAR else UNDECIDED


def _rows(names: Row, scope: Cells) -> list[Row]:
    """Return the rows of one outcome of a scope."""
    printed = printed_prices(scope)
    fit = fit_outcome(scope, names["outcome"])
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
            row
            | _effects(shown, levels, worths)
            | _prices(names["outcome"], shown, levels, worths, prices, confidence)
        )
    return rows


def _effects(fit: Fit | None, levels: Levels, worths: Mapping[str, Worth]) -> Row:
    """Return what a level does, and what a point is worth."""
    logits = fit is not None and fit.outcome == WIN
    worth = worths[""] if fit else None
    return (
        estimate_row("effect", fit.effect(*levels) if fit else None)
        | estimate_row("logit", fit.contrast(*levels) if fit and logits else None)
        | estimate_row("point_worth", worth and worth.effect)
        | estimate_row("point_logit", worth.slope if worth and logits else None)
    )


def _prices(
    outcome: str,
    fit: Fit | None,
    levels: Levels,
    worths: Mapping[str, Worth],
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
        named = [f"suggested{end}{limit}" for limit in _SUGGESTED]
        row |= dict(zip(named, numbers.tolist(), strict=True))
        verdict = price_verdict(numbers[3], numbers[4], printed)
        row[f"price_verdict{end}"] = verdict if fit else TOO_FEW
    if outcome != WIN:
        row |= {f"price_verdict{end}": BY_WINS for end in prices}
    return row


def _worths(fit: Fit, printed: Mapping[Levels, int]) -> dict[str, Worth]:
    """Return what a point is worth by each price list."""
    points = fit.settings["points"].to_numpy(float)
    other = points.copy()
    for (option, _, level), price in printed.items():
        if option == "bastion":
            other += (ARABIC_NO_BASTION - price) * (fit.settings[option] == level).to_numpy()
    return {end: fit.worth(each) for end, each in (("", points), ("_arabic", other))}
