"""Write files: complete or not at all, and the same bytes for the same content."""

import csv
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from clashsim.errors import InputError, OutputError

DIGITS = 6
"""Digits after the decimal point of every rate that is written."""


def open_folder(path: str | os.PathLike[str]) -> Path:
    """Create an output folder where it is missing, and make sure that files can be written there.

    Raises
    ------
    InputError
        Names the path and the reason: a file is in the way, no permission, read-only, name too long, …
    """
    if not os.fspath(path):
        raise InputError("output folder: expected the path of a folder, not an empty name.")
    folder = Path(path)
    probe = folder / f".probe-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"\n")  # permission bits alone do not tell, for a superuser or a read-only disk
        probe.unlink()
    except (FileExistsError, NotADirectoryError):
        in_the_way = next(part for part in (folder, *folder.parents) if os.path.lexists(part))
        raise InputError(
            f"output folder {path}: {in_the_way} is not a folder. Expected a folder or a new name."
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(
            f"output folder {path}: {_reason(error)}. Expected a folder that can be written."
        ) from None
    return folder


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


def write_manifest(path: Path, mapping: Mapping[str, Any]) -> None:
    """Write a mapping as indented JSON, in its own order."""
    write_text(
        json.dumps(mapping, indent=2, ensure_ascii=False, allow_nan=False, default=_plain) + "\n", path
    )


def write_text(text: str, path: Path) -> None:
    """Write a text in UTF-8, or raise OutputError and leave what was there before."""
    write_bytes(text.encode(errors="backslashreplace"), path)  # a path need not be valid UTF-8


def write_bytes(content: bytes, path: Path) -> None:
    """Write bytes, or raise OutputError and leave what was there before."""
    path = Path(path)
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            aside.write_bytes(content)
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"can not write {path}: {_reason(error)}.") from error


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:z.{DIGITS}f}"
    return "" if value is None or value is pd.NA or value is pd.NaT else str(value)


def _plain(value: Any) -> Any:
    """Turn what JSON does not know into what it knows."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple | set | frozenset):
        return sorted(value)
    return str(value)


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
