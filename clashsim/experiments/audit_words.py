"""Options, prices and effects of a price audit in words."""

from collections.abc import Sequence

import pandas as pd

from clashsim.experiments.audit_cells import ALL, OPTIONS, TO_GO, WIN
from clashsim.experiments.audit_interactions import PER_STEP
from clashsim.experiments.audit_options import CHEAP, DEAR, NOT_CONVERTIBLE

NAMES = {
    "variable": "variable mana",
    "fixed": "fixed mana",
    "first": "who starts",
    "bastion": "Bastion",
    "resistance": "resistance",
    "ability": "ability of the AI's creatures",
}
LEVELS = {
    ("first", "player"): "the player starts",
    ("first", "ai"): "the AI starts",
    ("bastion", "yes"): "Bastion",
    ("bastion", "no"): "no Bastion",
    ("resistance", "no"): "no resistance",
    ("resistance", "yes"): "resistance",
    ("ability", "none"): "no ability",
    ("fixed", PER_STEP): "each fixed mana more",
}
UNITS = {
    WIN: "percentage points of win rate",
    "ai_cards_left": "cards in the AI's deck",
    TO_GO: "cards to go",
}


def level_words(option: str, level: str) -> str:
    """Name a level of an option: "fixed mana 8", "no Bastion", "Splash"."""
    if option == "ability" and level != "none":
        return level.capitalize()
    return LEVELS.get((option, level), f"{NAMES[option]} {level}")


def setting_words(row: pd.Series, without: str = "") -> str:
    """Name a setting by its options, apart from one."""
    named = [option for option in OPTIONS if option != without]
    return ", ".join(level_words(option, row[option]) for option in named)


def effect_words(row: pd.Series, unit: bool = True) -> str:
    """Write an effect with its interval and unit: "-18.3 percentage points of win rate (-19.0 to -17.5)"."""
    value, low, high = (number_words(row, f"effect{end}") for end in ("", "_low", "_high"))
    words = f" {UNITS[row['outcome']]}" if unit else ""
    return f"{value}{words} ({low} to {high})"


def number_words(row: pd.Series, column: str) -> str:
    """Write an effect, or a limit of one, with its sign."""
    return f"{100 * row[column]:+z.1f}" if row["outcome"] == WIN else f"{row[column]:+z.2f}"


def price_words(row: pd.Series, name: str = "suggested", limits: str = "_all") -> str:
    """Write a price in points with the limits that verdicts are read off: "2.4 (2.3 to 2.5)"."""
    value, low, high = row[name], row[f"{name}_low{limits}"], row[f"{name}_high{limits}"]
    return "–" if pd.isna(value) else f"{value:z.1f} ({low:z.1f} to {high:z.1f})"


def verdict_words(verdict: str, printed: int) -> str:
    """Name the verdict on a price; one below 0 is taken off, and should be larger or smaller."""
    if printed < 0 and verdict in (CHEAP, DEAR):
        return f"{verdict} (should take off {'more' if verdict == DEAR else 'less'})"
    return "not to be told in points" if verdict == NOT_CONVERTIBLE else verdict


def printed_words(points: int) -> str:
    """Write a printed price: "+2"."""
    return f"{points:+d}"


def listed(parts: Sequence[str]) -> str:
    """Write a list in words: "a, b and c"."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def decks_words(deck: str, decks: int) -> str:
    """Name the decks of a scope: "deck 2", "all 4 decks"."""
    return f"deck {deck}" if deck != ALL else "both decks" if decks == 2 else f"all {decks} decks"
