"""Print a table: for a person on a terminal, as CSV or JSON for a program."""

import csv
import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    import pandas as pd

DIGITS = 6  # of rates, in CSV and JSON

Rows = Sequence[Mapping[str, Any]]


def show(table: "pd.DataFrame | Rows", output_format: str | None = None, title: str | None = None) -> None:
    """Print `table` on standard output.

    Parameters
    ----------
    table : DataFrame or sequence of mappings
        The rows; mappings have the keys of the first one. A cell may hold a list of texts.
    output_format : {"table", "csv", "json"}, optional
        By default a table on a terminal and CSV into a pipe or file.
    title : str, optional
        Printed above a human table only.
    """
    columns, rows = _columns_and_rows(table)
    match output_format or ("table" if sys.stdout.isatty() else "csv"):
        case "csv":
            _write_csv(columns, rows, sys.stdout)
        case "json":
            records = [dict(zip(columns, map(_json_cell, row), strict=True)) for row in rows]
            print(json.dumps(records, indent=2))
        case "table":
            _print_table(columns, rows, title)
        case unknown:
            raise ValueError(f"output format {unknown!r}; expected table, csv or json")


def _columns_and_rows(table: "pd.DataFrame | Rows") -> tuple[list[str], list[list[Any]]]:
    if isinstance(table, Sequence):
        columns = list(table[0]) if table else []
        rows = [[row[column] for column in columns] for row in table]
    else:
        columns = [str(column) for column in table.columns]
        rows = [list(row) for row in table.itertuples(index=False, name=None)]
    return columns, [[_plain(cell) for cell in row] for row in rows]


def _plain(cell: Any) -> Any:
    """Turn numpy's scalars into Python's, and missing values into None."""
    cell = cell.item() if hasattr(cell, "item") else cell
    missing = cell is None or type(cell).__name__ in ("NAType", "NaTType")
    return None if missing or (isinstance(cell, float) and math.isnan(cell)) else cell


def _json_cell(cell: Any) -> Any:
    return _rounded(cell) if isinstance(cell, float) else cell


def _rounded(number: float) -> float:
    return round(number, DIGITS) + 0.0  # + 0.0 turns -0.0 into 0.0


def _csv_cell(cell: Any) -> str:
    match cell:
        case None:
            return ""
        case bool():
            return str(cell).lower()
        case float():
            return f"{_rounded(cell):.{DIGITS}f}"
        case list() | tuple():
            return "|".join(map(str, cell))
    return str(cell)


def _table_cell(cell: Any) -> str:
    match cell:
        case None:
            return ""
        case bool():
            return "yes" if cell else "no"
        case float():
            return f"{cell:.3f}"
        case list() | tuple():
            return ", ".join(map(str, cell))
    return str(cell)


def _write_csv(columns: list[str], rows: list[list[Any]], file: TextIO) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_csv_cell(cell) for cell in row] for row in rows)


def _print_table(columns: list[str], rows: list[list[Any]], title: str | None) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=None if title is None else Text(title), title_justify="left", box=box.SIMPLE_HEAD)
    for index, column in enumerate(columns):
        numeric = all(isinstance(row[index], int | float | None) for row in rows)
        table.add_column(
            Text(column), justify="right" if numeric else "left", overflow="fold", no_wrap=index == 0
        )
    for row in rows:
        table.add_row(*(Text(_table_cell(cell)) for cell in row))
    # A pipe has no width: nothing is to be cut there.
    width = None if sys.stdout.isatty() else 10_000
    Console(file=sys.stdout, width=width).print(table)
