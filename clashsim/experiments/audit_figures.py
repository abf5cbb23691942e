"""The figures of a price audit: every setting by its price, and what each option is worth."""

from collections.abc import Mapping

import pandas as pd

from clashsim.experiments.audit_cells import ALL, OPTIONS, WIN
from clashsim.experiments.audit_skill import headline
from clashsim.experiments.audit_words import level_words
from clashsim.experiments.result import FigureSpec
from clashsim.experiments.words import slug

_COLUMN = {WIN: "win_rate", "ai_cards_to_go": "ai_cards_to_go"}
_LABEL = {WIN: "win rate", "ai_cards_to_go": "cards to go"}


def level_figure(tables: Mapping[str, pd.DataFrame], policy: str, outcome: str) -> FigureSpec:
    """Draw an outcome of all settings by their price, a panel for each deck."""
    settings, levels = (
        table[(table["policy"] == policy) & (table["deck"] != ALL)]
        for table in (tables["solo_settings"], tables["solo_levels"])
    )
    decks = list(dict.fromkeys(settings["deck"]))
    prices = sorted(settings["points"].unique())
    column = _COLUMN[outcome]
    means, lows, highs = (
        levels.pivot(index="deck", columns="points", values=f"{column}{end}").reindex(
            index=decks, columns=prices
        )
        for end in ("", "_low", "_high")
    )
    clouds = {key: values.to_numpy(float) for key, values in settings.groupby(["deck", "points"])[column]}
    data = {
        "panels": [f"deck {deck}" for deck in decks],
        "groups": [str(price) for price in prices],
        "values": [[clouds.get((deck, price), []) for price in prices] for deck in decks],
        "means": means.to_numpy(float),
        "lows": lows.to_numpy(float),
        "highs": highs.to_numpy(float),
        "x_label": "difficulty points",
        "y_label": _LABEL[outcome],
        "percent": outcome == WIN,
    }
    words = "Win rate" if outcome == WIN else "Cards to go"
    title = (
        f"{words} of every setting by its price, with the mean of each price and its 95 % interval: {policy}"
    )
    return FigureSpec("clouds", f"solo_{column.removeprefix('ai_')}_{slug(policy)}", title, data)


def option_figure(tables: Mapping[str, pd.DataFrame], policy: str) -> FigureSpec | None:
    """Draw the suggested price of each option with the printed one; None where none can be told."""
    rows = headline(tables["solo_options"])
    rows = rows[rows["policy"] == policy]
    rows = rows[rows["deck"] == (ALL if (rows["deck"] == ALL).any() else rows["deck"].min())]
    whole = rows["base"] == rows["option"].map(lambda option: OPTIONS[option][0])
    rows = rows[whole & rows["suggested"].notna()]
    if rows.empty:
        return None
    data = {
        "labels": [level_words(row["option"], row["level"]) for _, row in rows.iterrows()],
        "values": rows["suggested"].to_numpy(float),
        "lows": rows["suggested_low_all"].to_numpy(float),
        "highs": rows["suggested_high_all"].to_numpy(float),
        "x_label": "points that an option is worth (intervals that hold together, 95 %)",
        "reference": 0.0,
        "percent": False,
        "marks": rows["printed"].to_numpy(float),
        "marks_label": "printed price",
    }
    return FigureSpec(
        "whiskers", f"solo_options_{slug(policy)}", f"What each option is worth: {policy}", data
    )
