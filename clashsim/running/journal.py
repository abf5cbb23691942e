"""A file that grows by a line for everything that is found, so that an interrupted search can go on from there."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clashsim.errors import InputError, OutputError, reason_of
from clashsim.running.files import write_text


class Journal:
    """Findings by key, each a list of counts, in a file of JSON lines.

    Parameters
    ----------
    path : Path
    head : mapping
        What the findings depend on: the first line of the file. A file with another one is refused.

    Notes
    -----
    A last line that breaks off, as a kill may leave it, does not count.
    """

    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        self.path = path
        self._head = json.loads(json.dumps(head))
        self.found: dict[tuple[int, ...], list] = {}

    def begin(self) -> None:
        """Start anew."""
        self.found = {}
        write_text(json.dumps(self._head) + "\n", self.path)

    def load(self) -> None:
        """Go on from what is in the file; one that does not exist or is empty is begun.

        Raises
        ------
        InputError
            The file can not be read, or is of something else; names what differs.
        """
        lines = self._read()
        if lines:
            write_text("".join(line.decode() + "\n" for line in lines), self.path)  # without what breaks off
        else:
            self.begin()

    def peek(self) -> int:
        """Return how many findings the file holds, changing nothing; errors are those of `load`."""
        self._read()
        return len(self.found)

    def add(self, key: tuple[int, ...], found: list) -> None:
        """Keep what was found, at once."""
        self.found[key] = found
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": list(key), "found": found}) + "\n")
        except OSError as error:
            raise OutputError(f"can not write {self.path}: {reason_of(error)}") from error

    def _read(self) -> list[bytes]:
        try:
            lines = self.path.read_bytes().split(b"\n")[:-1]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"can not read {self.path}: {reason_of(error)}") from None
        if not lines:
            return []
        try:
            head, *entries = (json.loads(line) for line in lines)
            found = {tuple(map(int, entry["key"])): list(entry["found"]) for entry in entries}
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(
                f"{self.path} is damaged: {str(error)[:80]}; expected it as it was left"
            ) from None
        self._check_head(head)
        self.found = found
        return lines

    def _check_head(self, head: Any) -> None:
        if head == self._head:
            return
        known = head if isinstance(head, dict) else {}
        names = [name for name in {**self._head, **known} if known.get(name) != self._head.get(name)]
        raise InputError(
            f"{self.path} is of another search (not the same: {', '.join(names) or 'settings'}); expected the same "
            "settings, or --yes without --resume to begin again"
        )
