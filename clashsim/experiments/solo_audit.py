"""The price audit of solo games: does a price mean a difficulty, and is each option of a setting worth its points?"""

from collections.abc import Mapping

import pandas as pd
from numpy.typing import ArrayLike

from clashsim.analysis.intervals import wilson
from clashsim.experiments.audit_cells import (
    CEILING,
    FLOOR,
    INSIDE,
    LEFT,
    OPTIONS,
    TO_GO,
    WIN,
    Cells,
    cells_of,
)
from clashsim.experiments.audit_fits import DIGITS
from clashsim.experiments.audit_interactions import interactions_table
from clashsim.experiments.audit_levels import levels_table
from clashsim.experiments.audit_neighbours import counts_table, inversions_table, neighbours_table
from clashsim.experiments.audit_options import options_table
from clashsim.experiments.audit_skill import skill_table

TABLES = (
    *("solo_levels", "solo_options", "solo_inversions", "solo_neighbours"),
    *("solo_interactions", "solo_ends", "solo_skill", "solo_settings"),
)
"""Names of the tables of an audit, in the order in which they are shown."""


def audit(frame: pd.DataFrame, blocks: Mapping[str, ArrayLike]) -> dict[str, pd.DataFrame]:
    """Return the tables of a price audit.

    Parameters
    ----------
    frame : DataFrame
        One row per cell: policy, deck, setting (R38) and its points; see `audit_cells.cells_of`.
    blocks : mapping of str to array_like of int, shape (cells, blocks)
        Counts by block of game numbers, the same games in all cells.

    Returns
    -------
    dict of str to DataFrame
        The tables named in `TABLES`. Shares are fractions.
    """
    cells = cells_of(frame, blocks)
    options, levels = options_table(cells), levels_table(cells)
    neighbours = neighbours_table(cells)
    return {
        "solo_levels": levels,
        "solo_options": options,
        "solo_inversions": inversions_table(neighbours),
        "solo_neighbours": counts_table(neighbours),
        "solo_interactions": interactions_table(cells),
        "solo_ends": ends_table(cells),
        "solo_skill": skill_table(options, levels, neighbours),
        "solo_settings": settings_table(cells),
    }


def ends_table(cells: Cells) -> pd.DataFrame:
    """Return how many settings are on the floor and on the ceiling, per policy, deck and ALL."""
    rows = []
    for policy, deck, scope in cells.scopes():
        counts = {mark: int((scope.frame["mark"] == mark).sum()) for mark in (FLOOR, CEILING, INSIDE)}
        counts["inside"] = counts.pop(INSIDE)
        rows.append({"policy": policy, "deck": deck, "cells": len(scope.frame)} | counts)
    return pd.DataFrame(rows)


def settings_table(cells: Cells) -> pd.DataFrame:
    """Return one row per cell with its rates and means."""
    counts = {name: sums[0] for name, sums in cells.counts.items()}
    games, win = counts["games"], cells.mean(WIN)[0]
    low, high = wilson(win, games)
    table = cells.frame[["policy", "deck", *OPTIONS, "points"]].assign(
        games=games,
        win_rate=win,
        ci_low=low,
        ci_high=high,
        draw_rate=counts["draws"] / games,
        ai_cards_left=cells.mean(LEFT)[0],
        ai_cards_to_go=cells.mean(TO_GO)[0],
        turns_mean=counts["turns"] / games,
        mark=cells.frame["mark"],
    )
    return table.round(DIGITS)
