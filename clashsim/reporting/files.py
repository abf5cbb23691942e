"""Write tables: the same bytes for the same content."""

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from clashsim.running.files import write_bytes, write_text

DIGITS = 6
"""Digits after the decimal point of every rate that is written."""


def write_csv(frame: pd.DataFrame, path: Path) -> None:
    """Write a table as CSV, without its index.

    Floats get six digits after rounding (never -0.000000), integers stay integers, booleans become true and
    false, missing values an empty cell. Lines end in a line feed.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(frame.columns)
    writer.writerows(
        zip(*([_cell(value) for value in frame[name].tolist()] for name in frame.columns), strict=True)
    )
    write_text(buffer.getvalue(), path)


def write_parquet(frame: pd.DataFrame, path: Path) -> None:
    """Write a table as Parquet, without its index, floats rounded as in `write_csv`."""
    rounded = frame.round(DIGITS)
    floats = rounded.select_dtypes("float").columns
    rounded[floats] = rounded[floats] + 0.0  # -0.0 + 0.0 is 0.0
    write_bytes(rounded.to_parquet(None, index=False), path)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:z.{DIGITS}f}"
    return "" if value is None or value is pd.NA or value is pd.NaT else str(value)
