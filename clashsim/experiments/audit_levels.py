"""Whether prices mean difficulties: the settings of each price, and each price against the one below, `solo_levels`."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from clashsim.analysis.blocks import Jackknifed, jackknife, share_limits
from clashsim.analysis.intervals import Floats, bonferroni
from clashsim.analysis.precision import CONFIDENCE
from clashsim.clash.solo_settings import level_of
from clashsim.experiments.audit_cells import CEILING, FLOOR, LEFT, OPTIONS, TO_GO, WIN, Cells
from clashsim.experiments.audit_fits import DIGITS, ENDS, Row, estimate_row

HARDER, EASIER, UNDECIDED = "harder", "easier", "undecided"


class _Settings(NamedTuple):
    """The settings of a scope, with means of outcomes over its decks: replicates, (1 + blocks, settings)."""

    points: Floats
    win: Floats
    left: Floats
    to_go: Floats


def levels_table(cells: Cells) -> pd.DataFrame:
    """Return one row per price, per policy, deck and ALL: how hard its settings are, and how much they differ.

    Notes
    -----
    All settings of a price weigh alike, those on the floor and the ceiling included; in ALL each is the mean over the
    decks first. `spread` is the standard deviation of the win rates of the settings of a price, less what chance
    explains of their variance (the jackknife's). `than_below` compares win rates with those of the price below, by
    intervals that hold together for all prices of the policy and the deck (Bonferroni).
    """
    rows = [
        row
        for policy, deck, scope in cells.scopes()
        for row in _rows({"policy": policy, "deck": deck}, scope)
    ]
    return pd.DataFrame(rows).round(DIGITS)


def _rows(names: Row, scope: Cells) -> list[Row]:
    settings = _settings(scope)
    prices = sorted(set(settings.points.astype(int).tolist()))
    confidence = bonferroni(CONFIDENCE, len(prices) - 1)
    rows: list[Row] = []
    for number, price in enumerate(prices):
        row = names | {"points": price, "level": level_of(price)}
        row |= _of_price(scope, settings, price)
        row |= _than_below(settings, price, prices[number - 1] if number else None, confidence)
        if number:
            row["than_below"] = _verdict(row)
        rows.append(row)
    return rows


def _settings(scope: Cells) -> _Settings:
    """Average over the decks, for the settings that all decks have."""
    frame = scope.frame
    number = frame.groupby(list(OPTIONS), sort=False).ngroup().to_numpy()
    counts = np.bincount(number)
    mean = (number == np.arange(len(counts))[:, np.newaxis]) / counts[:, np.newaxis]
    mean = mean[counts == counts.max()].T
    of_setting = [scope.mean(outcome) @ mean for outcome in (WIN, LEFT, TO_GO)]
    return _Settings(np.rint(frame["points"].to_numpy(float) @ mean), *of_setting)


def _of_price(scope: Cells, settings: _Settings, price: int) -> Row:
    """Describe the settings of one price."""
    here = settings.points == price
    of_price = scope.where((scope.frame["points"] == price).to_numpy())
    games, cells = int(of_price.games[0].sum()), len(of_price.frame)
    win = settings.win[:, here]
    mean = jackknife(win.mean(axis=1))
    low, high = share_limits(mean, games, games / cells, CONFIDENCE)
    return (
        {"settings": int(here.sum()), "cells": cells, "games": games}
        | {mark: int((of_price.frame["mark"] == mark).sum()) for mark in (FLOOR, CEILING)}
        | {"win_rate": float(mean.value), "win_rate_low": float(low), "win_rate_high": float(high)}
        | {"win_rate_lowest": float(win[0].min()), "win_rate_highest": float(win[0].max())}
        | {"spread": _spread(win)}
        | estimate_row("ai_cards_left", jackknife(settings.left[:, here].mean(axis=1)))
        | estimate_row("ai_cards_to_go", jackknife(settings.to_go[:, here].mean(axis=1)))
    )


def _spread(values: Floats) -> float:
    """Return the standard deviation of settings beyond what chance explains; nan for a single one."""
    n = values.shape[1]
    if n < 2:
        return np.nan
    apart = jackknife(values - values.mean(axis=1, keepdims=True))
    observed = (apart.value**2).sum() / (n - 1)
    by_chance = (apart.standard_error**2).sum() / (n - 1)
    return float(np.sqrt(max(observed - by_chance, 0.0)))


def _than_below(settings: _Settings, price: int, below: int | None, confidence: float) -> Row:
    """Return the differences to the price below."""
    row: Row = {}
    for name, values in (("win_difference", settings.win), ("to_go_difference", settings.to_go)):
        difference: Jackknifed | None = None
        together = np.full(2, np.nan)
        if below is not None:
            means = [values[:, settings.points == each].mean(axis=1) for each in (below, price)]
            difference = jackknife(means[1] - means[0])
            together[:] = difference.limits(confidence)
        row |= estimate_row(name, difference)
        row |= {f"{name}{end}_all": each for end, each in zip(ENDS[1:], together.tolist(), strict=True)}
    return row | {"than_below": ""}


def _verdict(row: Row) -> str:
    low, high = (row[f"win_difference{end}_all"] for end in ENDS[1:])
    return HARDER if high < 0 else EASIER if low > 0 else UNDECIDED
