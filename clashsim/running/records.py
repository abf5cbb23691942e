"""What is kept of every single game: in parts on disk while a run goes on, in one Parquet file at its end."""

import io
import os
import re
import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from clashsim.errors import OutputError, reason_of
from clashsim.running.files import write_bytes, written_aside

GROUP_SIZE = 2**18
"""Games in a row group of the Parquet file, whatever the parts: some megabytes while it is made."""

ToArrow = Callable[[int, int, np.ndarray], pa.RecordBatch]
"""``to_arrow(row, first_game, records)`` makes rows of the table out of records of consecutive games."""

_Piece = tuple[int, int, np.ndarray]  # row of the plan, number of the first game, records
_CHECKSUM = 4  # bytes at the end of a part, after the array
_REMEDY = "when it is removed, a resumed run plays its games again"
_NAME = re.compile(r"([0-9]+)-([0-9]+)\.npy")


@dataclass(frozen=True, slots=True, order=True)
class _Part:
    """A file with the records of games `first` to `stop - 1`, and where it is."""

    first: int
    stop: int
    path: Path


@dataclass(frozen=True)
class RecordStore:
    """A folder that keeps the records of finished chunks until they go into one file.

    A part is one array in numpy's format, followed by a checksum, in a folder of its row of the plan. Parts
    may overlap or repeat, as when a run was killed before it had noted that a chunk was done: a game's record
    is the same in all of them.

    Attributes
    ----------
    folder : Path
        Made with the first part.
    """

    folder: Path

    def put(self, row: int, first: int, records: np.ndarray) -> None:
        """Keep the records of a chunk; they are on disk, whole, when this returns.

        Parameters
        ----------
        row : int
            Row of the plan.
        first : int
            Number of the first game; the others follow it.
        records : array, shape (n_games,)
            Of a fixed-size type, structured or not.

        Raises
        ------
        OutputError
            If they can not be written; no part is touched then.
        """
        if not len(records):
            return
        buffer = io.BytesIO()
        np.save(buffer, records, allow_pickle=False)
        content = buffer.getvalue()
        folder = self._row_folder(row)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"can not write {folder}: {reason_of(error)}") from error
        write_bytes(content + _checksum(content, row, first), folder / f"{first}-{len(records)}.npy")

    def ranges(self, row: int) -> list[tuple[int, int]]:
        """Return which games of a row have records, as ranges (first, stop), apart and in order."""
        ranges: list[tuple[int, int]] = []
        for part in self._parts(row):
            if ranges and part.first <= ranges[-1][1]:
                first, stop = ranges.pop()
                ranges.append((first, max(stop, part.stop)))
            else:
                ranges.append((part.first, part.stop))
        return ranges

    def covers(self, row: int, spans: Sequence[tuple[int, int]]) -> bool:
        """Tell whether all games in some ranges (first, stop) of a row have records."""
        ranges = self.ranges(row)
        return all(any(low <= first and stop <= high for low, high in ranges) for first, stop in spans)

    def assemble(
        self,
        path: str | os.PathLike[str],
        rows_games: Sequence[int],
        to_arrow: ToArrow,
        schema: pa.Schema,
        *,
        ascending: Sequence[str] = (),
        group_size: int = GROUP_SIZE,
    ) -> None:
        """Write the records of all games into one Parquet file, row by row and game by game.

        The file depends on the games alone: not on how they are cut into parts. It appears under its name
        when it is complete. Memory is that of one row group and the longest part. The parts stay.

        Parameters
        ----------
        path : str or path
            An existing file is replaced.
        rows_games : sequence of int
            How many games each row of the plan has; parts with games beyond are cut there.
        to_arrow : callable
            ``to_arrow(row, first_game, records) -> RecordBatch`` with the columns of `schema`.
        schema : pyarrow.Schema
        ascending : sequence of str
            Integer columns that grow from row to row: stored as differences, in a fraction of the space.
        group_size : int
            Rows in a row group.

        Raises
        ------
        OutputError
            If a part is missing or damaged, or the file can not be written; what stood under its name is
            still there, and all parts.
        """
        covers = [self._cover(row, games) for row, games in enumerate(rows_games)]
        encodings = dict.fromkeys(ascending, "DELTA_BINARY_PACKED")
        by_value = [name for name in schema.names if name not in encodings]
        try:
            with (
                written_aside(Path(os.path.realpath(path))) as aside,  # a link stays one
                aside.open("wb") as file,
                pq.ParquetWriter(
                    file, schema, compression="zstd", use_dictionary=by_value, column_encoding=encodings
                ) as writer,
            ):
                for group in _groups(_pieces(covers), group_size):
                    table = pa.Table.from_batches([to_arrow(*piece) for piece in group], schema)
                    writer.write_table(table.unify_dictionaries().combine_chunks(), group_size)
        except OutputError as error:
            if isinstance(error.__cause__, OutputError):  # of a part, not of the file
                raise error.__cause__ from None
            raise

    def clear(self) -> None:
        """Remove the folder and all parts in it, if there is one."""
        try:
            shutil.rmtree(self.folder)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise OutputError(f"can not remove {self.folder}: {reason_of(error)}") from error

    def _row_folder(self, row: int) -> Path:
        return self.folder / str(row)

    def _parts(self, row: int) -> list[_Part]:
        """Return the parts of a row by their names, in order; what else lies there is left alone."""
        try:
            with os.scandir(self._row_folder(row)) as entries:
                found = [(match, entry.path) for entry in entries if (match := _NAME.fullmatch(entry.name))]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise OutputError(f"can not read {self._row_folder(row)}: {reason_of(error)}") from error
        return sorted(
            _Part(int(match[1]), int(match[1]) + int(match[2]), Path(path)) for match, path in found
        )

    def _cover(self, row: int, games: int) -> list[tuple[int, int, int, _Part]]:
        """Choose parts that hold games 0 to `games` - 1 of a row: (row, first, stop, part), each game once."""
        cover: list[tuple[int, int, int, _Part]] = []
        parts = self._parts(row)
        position = passed = 0
        while position < games:
            reach = passed
            while reach < len(parts) and parts[reach].first <= position:
                reach += 1
            best = max(parts[passed:reach], key=attrgetter("stop"), default=None)
            if best is None or best.stop <= position:
                stop = min(parts[reach].first, games) if reach < len(parts) else games
                raise OutputError(
                    f"{self._row_folder(row)}: no records of games {position} to {stop - 1}; "
                    f"expected those of games 0 to {games - 1}"
                )
            cover.append((row, position, min(best.stop, games), best))
            position, passed = best.stop, reach
        return cover


def _pieces(covers: Sequence[Sequence[tuple[int, int, int, _Part]]]) -> Iterator[_Piece]:
    """Read the records that covers name, part by part."""
    for cover in covers:
        for row, first, stop, part in cover:
            yield row, first, _read(row, part)[first - part.first : stop - part.first]


def _read(row: int, part: _Part) -> np.ndarray:
    try:
        content = part.path.read_bytes()
    except OSError as error:
        raise OutputError(f"can not read {part.path}: {reason_of(error)}") from error
    array, checksum = content[:-_CHECKSUM], content[-_CHECKSUM:]
    if checksum != _checksum(array, row, part.first) or not array:
        raise OutputError(f"{part.path} is damaged: its checksum does not fit; {_REMEDY}")
    records = np.load(io.BytesIO(array), allow_pickle=False)
    games = part.stop - part.first
    if records.shape != (games,):
        raise OutputError(
            f"{part.path} is damaged: it holds an array of shape {records.shape}; expected ({games},); {_REMEDY}"
        )
    return records


def _groups(pieces: Iterator[_Piece], size: int) -> Iterator[list[_Piece]]:
    """Cut and join pieces into groups of `size` records, the last one shorter, with one piece per row."""
    group: list[_Piece] = []
    room = size
    for row, first, records in pieces:
        taken = 0
        while taken < len(records):
            part = records[taken : taken + room]
            group.append((row, first + taken, part))
            taken, room = taken + len(part), room - len(part)
            if not room:
                yield _joined(group)
                group, room = [], size
    if group:
        yield _joined(group)


def _joined(pieces: list[_Piece]) -> list[_Piece]:
    """Join the pieces of each row: what is written must not depend on the parts."""
    by_row: dict[int, list[_Piece]] = {}
    for piece in pieces:
        by_row.setdefault(piece[0], []).append(piece)
    return [(row, same[0][1], np.concatenate([piece[2] for piece in same])) for row, same in by_row.items()]


def _checksum(content: bytes, row: int, first: int) -> bytes:
    """Return the checksum of an array and of the games it belongs to: a part in another's place is damaged, too."""
    return zlib.crc32(content + f"{row}/{first}".encode()).to_bytes(_CHECKSUM, "little")
