"""Cut the games of every condition into chunks of a suitable length.

A chunk is long enough that handing it out costs nothing, and short enough that an interruption is answered at
once and that no worker is left with a long one when all others have finished.
"""

import heapq
from dataclasses import dataclass, field

from clashsim.running.ranges import Span

TARGET_SECONDS = 0.2
SHORTEST_SECONDS = 0.005
GROWTH = 8
SMALLEST = 2
START = 1 / 512


def even(games: int) -> int:
    """Round a number of games up to an even one, so that each side starts half of them."""
    return games + games % 2


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games `first` to `first + games - 1` of the condition in a row of the plan; both numbers are even."""

    row: int
    first: int
    games: int


@dataclass(slots=True)
class _Row:
    spans: list[Span] = field(default_factory=list)  # still to be handed out, the last one first
    length: int = 0  # unknown before its first chunk
    shortest: int = SMALLEST


class Chunker:
    """Hands out chunks of what is open, the first rows first, and learns from durations how long the next should be.

    Every row starts with a small chunk, since its games may be a thousand times slower than those of the rows
    before: one that would take them `START` of the target. Lengths grow from there towards `TARGET_SECONDS`, and
    shrink again when few games are left.
    """

    def __init__(self, rows: int, workers: int) -> None:
        self._rows = [_Row() for _ in range(rows)]
        self._workers = workers
        self._left = 0
        self._open: list[int] = []  # a heap of rows with spans
        self._start = SMALLEST

    def open(self, row: int, spans: list[Span]) -> None:
        """Let further games of a row be handed out, after those that are open; the spans' limits are even."""
        if not spans:
            return
        if not self._rows[row].spans:
            heapq.heappush(self._open, row)
        self._rows[row].spans[:0] = reversed(spans)
        self._left += sum(end - first for first, end in spans)

    def next(self) -> Chunk | None:
        """Return the next chunk, or None when all open games are handed out."""
        if not self._open:
            return None
        number = self._open[0]
        row = self._rows[number]
        first, end = row.spans.pop()
        length = row.length or self._start
        fair_share = max(self._left // (2 * self._workers), row.shortest)
        games = min(even(min(length, fair_share)), end - first)
        if first + games < end:
            row.spans.append((first + games, end))
        elif not row.spans:
            heapq.heappop(self._open)
        self._left -= games
        return Chunk(number, first, games)

    def took(self, chunk: Chunk, seconds: float) -> None:
        """Learn that a chunk took this long."""
        row = self._rows[chunk.row]
        per_second = chunk.games / max(seconds, 1e-9)
        longest = GROWTH * max(chunk.games, SMALLEST)
        row.length = max(SMALLEST, min(int(TARGET_SECONDS * per_second), longest))
        row.shortest = max(SMALLEST, min(int(SHORTEST_SECONDS * per_second), longest))
        self._start = max(SMALLEST, int(START * row.length))
