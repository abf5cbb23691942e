"""Tables as words: the cells of a section's table, ready for a page or a terminal."""

from typing import Any, get_args

import pandas as pd

from clashsim.errors import nearest
from clashsim.experiments.result import Format, Section

MISSING = "–"


def format_table(section: Section) -> tuple[list[str], list[list[str]], list[bool]]:
    """Return the headings, the rows of cells, and which columns hold numbers, of a section's table."""
    table = section.table if section.shown is None else section.shown
    assert table is not None
    formats = dict(section.columns) or {name: _natural_format(table[name]) for name in table.columns}
    columns = [_format_column(table, name, style) for name, style in formats.items()]
    rows = [list(cells) for cells in zip(*columns, strict=True)]
    return [heading(name) for name in formats], rows, [style != "text" for style in formats.values()]


def heading(column: str) -> str:
    """Return the heading of a column: its name in words."""
    words = str(column).split("_")
    words = [word.upper() if len(word) == 1 or word == "ai" else word for word in words]  # a side, A or B
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def percent(share: float, digits: int = 1) -> str:
    """Write a share in percent: 0.5714 as "57.1 %"."""
    return f"{100 * share:z.{digits}f} %"


def _format_column(table: pd.DataFrame, name: str, style: Format) -> list[str]:
    if name not in table.columns:
        raise ValueError(f"no column {name!r} in this table.{nearest(name, map(str, table.columns))}")
    if style not in get_args(Format):
        raise ValueError(f"no format {style!r} for a column.{nearest(style, get_args(Format))}")
    if style != "interval":
        return [_cell(value, style) for value in table[name].tolist()]
    stem = name if f"{name}_low" in table.columns else name.rpartition("_")[0]
    limits = zip(
        table[name].tolist(), table[f"{stem}_low"].tolist(), table[f"{stem}_high"].tolist(), strict=True
    )
    return [_interval(*values) for values in limits]


def _cell(value: Any, style: Format) -> str:
    if pd.isna(value):
        return MISSING
    match style:
        case "percent":
            return percent(value)
        case "points":
            return f"{100 * value:+z.1f}"
        case "number":
            return f"{value:z.2f}"
        case "short":
            return f"{value:g}"
        case "signed":
            return f"{value:+z,.0f}"
        case "count":
            return f"{value:,.0f}"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _interval(value: float, low: float, high: float) -> str:
    if pd.isna(value):
        return MISSING
    if low == high:  # known, not measured
        return percent(value)
    return f"{percent(value)} ({100 * low:z.1f} to {100 * high:z.1f})"


def _natural_format(column: pd.Series) -> Format:
    if pd.api.types.is_bool_dtype(column):
        return "text"
    if pd.api.types.is_integer_dtype(column):
        return "count"
    return "number" if pd.api.types.is_float_dtype(column) else "text"
