"""Files of traces: one JSON object per game, one game a line. Written whole or not at all, checked when read."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from clashsim.clash.card_checks import LONGEST_NAME, shown
from clashsim.clash.record_checks import check_keys, whole
from clashsim.clash.trace_checks import check_trace
from clashsim.errors import InputError, OutputError, nearest, reason_of

FORMAT = "clashsim-trace/1"
LISTED = 5  # games that a message names one by one
MOST_KEPT = 20  # games to choose from whose pairings it names

Trace = dict[str, Any]


def read_trace(
    path: str | os.PathLike[str], game: int | None = None, decks: Sequence[str] | None = None
) -> Trace:
    """Read and check one game of a file of traces.

    Parameters
    ----------
    path : str or path
    game : int, optional
        The game's number, its "game" in the file. Not needed where the file holds one game.
    decks : sequence of two str, optional
        Names of the decks of A and B, the game's "decks" in the file: where games of several pairs have the number.

    Raises
    ------
    InputError
        Naming the file, the line, the game and the place in it where something is wrong; if no game fits or more
        than one, naming those that are there.
    OutputError
        If reading breaks off.
    """
    path = Path(path)
    try:
        where, trace = _selected(path, game, None if decks is None else list(decks))
        check_trace(trace, where)
    except RecursionError:
        raise InputError(f"{path}: brackets nested too deeply; expected one trace a line") from None
    return trace


def _selected(path: Path, game: int | None, decks: list[str] | None) -> tuple[str, Trace]:
    """Return the only game that fits what is asked for, unchecked, and where it stands."""
    chosen: tuple[str, Trace] | None = None
    held, numbered, fitting = _Listing(), _Listing(), _Listing()
    for line, trace in _records(path):
        held.add(line, trace)
        if game not in (None, trace["game"]):
            continue
        numbered.add(line, trace)
        if decks not in (None, trace.get("decks")):
            continue
        if game is not None and chosen and trace == chosen[1]:  # the same game once more is no other
            continue
        fitting.add(line, trace)
        chosen = chosen or (f"{path}: line {line}, game {trace['game']}", trace)
    if not held.count:
        raise InputError(f"{path} is empty; expected traces, one JSON object a line")
    if not chosen:
        raise InputError(_absent(path, game, decks, numbered if numbered.count else held))
    if fitting.count > 1:
        raise InputError(f"{path} holds {fitting.choice(game)}")
    return chosen


def _absent(path: Path, game: int | None, decks: list[str] | None, there: "_Listing") -> str:
    number = "" if game is None else f" {game}"
    if decks is None:
        return f"no game{number} in {path}; it holds {there}"
    pair, turned, pairs = ",".join(decks), ",".join(reversed(decks)), there.pairs()
    near = f" Did you mean {turned}?" if turned in pairs else nearest(pair, pairs)
    return f"no game{number} of decks {pair} in {path}; it holds {there}.{near}"


class _Heading(NamedTuple):
    """What tells a game from others of the file. Nothing but the number is checked yet."""

    line: int
    game: int
    decks: list[str]
    policies: list[str]
    seed: str


class _Listing:
    """Games to choose from: how many, their lowest and highest number, and the first of them."""

    def __init__(self) -> None:
        self.count = self.low = self.high = 0
        self.first: list[_Heading] = []
        self.of_several_pairs = False

    def add(self, line: int, trace: Trace) -> None:
        number = trace["game"]
        self.low = min(self.low, number) if self.count else number
        self.high = max(self.high, number)
        self.count += 1
        names = _names(trace, "decks"), _names(trace, "policies")
        if len(self.first) < MOST_KEPT:
            self.first.append(_Heading(line, number, *names, shown(trace.get("seed"))))
        self.of_several_pairs |= names[0] != self.first[0].decks

    def __str__(self) -> str:
        games = [f"{one.game} ({_against(one.decks)})" for one in self.first[:LISTED]]
        if self.count == 1:
            return f"game {games[0]} only"
        span = f", {self.low} to {self.high}" if self.count > LISTED else ""
        return f"{self.count:,} games{span}: {_listed(games, self.count - len(games))}"

    def choice(self, game: int | None) -> str:
        """Name what there is to choose from, and how; all of them have the number, if one is given."""
        if game is None:
            return f"{self}; choose one with --game N"
        games = f"{self.count:,} games {game}"
        if self.of_several_pairs:
            pairings = dict.fromkeys(
                f"{_against(one.decks)} ({_against(one.policies)})" for one in self.first
            )
            listed = _listed(list(pairings), self.count - len(self.first))
            return f"{games}: {listed}; choose one with --decks A,B"
        lines = [
            f"line {one.line} ({_against(one.policies)}, seed {one.seed})" for one in self.first[:LISTED]
        ]
        listed = _listed(lines, self.count - len(lines))
        return f"{games} of {_against(self.first[0].decks)}: {listed}; expected a file with one of them"

    def pairs(self) -> list[str]:
        return list(dict.fromkeys(",".join(one.decks) for one in self.first))


def _names(trace: Trace, key: str) -> list[str]:
    """Return the two names that a trace has under a key, the AI having no policy; cut, for they may be anything."""
    names = trace.get(key)
    if not isinstance(names, list):
        return ["?"]
    return ["the AI" if name is None else str(name)[:LONGEST_NAME] for name in names[:2]]


def _against(names: list[str]) -> str:
    return " against ".join(names)


def _listed(games: list[str], more: int) -> str:
    return ", ".join(games) + (f" and {more:,} more" if more else "")


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
            f"can not write {path}: {reason_of(error)}; expected a file in a folder that can be written"
        ) from None
    try:
        with file:
            yield file
        aside.replace(target)
    except OSError as error:
        raise OutputError(f"can not write {path}: {reason_of(error)}") from error
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


def _records(path: Path) -> Iterator[tuple[int, Trace]]:
    """Yield each line's number and object, once it says that it is a trace and of which game."""
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        where = f"{path}: line {number}"
        record = _parsed(line, where)
        check_keys(record, ("format", "game"), where)
        if record["format"] != FORMAT:
            raise InputError(f"{where}: format is {shown(record['format'])}; expected {FORMAT!r}")
        whole(record["game"], f"{where}: game")
        yield number, record


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
        raise InputError(f"can not read the trace file {path}: {reason_of(error)}") from None
    with file:
        try:
            yield from file
        except OSError as error:
            raise OutputError(f"can not read {path}: {reason_of(error)}") from error


def _nearest_file(path: Path) -> str:
    try:
        return nearest(path.name, [entry.name for entry in path.parent.iterdir() if entry.is_file()])
    except OSError:
        return ""
