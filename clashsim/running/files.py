"""Write files complete or not at all, and keep a folder to one process at a time."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import filelock
import numpy as np

from clashsim.errors import InputError, OutputError, reason_of


def open_folder(path: str | os.PathLike[str]) -> Path:
    """Create an output folder where it is missing, and make sure that files can be written there.

    Raises
    ------
    InputError
        Names the path and the reason: a file is in the way, no permission, read-only, name too long, …
    """
    check_folder(path)
    folder = Path(path)
    probe = folder / f".probe-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"\n")  # permission bits alone do not tell, for a superuser or a read-only disk
        probe.unlink()
    except (OSError, ValueError) as error:
        raise InputError(
            f"output folder {path}: {reason_of(error)}. Expected a folder that can be written."
        ) from None
    return folder


def check_folder(path: str | os.PathLike[str]) -> None:
    """Make sure that a path can be that of a folder, without making it; InputError if something is in the way."""
    if not os.fspath(path):
        raise InputError("output folder: expected the path of a folder, not an empty name.")
    folder = Path(path)
    first = next((part for part in (folder, *folder.parents) if os.path.lexists(part)), folder)
    if os.path.lexists(first) and not first.is_dir():
        raise InputError(f"output folder {path}: {first} is not a folder. Expected a folder or a new name.")


@contextmanager
def locked(folder: Path, lock: Path) -> Iterator[None]:
    """Hold a folder, by a lock on the file `lock`, as long as the block runs; the lock ends with the process.

    Raises
    ------
    InputError
        Another process holds it.
    """
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(lock, timeout=0):
            yield
    except filelock.Timeout:
        raise InputError(
            f"output folder {folder}: another run is writing there; expected another folder, or to wait for its end"
        ) from None


def write_json(path: Path, mapping: Mapping[str, Any]) -> None:
    """Write a mapping as indented JSON, in its own order."""
    text = json.dumps(mapping, indent=2, ensure_ascii=False, allow_nan=False, default=_plain)
    write_text(text + "\n", path)


def write_text(text: str, path: Path) -> None:
    """Write a text in UTF-8, or raise OutputError and leave what was there before."""
    write_bytes(text.encode(errors="backslashreplace"), path)  # a path need not be valid UTF-8


def write_bytes(content: bytes, path: Path) -> None:
    """Write bytes, or raise OutputError and leave what was there before."""
    with written_aside(path) as aside:
        aside.write_bytes(content)


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """Give the name of a file to write; it takes its place at `path` when the block has ended well.

    Raises
    ------
    OutputError
        Writing failed; what was at `path` before is still there.
    """
    path = Path(path)
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            yield aside
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(f"can not write {path}: {reason_of(error)}.") from error


def remove_parts(folder: Path) -> None:
    """Remove what a killed process left half written in a folder; to be called while it is locked."""
    for part in folder.glob(".*.part"):
        part.unlink(missing_ok=True)


def _plain(value: Any) -> Any:
    """Turn what JSON does not know into what it knows."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple | set | frozenset):
        return sorted(value)
    return str(value)
