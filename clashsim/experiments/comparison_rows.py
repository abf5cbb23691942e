"""The tables in which runs can be compared, and their rows side by side."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from clashsim.errors import InputError
from clashsim.experiments.matchup_tables import MIRROR


@dataclass(frozen=True, slots=True)
class Comparable:
    """A table in which runs can be compared: what names its rows, and the estimate that is compared.

    Attributes
    ----------
    decks, policies : tuple of str
        Columns that name a row; the policies only where the decks do not tell the rows apart.
    value, limits : str
        Column of the estimate, and of its limits without "_low" and "_high".
    name : str
        The estimate in the columns of the comparison: `<name>_1`, `<name>_2`.
    words : str
        What is compared, in a sentence.
    share : bool
        Whether it lies between 0 and 1.
    symmetric : bool
        Whether it stays the same when the two sides of a row change places.
    verdict : bool
        Whether the rows have verdicts.
    over_pool : bool
        Whether a row depends on who else took part.
    """

    decks: tuple[str, ...]
    policies: tuple[str, ...]
    value: str
    limits: str
    name: str
    words: str
    share: bool = True
    symmetric: bool = False
    verdict: bool = False
    over_pool: bool = False


VERDICTS = ("balanced", "unbalanced", "undecided", MIRROR)

_PAIR = (("deck_a", "deck_b"), ("policy_a", "policy_b"))
_ONE = (("deck",), ("policy", "vs_policy"))

COMPARABLE = {
    "matchups": Comparable(*_PAIR, "score_a", "score", "score", "score", verdict=True),
    "pool": Comparable(*_ONE, "score", "score", "score", "mean score against the pool", over_pool=True),
    "first_player": Comparable(
        *_PAIR, "score_first", "score_first", "score", "score of the first player", symmetric=True
    ),
    "health": Comparable(*_PAIR, "draw_rate", "draw_rate", "draw_rate", "share of draws", symmetric=True),
    "ratings": Comparable(*_ONE, "elo", "elo", "elo", "rating", share=False, over_pool=True),
}
"""By the name of the table's file; the first that both runs have is compared unless the user says otherwise."""


class Run(NamedTuple):
    """A run's folder as the user named it, its manifest, and one of its tables as text."""

    name: str
    manifest: Mapping[str, Any]
    table: pd.DataFrame


def side_by_side(name: str, first: Run, second: Run) -> pd.DataFrame:
    """Join the rows of a table that two runs have.

    Rows are matched by their decks; by decks and policies where the decks do not tell them apart.

    Returns
    -------
    DataFrame
        The columns that name a row; for either run, with the endings _1 and _2, `in` (whether it has the row), `value`,
        `low`, `high`, `games`, `verdict`, `derived` and `policies`. The rows of the first run come first.

    Raises
    ------
    InputError
        A table lacks a column, holds what is no number, has a row twice, or there is no row in common.
    """
    kind = COMPARABLE[name]
    rows, others = (_read_rows(name, kind, run) for run in (first, second))
    if kind.symmetric:
        others = _turned(others, rows, kind)
    keys = _keys(kind, rows, others, name)
    pairs = _joined(rows.set_index(keys), others.set_index(keys))
    if not (pairs["in_1"] & pairs["in_2"]).any():
        raise InputError(
            f"{first.name} and {second.name} have no row of the table {name} in common; "
            f"expected runs that share {'a pairing' if len(kind.decks) == 2 else 'a deck'}"
        )
    return pairs


def _read_rows(name: str, kind: Comparable, run: Run) -> pd.DataFrame:
    """Return a run's rows under common names, with numbers where numbers are."""
    file = f"{run.name}: table {name}"
    limits = [f"{kind.limits}_low", f"{kind.limits}_high"]
    verdict = ["verdict", "derived"] if kind.verdict else []
    for column in (*kind.decks, *kind.policies, "games", kind.value, *limits, *verdict):
        if column not in run.table.columns:
            raise InputError(f"{file} has no column {column}; expected a table of this version")
    rows = run.table[[*kind.decks, *kind.policies]].copy()
    for column, source in zip(("games", "value", "low", "high"), ("games", kind.value, *limits), strict=True):
        rows[column] = _numbers(file, run.table[source])
    _check_rows(file, kind, rows, run.table)
    nothing = pd.Series("", run.table.index)
    rows["verdict"] = run.table.get("verdict", nothing)
    rows["derived"] = run.table.get("derived", nothing) == "true"
    rows["policies"] = [
        " against ".join(dict.fromkeys(policies))
        for policies in rows[list(kind.policies)].itertuples(index=False)
    ]
    return rows


def _check_rows(file: str, kind: Comparable, rows: pd.DataFrame, table: pd.DataFrame) -> None:
    """Refuse rows that clashsim can not have written."""
    faults = {
        f"{kind.value} is not between its limits": (rows["low"] > rows["value"])
        | (rows["value"] > rows["high"]),
        "games is not a whole number": (rows["games"] < 0) | (rows["games"] % 1 != 0),
    }
    if kind.share:
        faults[f"{kind.limits}_low to {kind.limits}_high is not within 0 to 1"] = (rows["low"] < 0) | (
            rows["high"] > 1
        )
    if kind.verdict:
        faults[f"verdict is not {', '.join(VERDICTS)}"] = ~table["verdict"].isin(VERDICTS)
        faults["derived is not true or false"] = ~table["derived"].isin(["true", "false"])
    for fault, wrong in faults.items():
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0]) + 1
            raise InputError(f"{file}, row {row}: {fault}; expected a table that clashsim wrote")


def _numbers(file: str, column: pd.Series) -> pd.Series:
    numbers = pd.to_numeric(column, errors="coerce")
    wrong = np.flatnonzero(~np.isfinite(numbers.to_numpy(float)))
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            f"{file}, row {row + 1}, column {column.name}: {str(column.iloc[row])[:40]!r} is no number; "
            "expected a table that clashsim wrote"
        )
    return numbers


def _turned(rows: pd.DataFrame, others: pd.DataFrame, kind: Comparable) -> pd.DataFrame:
    """Let the two sides of a row change places where only so the other run has it: decks in another order."""
    decks, policies = (list(names) for names in (kind.decks, kind.policies))
    there = set(others[decks].itertuples(index=False, name=None))
    here = set(rows[decks].itertuples(index=False, name=None))
    turned = rows.copy()
    for row, pair in zip(rows.index, rows[decks].itertuples(index=False, name=None), strict=True):
        one_policy = rows.loc[row, policies].nunique() == 1
        if one_policy and pair not in there and pair[::-1] in there - here:
            turned.loc[row, decks] = pair[::-1]
    return turned


def _keys(kind: Comparable, rows: pd.DataFrame, others: pd.DataFrame, name: str) -> list[str]:
    """Return the columns that tell the rows apart: the decks, else decks and policies."""
    for keys in ([*kind.decks], [*kind.decks, *kind.policies]):
        if not rows.duplicated(keys).any() and not others.duplicated(keys).any():
            return keys
    raise InputError(f"table {name} has a row twice; expected a table that clashsim wrote")


def _joined(rows: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    """Join two runs' rows by their index: columns `<name>_1` and `<name>_2`, and `in_1`, `in_2`."""
    index = rows.index.append(others.index[~others.index.isin(rows.index)])
    sides = []
    for number, frame in enumerate((rows, others), start=1):
        side = frame.reindex(index).add_suffix(f"_{number}")
        side[f"in_{number}"] = index.isin(frame.index)
        side[f"derived_{number}"] = side[f"derived_{number}"].eq(True)
        sides.append(side)
    pairs = pd.concat(sides, axis=1)
    return pairs.reset_index()
