"""Figures with a line for each pairing and a mark for each policy."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from clashsim.experiments.result import FigureSpec

ENDS = ("", "_low", "_high")


def series_figure(
    rows: pd.DataFrame, value: str, players: Sequence[str], name: str, title: str, x_label: str
) -> FigureSpec:
    """Draw estimates around 1/2, policy by policy.

    Parameters
    ----------
    rows : DataFrame
        One row per line and mark: `label` of the line, `players` of the mark, and the estimate with its limits.
    value : str
        Column of the estimate; its limits have the endings _low and _high.
    players : sequence of str
        The marks in their order.
    name, title, x_label : str
    """
    labels = list(dict.fromkeys(rows["label"]))
    grids = [np.full((len(labels), len(players)), np.nan) for _ in ENDS]
    places = (
        [labels.index(label) for label in rows["label"]],
        [list(players).index(who) for who in rows["players"]],
    )
    for grid, end in zip(grids, ENDS, strict=True):
        grid[places] = rows[f"{value}{end}"].to_numpy(float)
    values, lows, highs = grids
    data = {
        "labels": labels,
        "series": list(players),
        "values": values,
        "lows": lows,
        "highs": highs,
        "x_label": f"{x_label}, with its 95 % interval",
        "reference": 0.5,
    }
    return FigureSpec("series", name, title, data)
