"""Numbers and names in the sentences of a report."""

import pandas as pd


def percent(share: float) -> str:
    """Write a share in percent: 0.5714 as "57.1 %"."""
    return f"{100 * share:z.1f} %"


def points(share: float) -> str:
    """Write a difference of shares in percentage points, with its sign."""
    return f"{100 * share:+z.1f} points"


def interval(row: pd.Series, value: str, limits: str = "") -> str:
    """Write the estimate in column `value` with its limits, from the columns named after `limits` or `value`."""
    stem = limits or value
    low, high = row[f"{stem}_low"], row[f"{stem}_high"]
    return f"{percent(row[value])} ({100 * low:z.1f} to {100 * high:z.1f})"


def count(number: int, noun: str) -> str:
    """Write a number of things: "1 pairing", "2 pairings"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def pairing(row: pd.Series) -> str:
    """Name the two decks of a row."""
    return f"deck {row['deck_a']} against deck {row['deck_b']}"


def player(row: pd.Series, table: pd.DataFrame) -> str:
    """Name the deck of a row and who plays it, and against whom where the table does not make that plain."""
    players = table[["policy", "vs_policy"]].drop_duplicates()
    plain = not players["policy"].duplicated().any()
    return f"deck {row['deck']} ({row['policy']}{'' if plain else ' against ' + row['vs_policy']})"


def deck_and_player(row: pd.Series, table: pd.DataFrame) -> str:
    """Name the deck of a row, and who plays it where that differs."""
    return player(row, table) if table["policy"].nunique() > 1 else f"deck {row['deck']}"


def difference(row: pd.Series, value: str, limits: str = "", end: str = "") -> str:
    """Write a difference of shares in percentage points with its limits: "+2.3 (+1.4 to +3.3)".

    The limits are from the columns named after `limits`, or `value`, and `_low` and `_high` with `end` behind them.
    """
    stem = limits or value
    if pd.isna(row[value]):
        return "–"
    numbers = (row[value], row[f"{stem}_low{end}"], row[f"{stem}_high{end}"])
    digits = _digits(max(map(abs, numbers)))
    return "{} ({} to {})".format(*(f"{100 * number:+z.{digits}f}" for number in numbers))


def small_percent(share: float) -> str:
    """Write a share in percent, with more digits if it is small: 0.0003 as "0.030 %"."""
    return f"{100 * share:.{_digits(share)}f} %"


def slug(name: str) -> str:
    """Return a name as part of a file's name."""
    return "".join(letter if letter.isalnum() else "-" for letter in name)


def _digits(share: float) -> int:
    return 1 if share == 0 or abs(share) >= 0.002 else 2 if abs(share) >= 0.0002 else 3
