"""Files of traces: one JSON object per game, one game a line. Written whole or not at all, checked when read."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from clashsim.clash.card_checks import shown
from clashsim.clash.trace_checks import check_keys, check_trace, whole
from clashsim.errors import InputError, OutputError, nearest

FORMAT = "clashsim-trace/1"

Trace = dict[str, Any]


def read_trace(path: str | os.PathLike[str], game: int | None = None) -> Trace:
    """Read and check one game of a file of traces.

    Parameters
    ----------
    path : str or path
    game : int, optional
        The game's number, its "game" in the file; the first one with it is taken. Not needed where the
        file holds one game.

    Raises
    ------
    InputError
        Naming the file, the line, the game and the place in it where something is wrong.
    OutputError
        If reading breaks off.
    """
    path = Path(path)
    try:
        where, trace = _selected(path, game)
        check_trace(trace, where)
    except RecursionError:
        raise InputError(f"{path}: brackets nested too deeply; expected one trace a line") from None
    return trace


def _selected(path: Path, game: int | None) -> tuple[str, Trace]:
    """Return the game that is asked for, unchecked, and where it stands."""
    first: tuple[str, Trace] | None = None
    count = low = high = 0
    for where, trace in _records(path):
        number = trace["game"]
        if number == game:
            return where, trace
        if first is None:
            first, low, high = (where, trace), number, number
        count, low, high = count + 1, min(low, number), max(high, number)
    if first is None:
        raise InputError(f"{path} is empty; expected traces, one JSON object a line")
    if game is None and count == 1:
        return first
    held = f"game {low} only" if count == 1 else f"{count} games, {low} to {high}"
    if game is None:
        raise InputError(f"{path} holds {held}; choose one with --game N")
    raise InputError(f"no game {game} in {path}; it holds {held}")


@contextmanager
def new_trace_file(path: str | os.PathLike[str], *, overwrite: bool = False) -> Iterator[TextIO]:
    """Open a file to write traces to; it appears under its name when the block ends without an error.

    Parameters
    ----------
    path : str or path
    overwrite : bool
        Whether an existing file may be replaced.

    Raises
    ------
    InputError
        Before the block, if there can be no such file.
    OutputError
        If writing fails later.
    """
    _check_target(path, overwrite)
    try:
        target = Path(os.path.realpath(path))  # a link stays one
        aside = target.with_name(f".{target.name}.{os.getpid()}.part")
        file = aside.open("w", encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise InputError(
            f"can not write {path}: {_reason(error)}; expected a file in a folder that can be written"
        ) from None
    try:
        with file:
            yield file
        aside.replace(target)
    except OSError as error:
        raise OutputError(f"can not write {path}: {_reason(error)}") from error
    finally:
        aside.unlink(missing_ok=True)


def _check_target(path: str | os.PathLike[str], overwrite: bool) -> None:
    if not os.fspath(path):
        raise InputError("the name of the trace file is empty; expected one such as games.jsonl")
    if os.path.isdir(path):
        raise InputError(f"{path} is a folder; expected the name of a file, such as games.jsonl")
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(f"{path} is not a regular file; expected a new name, or - for standard output")
    if os.path.exists(path) and not overwrite:
        raise InputError(f"{path} exists; expected a new name, or --yes to overwrite it")


def _records(path: Path) -> Iterator[tuple[str, Trace]]:
    """Yield each line's object and where it stands, once it says that it is a trace and of which game."""
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        where = f"{path}: line {number}"
        record = _parsed(line, where)
        check_keys(record, ("format", "game"), where)
        if record["format"] != FORMAT:
            raise InputError(f"{where}: format is {shown(record['format'])}; expected {FORMAT!r}")
        whole(record["game"], f"{where}: game")
        yield f"{where}, game {record['game']}", record


def _parsed(line: bytes, where: str) -> Any:
    try:
        return json.loads(line.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        reason = f"{error.msg}, column {error.colno}"
    except UnicodeDecodeError as error:
        reason = f"byte {error.start + 1} is not UTF-8"
    except ValueError:  # more digits than Python reads
        reason = "a number is too long"
    raise InputError(f"{where} is not JSON ({reason}); expected one trace a line")


def _lines(path: Path) -> Iterator[bytes]:
    if os.path.exists(path) and not os.path.isfile(path):
        kind = "a folder" if os.path.isdir(path) else "not a regular file"
        raise InputError(f"{path} is {kind}; expected a file of traces")
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise InputError(f"no trace file {path}.{_nearest_file(path)}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"can not read the trace file {path}: {_reason(error)}") from None
    with file:
        try:
            yield from file
        except OSError as error:
            raise OutputError(f"can not read {path}: {_reason(error)}") from error


def _nearest_file(path: Path) -> str:
    try:
        return nearest(path.name, [entry.name for entry in path.parent.iterdir() if entry.is_file()])
    except OSError:
        return ""


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
