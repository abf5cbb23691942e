"""Read TOML and CSV files into plain records, refusing unreadable or malformed ones in one clear line."""

import csv
import io
import os
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from clashsim.errors import InputError, nearest, reason_of


def read_text(path: Path, what: str) -> str:
    """Return the text of a UTF-8 file; `what` names its role in error messages ("card set", "deck")."""
    if os.path.exists(path) and not os.path.isfile(path):
        kind = "a folder" if os.path.isdir(path) else "not a regular file"
        raise InputError(f"{path} is {kind}; expected a {what} file")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"no {what} file {path}.{_nearest_file(path)}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start + 1})") from None
    except (OSError, ValueError) as error:
        raise InputError(f"can not read the {what} file {path}: {reason_of(error)}") from None
    if not text.strip():
        raise InputError(f"{path} is empty; expected a {what} file")
    return text


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """Return the content of a TOML file; errors carry the line and column."""
    text = read_text(path, what)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        reason = "a number has too many digits" if "limit" in str(error) else error
        raise InputError(f"{path}: not valid TOML: {reason}") from None


def read_csv(
    path: Path, what: str, required: Iterable[str], optional: Iterable[str]
) -> list[tuple[str, dict[str, str]]]:
    """Return the rows of a CSV file with a header, each as (where, {column: stripped text}).

    Parameters
    ----------
    path : Path
        The file; separated by commas, first line the column names in any order.
    what : str
        Role of the file in error messages.
    required, optional : iterable of str
        The columns that must and may be there; any other is refused.

    Raises
    ------
    InputError
        If the header or a row is malformed; the message names the line.
    """
    reader = csv.reader(io.StringIO(read_text(path, what), newline=""), strict=True)
    rows: list[tuple[str, dict[str, str]]] = []
    header: list[str] | None = None
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if not any(stripped):
                continue
            if header is None:
                header = _checked_header(stripped, path, tuple(required), tuple(optional))
                continue
            where = f"line {reader.line_num}"
            if len(stripped) != len(header):
                raise InputError(
                    f"{path}: {where} has {len(stripped)} cells; expected {len(header)} as in the header"
                )
            rows.append((where, dict(zip(header, stripped, strict=True))))
    except csv.Error as error:
        raise InputError(f"{path}: not valid CSV: {error} (line {reader.line_num})") from None
    return rows


def _checked_header(
    cells: list[str], path: Path, required: tuple[str, ...], optional: tuple[str, ...]
) -> list[str]:
    known = (*required, *optional)
    if len(cells) == 1 and ";" in cells[0]:
        raise InputError(f"{path}: separated by semicolons; expected commas")
    if not set(cells) & set(known):
        raise InputError(f"{path}: no header; the first line must name the columns {','.join(known)}")
    for cell in cells:
        if cell not in known:
            raise InputError(
                f"{path}: unknown column {cell!r}; allowed are {', '.join(known)}.{nearest(cell, known)}"
            )
        if cells.count(cell) > 1:
            raise InputError(f"{path}: column {cell!r} is given twice; expected once")
    missing = [column for column in required if column not in cells]
    if missing:
        raise InputError(f"{path}: no column {missing[0]!r}; required are {', '.join(required)}")
    return cells


def _nearest_file(path: Path) -> str:
    try:
        return nearest(path.name, [entry.name for entry in path.parent.iterdir() if entry.is_file()])
    except OSError:
        return ""
