"""What has been played so far, safe on disk: one small file per condition, replaced whole after every chunk.

A file tells which run it belongs to, which games of its condition are played, and their tally. It carries a
digest of its content: a damaged file is named and its games are played again, and one of another run is refused.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from clashsim.analysis.precision import Target
from clashsim.errors import InputError, OutputError, reason_of
from clashsim.running.files import remove_parts, write_text
from clashsim.running.ranges import Ranges

FORMAT = "clashsim-checkpoint/1"

Tally = dict[str, np.ndarray]
"""Counts and sums of games by name; arrays of integers, merged by addition."""


def _tell(message: str) -> None:
    print(f"clashsim: {message}", file=sys.stderr)


class Played(NamedTuple):
    """The games of a condition that are played, and what they add up to."""

    games: Ranges
    tally: Tally


@dataclass(frozen=True)
class Checkpoint:
    """The state of one run in a folder that no other process writes to.

    Attributes
    ----------
    folder : Path
        Made where it is missing.
    run : str
        Digest of everything that decides the games of the run.
    target : Target
        When conditions stop before their last game.
    tell : callable
        Gets a line for the user about a file that can not be used; by default printed on standard error.
    rows : sequence of int, optional
        Rows of the run's plan that the rows asked for stand for; by default those themselves.
    """

    folder: Path
    run: str
    target: Target = field(default_factory=Target)
    tell: Callable[[str], None] = _tell
    rows: Sequence[int] | None = None

    def of(self, rows: Sequence[int]) -> "Checkpoint":
        """Return the same checkpoint for a part of the plan: some of its rows."""
        return replace(self, rows=tuple(rows))

    def quiet(self) -> "Checkpoint":
        """Return the same checkpoint for a look beforehand: what can not be used is told when it is played again."""
        return replace(self, tell=lambda message: None)

    def load(self, row: int, most: int) -> Played:
        """Return what is played of the condition in a row of the plan.

        Nothing, if there is no file for it or a damaged one, which is told.

        Raises
        ------
        InputError
            The file belongs to another run, or to one that has stopped where this one goes on, or holds more than
            `most` games.
        OutputError
            Reading failed.
        """
        path = self._path(row)
        try:
            content = _content(path.read_bytes())
            played = _played(content)
            found = Target(**content["target"])
        except FileNotFoundError:
            return Played(Ranges(), {})
        except OSError as error:
            raise OutputError(f"can not read {path}: {reason_of(error)}.") from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
            self.tell(f"{path} is damaged: its games are played again")
            return Played(Ranges(), {})
        if content["run"] != self.run or content["row"] != self._number(row):
            raise InputError(
                f"{path} belongs to another run; expected that of this plan: remove the file to have its games played "
                "again, or take a new folder"
            )
        if not self.target.tightens(found):
            raise InputError(
                f"{path}: its games were played for {words_of(found)}, and {words_of(self.target)} may have stopped "
                "earlier; expected a target at least as fine, or a new folder"
            )
        if played.games.end > most:
            raise InputError(
                f"--games {most:,}: the folder holds {played.games.end:,} games of a condition already; "
                "expected at least as many"
            )
        return played

    def save(self, row: int, played: Played) -> None:
        """Replace the file of a condition; OutputError leaves the one that was there."""
        content = {
            "format": FORMAT,
            "run": self.run,
            "row": self._number(row),
            "target": asdict(self.target),
            "games": played.games.spans,
            "tally": {
                name: {"shape": counts.shape, "counts": counts.ravel().tolist()}
                for name, counts in played.tally.items()
            },
        }
        text = json.dumps(content, separators=(",", ":"))
        write_text(f'{{"digest":"{_digest(text)}","content":{text}}}\n', self._path(row))

    def prepare(self) -> None:
        """Make the folder, and remove what a killed process left half written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            remove_parts(self.folder)
        except OSError as error:
            raise OutputError(f"can not write {self.folder}: {reason_of(error)}.") from error

    def is_empty(self) -> bool:
        """Tell whether there is nothing to go on with."""
        return next(self.folder.glob("*.json"), None) is None

    def clear(self) -> None:
        """Remove the files of all conditions."""
        for path in self.folder.glob("*.json"):
            path.unlink(missing_ok=True)

    def _number(self, row: int) -> int:
        return row if self.rows is None else self.rows[row]

    def _path(self, row: int) -> Path:
        return self.folder / f"{self._number(row):06}.json"


def words_of(target: Target) -> str:
    """Name a target as the command line does."""
    precision = "" if target.precision is None else f"--precision {100 * target.precision:g}"
    return " ".join(filter(None, [precision, "--until-decided" * target.until_decided])) or "--games alone"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _content(raw: bytes) -> dict[str, Any]:
    """Return the content of a file; ValueError or KeyError if it is not what was written."""
    file = json.loads(raw)
    content = file["content"]
    if file["digest"] != _digest(json.dumps(content, separators=(",", ":"))):
        raise ValueError("digest")
    if content["format"] != FORMAT:
        raise ValueError("format")
    return content


def _played(content: dict[str, Any]) -> Played:
    games = Ranges.of([(first, end) for first, end in content["games"]])
    if any(limit % 2 for span in games.spans for limit in span):
        raise ValueError("half a pair of games")
    tally = {
        name: np.array(values["counts"], np.int64).reshape(values["shape"])
        for name, values in content["tally"].items()
    }
    return Played(games, tally)
