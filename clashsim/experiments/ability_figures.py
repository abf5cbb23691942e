"""What a run of abilities found, in figures."""

import numpy as np
import pandas as pd

from clashsim.clash.abilities import ABILITIES
from clashsim.experiments.ability_bodies import NONE
from clashsim.experiments.ability_choice import SCREENED
from clashsim.experiments.ability_layout import ALL
from clashsim.experiments.result import FigureSpec
from clashsim.experiments.words import slug

LABELLED = 5  # points, from either end
_LIMITS = {"values": "", "lows": "_low_all", "highs": "_high_all"}


def played_again(subsets: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of sets of abilities that do not rest on the screening alone.

    Of those that do, the best and the worst owe it to luck: no more is said of them than their rows in the table.
    """
    return subsets[(subsets["source"] != SCREENED) & (subsets["subset"] != NONE)]


def effect_figure(rows: pd.DataFrame, policy: str) -> FigureSpec:
    """Return a figure of what abilities and auras are worth alone, body by body."""
    terms, bodies = (list(dict.fromkeys(rows[name])) for name in ("term", "body"))
    data = {"labels": terms, "series": bodies, "reference": 0.0, "percent": False}
    for end, limit in _LIMITS.items():
        table = rows.pivot(index="term", columns="body", values=f"lift{limit}")
        data[end] = 100 * table.loc[terms, bodies].to_numpy(float)
    data["x_label"] = "percentage points of score (intervals that hold together, 95 %)"
    title = f"What abilities and auras are worth on a plain body: {policy}"
    return FigureSpec("series", f"ability_effects_{slug(policy)}", title, data)


def size_figure(rows: pd.DataFrame, policy: str) -> FigureSpec:
    """Return a figure of the lifts of all sets of abilities by their size."""
    sets = rows[~rows["subset"].str.startswith("aura")]
    bodies, sizes = list(dict.fromkeys(sets["body"])), range(len(ABILITIES) + 1)
    values = [
        [sets.loc[(sets["body"] == body) & (sets["size"] == size), "lift"].to_numpy(float) for size in sizes]
        for body in bodies
    ]
    means = np.array([[cloud.mean() for cloud in clouds] for clouds in values])
    data = {
        "panels": bodies,
        "groups": [str(size) for size in sizes],
        "values": [[100 * cloud for cloud in clouds] for clouds in values],
        **dict.fromkeys(("means", "lows", "highs"), 100 * means),
        "x_label": "number of abilities",
        "y_label": "lift (percentage points)",
        "percent": False,
    }
    title = f"Sets of abilities by their size, and the mean of each size: {policy}"
    return FigureSpec("clouds", f"ability_sizes_{slug(policy)}", title, data)


def price_figure(rows: pd.DataFrame, policy: str, body: str) -> FigureSpec:
    """Return a figure of lifts against prices of the sets that were played again."""
    rows = played_again(rows)
    far = {*rows.head(LABELLED)["rank"], *rows.tail(LABELLED)["rank"]}
    data = {
        "labels": [str(rank) if rank in far else "" for rank in rows["rank"]],
        "across": rows["printed_price"].to_numpy(float),
        "values": 100 * rows["lift"].to_numpy(float),
        "lows": 100 * rows["lift_low"].to_numpy(float),
        "highs": 100 * rows["lift_high"].to_numpy(float),
        "x_label": "price by the formula (mana)",
        "y_label": "lift (percentage points)",
        "logarithmic": False,
    }
    title = f"Prices of sets of abilities and auras and what they are worth on a {body}: {policy}"
    return FigureSpec("scatter", f"ability_prices_{slug(body)}_{slug(policy)}", title, data)


def interaction_figure(rows: pd.DataFrame, policy: str, body: str) -> FigureSpec:
    """Return a figure of what pairs of abilities do beyond their sum."""
    matrix, widths = np.full((2, len(ABILITIES), len(ABILITIES)), np.nan)
    for _, row in rows.iterrows():
        one, other = (ABILITIES.index(name) for name in row["subset"].split("+"))
        matrix[one, other] = matrix[other, one] = row["interaction"]
        widths[one, other] = widths[other, one] = (row["interaction_high"] - row["interaction_low"]) / 2
    data = {
        "matrix": matrix,
        "half_widths": widths,
        "row_labels": list(ABILITIES),
        "column_labels": list(ABILITIES),
        "colour_label": "beyond the sum, in points",
        "centre": 0.0,
        "span": max(float(np.nanmax(np.abs(matrix))), 0.001),
    }
    title = f"What pairs of abilities do beyond their sum on a plain {body}: {policy}"
    return FigureSpec("heatmap", f"ability_interactions_{slug(body)}_{slug(policy)}", title, data)


def card_figure(cards: pd.DataFrame, policy: str) -> FigureSpec:
    """Return a figure of what abilities are worth to the cards as printed."""
    rows = cards[cards["without"] == ALL]
    data = {
        "labels": rows["card"].tolist(),
        **{end: 100 * rows[f"lift{limit}"].to_numpy(float) for end, limit in _LIMITS.items()},
        "x_label": "percentage points of score (intervals that hold together, 95 %)",
        "reference": 0.0,
        "percent": False,
        "marks": 100 * (rows["printed_price"] * rows["mana_effect"]).to_numpy(float),
        "marks_label": "their price, at what a mana is worth to the card",
    }
    title = f"What their abilities are worth to the cards as printed: {policy}"
    return FigureSpec("whiskers", f"ability_cards_{slug(policy)}", title, data)
