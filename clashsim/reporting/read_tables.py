"""Read a finished run back: its manifest, and its tables as they were written."""

import csv
import io
from pathlib import Path
from typing import Any

import pandas as pd

from clashsim.errors import InputError, reason_of
from clashsim.reporting.manifest import FINISHED, read_run

KINDS = (".csv", ".parquet")


def read_finished_run(folder: Path) -> dict[str, Any]:
    """Read the manifest of a run that has come to its end; see `manifest.read_run`.

    Raises
    ------
    InputError
        No run, a damaged manifest, or a run that was interrupted.
    """
    manifest = read_run(folder)
    if manifest["status"] != FINISHED:
        raise InputError(
            f"the run in {folder} is {manifest['status']}; expected a finished one (--resume goes on with it)"
        )
    return manifest


def read_table(path: Path) -> pd.DataFrame:
    """Read a table: the cells of a CSV file as text (a missing one is ""), those of a Parquet file as they are.

    Raises
    ------
    InputError
        Names the file and what is wrong: it can not be read, is no table, breaks off, has rows of unequal length.
    """
    try:
        content = path.read_bytes()
        return pd.read_parquet(io.BytesIO(content)) if path.suffix == ".parquet" else _read_csv(content)
    except OSError as error:
        raise InputError(f"table {path}: {reason_of(error)}") from None
    except (ValueError, csv.Error) as error:  # also what is not UTF-8, and pyarrow's errors
        reason = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"table {path}: {reason}; expected a table that clashsim wrote") from None


def _read_csv(content: bytes) -> pd.DataFrame:
    if not content:
        raise ValueError("it is empty")
    if not content.endswith(b"\n"):
        raise ValueError("it breaks off in its last line")
    columns, *rows = csv.reader(io.StringIO(content.decode(), newline=""), strict=True)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(columns):
            raise ValueError(f"row {number} has {len(row)} cells, not {len(columns)}")
    twice = next((name for name in columns if columns.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"it has two columns {twice!r}")
    return pd.DataFrame(rows, columns=columns, dtype=object)
