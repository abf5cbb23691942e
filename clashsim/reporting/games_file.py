"""The file of all single games of a run, and the parts it is put together from."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from clashsim.errors import InputError
from clashsim.reporting.run_folder import RunFolder
from clashsim.running import RecordStore

RUN = "clashsim-run"
"""Key of the file's metadata that names the run."""


def check_games_file(
    path: str, run: str, out: str | None, tables: Sequence[str], *, resume: bool, replace: bool
) -> None:
    """Make sure that a games file can be written; one that exists only when asked for, or by the run that wrote it.

    It may lie in the output folder `out`, which may not exist yet, but not be called like one of the run's tables.

    Raises
    ------
    InputError
        Names the path and the reason.
    """
    target = Path(path)
    if not path or target.is_dir() or (target.exists() and not target.is_file()):
        raise InputError(
            f"--games-out {path or repr('')}: it is no file; expected a name such as games.parquet"
        )
    if target.suffix.lower() != ".parquet":
        raise InputError(f"--games-out {path}: expected a name that ends in .parquet")
    parent = target.parent
    if out is not None and parent.resolve() == Path(out).resolve() and target.stem in tables:
        raise InputError(
            f"--games-out {path}: the run has a table of this name; expected another, such as games.parquet"
        )
    if (out is None or parent.resolve() != Path(out).resolve()) and not (
        parent.is_dir() and os.access(parent, os.W_OK)
    ):
        raise InputError(f"--games-out {path}: expected a file in a folder that exists and can be written")
    if target.exists() and not replace and not (resume and _run_of(target) == run):
        raise InputError(f"--games-out {path}: it exists; expected a new name, or --yes to overwrite it")


@contextmanager
def game_records(path: str | None, folder: RunFolder | None) -> Iterator[RecordStore | None]:
    """Give the place for the records of single games: in the run's folder or, without one, beside the file."""
    if path is None:
        yield None
    elif folder:
        yield folder.records
    else:
        target = Path(os.path.realpath(path))
        store = RecordStore(target.with_name(f".{target.name}.{os.getpid()}.parts"))
        try:
            yield store
        finally:
            store.clear()


def _run_of(path: Path) -> str | None:
    """Return which run wrote a games file; None for any other file."""
    try:
        metadata = pq.read_schema(path).metadata or {}
    except (OSError, pa.ArrowException):
        return None
    return metadata.get(RUN.encode(), b"").decode(errors="replace")
