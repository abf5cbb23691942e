"""Where two runs differ: the tables in their folders, and the settings in their manifests."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from filecmp import cmp
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from clashsim.errors import InputError, printable, reason_of
from clashsim.reporting.manifest import CIRCUMSTANCES
from clashsim.reporting.read_tables import KINDS, read_table

MOST_LISTED = 5
"""Cells, and rows that only one run has, that are listed per table; all are counted."""

FEW = 3
"""Items that a list may have to be shown in full; of a longer one, what went and what came."""

PROGRAM = ("program", "version", "core", "python", "libraries")
"""Entries of a manifest that tell what made the run; they are compared apart from its settings."""

_CORE = "the sources that decide the results are not the same"
_NOT_GIVEN = "not given"


@dataclass(frozen=True, slots=True)
class CellDifference:
    """A cell with two values; `row` counts from 1, below the headings, in the first run's table."""

    row: int
    keys: Mapping[str, str]
    column: str
    value: str
    other: str

    def __str__(self) -> str:
        return f"row {self.row}{_names(self.keys)}, {self.column}: {self.value or 'empty'} -> {self.other or 'empty'}"


@dataclass(frozen=True, slots=True)
class TableDifference:
    """How the tables of one name differ.

    Attributes
    ----------
    file : str
    remarks : sequence of str
        What is to say about the table as a whole: missing, damaged, rows or columns that only one run has.
    n_cells, n_compared : int
        Number of cells that differ, of those that both tables have.
    cells : sequence of CellDifference
        The first of them, at most `MOST_LISTED`.
    """

    file: str
    remarks: Sequence[str]
    n_cells: int = 0
    n_compared: int = 0
    cells: Sequence[CellDifference] = ()

    def lines(self) -> list[str]:
        """Return the difference in words, a line each, the details indented."""
        found = [f"{self.file}: {remark}" for remark in self.remarks]
        if self.n_cells:
            found.append(f"{self.file}: {self.n_cells:,} of {self.n_compared:,} cells differ")
            found += [f"  {cell}" for cell in self.cells]
            if self.n_cells > len(self.cells):
                found.append(f"  and {self.n_cells - len(self.cells):,} more")
        return found


def table_differences(folder: Path, other: Path) -> list[TableDifference]:
    """Compare all tables (CSV and Parquet) of two folders, by name.

    Rows are matched by their leading columns, as many as it takes to tell them apart, else by their place.

    Returns
    -------
    list of TableDifference
        In order of the names; empty when both folders have the same tables, to the byte.

    Raises
    ------
    InputError
        One of the two is no folder. A damaged table is no error: it is one of the differences.
    """
    names = [_tables_in(place) for place in (folder, other)]
    found = [_compare_files(name, folder, other, names) for name in sorted(names[0] | names[1])]
    return [difference for difference in found if difference]


def manifest_differences(manifest: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Say how the settings of two runs differ, a line each: "rules.window: 4 -> 5".

    Circumstances (command, times, machine) are left out. The plan follows from the settings; it is spoken of only
    where they are the same and it is not.
    The last lines tell whether the programs differ: version, core, libraries.
    """
    left_out = {*CIRCUMSTANCES, *PROGRAM, "plan"}
    first, second = ({name: run[name] for name in run if name not in left_out} for run in (manifest, other))
    lines = _changes(first, second)
    if not lines and _conditions(manifest) != _conditions(other):
        lines.append("plan: other conditions, or in another order")
    for name in PROGRAM:
        for line in _changes({name: manifest.get(name)}, {name: other.get(name)}):
            lines.append(f"{line} ({_CORE})" if name == "core" else line)
    return lines


def _conditions(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{name: row[name] for name in row if name != "games"} for row in manifest.get("plan") or []]


def _tables_in(folder: Path) -> set[str]:
    try:
        return {
            path.name for path in folder.iterdir() if path.suffix in KINDS and not path.name.startswith(".")
        }
    except OSError as error:
        reason = reason_of(error)
        raise InputError(
            f"run folder {folder}: {reason}; expected a folder with the tables of a run"
        ) from None


def _compare_files(name: str, folder: Path, other: Path, names: Sequence[set[str]]) -> TableDifference | None:
    for place, there in zip((folder, other), reversed(names), strict=True):
        if name not in there:
            return TableDifference(name, [f"only in {place}"])
    if _same_bytes(folder / name, other / name):
        return None
    try:
        tables = read_table(folder / name), read_table(other / name)
    except InputError as error:
        return TableDifference(name, [f"can not be compared: {error}"])
    return _compare_tables(name, *tables, (str(folder), str(other)))


def _same_bytes(path: Path, other: Path) -> bool:
    try:
        return cmp(path, other, shallow=False)
    except OSError:
        return False


def _compare_tables(
    name: str, table: pd.DataFrame, other: pd.DataFrame, places: tuple[str, str]
) -> TableDifference:
    columns = [column for column in table.columns if column in other.columns]
    remarks = list(_only_in_one("column", places, list(table.columns), list(other.columns)))
    keys = _key_columns(table, other)
    index, other_index = (_index(frame, keys) for frame in (table, other))
    if keys:
        alone = index[~index.isin(other_index)], other_index[~other_index.isin(index)]
        remarks += _only_in_one("row", places, *([_row_name(keys, key) for key in rows] for rows in alone))
    elif len(table) != len(other):
        remarks.append(f"{len(table):,} rows in {places[0]}, {len(other):,} in {places[1]}")
    there = other_index.get_indexer(index)
    rows = np.flatnonzero(there >= 0)
    mine, others = table[columns].iloc[rows], other[columns].iloc[there[rows]].set_index(rows)
    n_cells, listed = _compare_cells(mine.set_index(rows), others, keys)
    if not remarks and (list(table.columns) != columns or list(other.columns) != columns):
        remarks.append("the columns are in another order")
    if not remarks and (np.diff(there) < 0).any():
        remarks.append("the rows are in another order")
    if not remarks and not n_cells:
        remarks.append("the same cells, but not the same bytes")
    return TableDifference(name, remarks, n_cells, len(rows) * len(columns), listed)


def _compare_cells(
    table: pd.DataFrame, other: pd.DataFrame, keys: list[str]
) -> tuple[int, list[CellDifference]]:
    """Count the cells that differ between tables of the same shape, and return the first of them."""
    n_cells, found = 0, []
    for place, column in enumerate(table.columns):
        if table[column].equals(other[column]):
            continue
        cells, other_cells = table[column].astype(object), other[column].astype(object)
        rows = table.index[(cells != other_cells) & ~(cells.isna() & other_cells.isna())]
        n_cells += len(rows)
        found += [(int(row), place, column) for row in rows[:MOST_LISTED]]
    listed = [
        CellDifference(
            row=row + 1,
            keys={key: _text(table.at[row, key]) for key in keys},
            column=column,
            value=_text(table.at[row, column]),
            other=_text(other.at[row, column]),
        )
        for row, _, column in sorted(found)[:MOST_LISTED]
    ]
    return n_cells, listed


def _key_columns(table: pd.DataFrame, other: pd.DataFrame) -> list[str]:
    """Return the shortest leading columns that tell the rows of both tables apart; none if there are no such."""
    for n, (name, other_name) in enumerate(zip(table.columns, other.columns, strict=False), start=1):
        if name != other_name:
            break
        keys = list(table.columns[:n])
        if not table.duplicated(keys).any() and not other.duplicated(keys).any():
            return keys
    return []


def _index(table: pd.DataFrame, keys: list[str]) -> pd.Index:
    return pd.MultiIndex.from_frame(table[keys]) if keys else pd.RangeIndex(len(table))


def _only_in_one(noun: str, places: tuple[str, str], names: list[str], others: list[str]) -> Iterator[str]:
    for here, there, place in ((names, set(others), places[0]), (others, set(names), places[1])):
        missing = [name for name in here if name not in there]
        if missing:
            more = f" and {len(missing) - MOST_LISTED:,} more" if len(missing) > MOST_LISTED else ""
            plural = "" if len(missing) == 1 else "s"
            yield f"{len(missing):,} {noun}{plural} only in {place}: {', '.join(missing[:MOST_LISTED])}{more}"


def _row_name(keys: Sequence[str], values: Sequence[Any]) -> str:
    return _names(dict(zip(keys, map(_text, values), strict=True))).strip()


def _text(cell: Any) -> str:
    return "" if pd.isna(cell) else str(cell)


def _names(keys: Mapping[str, str]) -> str:
    return f" ({', '.join(f'{name} {value}' for name, value in keys.items())})" if keys else ""


def _changes(setting: Any, other: Any, path: str = "") -> list[str]:
    if setting == other:
        return []
    if isinstance(setting, Mapping) and isinstance(other, Mapping):
        names = [*setting, *(name for name in other if name not in setting)]
        lines = []
        for name in names:
            place = f"{path}.{name}" if path else str(name)
            lines += _changes(setting.get(name), other.get(name), place)
        return lines
    if isinstance(setting, list) and isinstance(other, list):
        return [
            f"{path}: {_list_change([_words(item) for item in setting], [_words(item) for item in other])}"
        ]
    return [f"{path}: {_words(setting)} -> {_words(other)}"]


def _list_change(items: list[str], others: list[str]) -> str:
    """Say which items went and which came."""
    gone, new = (
        list((Counter(items) - Counter(others)).elements()),
        list((Counter(others) - Counter(items)).elements()),
    )
    if not gone and not new:
        return f"in another order: {', '.join(items)} -> {', '.join(others)}"
    if max(len(items), len(others)) <= FEW or len(gone) == len(items) or len(new) == len(others):
        return f"{_words(items)} -> {_words(others)}"
    parts = [("without " + ", ".join(gone)) * bool(gone), ("with " + ", ".join(new)) * bool(new)]
    return "; ".join(part for part in parts if part)


def _words(value: Any) -> str:
    if value is None:
        return _NOT_GIVEN
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_words(entry)}" for name, entry in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(_words(entry) for entry in value) or "none"
    return printable(str(value))
