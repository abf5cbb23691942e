"""Cut the games of every condition into chunks of a suitable length.

A chunk is long enough that handing it out costs nothing, and short enough that an interruption is answered at
once and that no worker is left with a long one when all others have finished.
"""

from collections.abc import Sequence
from dataclasses import dataclass

TARGET_SECONDS = 0.2
SHORTEST_SECONDS = 0.005
GROWTH = 8
SMALLEST = 2


def even(games: int) -> int:
    """Round a number of games up to an even one, so that each side starts half of them."""
    return games + games % 2


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games `first` to `first + games - 1` of the condition in a row of the plan; both numbers are even."""

    row: int
    first: int
    games: int


class Chunker:
    """Hands out chunks, row after row, and learns from their durations how long the next should be.

    Every row starts with the smallest chunk, since its games may be a thousand times slower than those of the
    row before. Lengths grow from there towards `TARGET_SECONDS`, and shrink again when few games are left.
    """

    def __init__(self, games: Sequence[int], workers: int) -> None:
        self._games = [even(count) for count in games]
        self._workers = workers
        self._left = sum(self._games)
        self._row = 0
        self._next_game = 0
        self._length = [SMALLEST] * len(self._games)
        self._shortest = [SMALLEST] * len(self._games)

    def next(self) -> Chunk | None:
        """Return the next chunk, or None when all games are handed out."""
        while self._row < len(self._games) and self._next_game == self._games[self._row]:
            self._row, self._next_game = self._row + 1, 0
        if self._row == len(self._games):
            return None
        fair_share = max(self._left // (2 * self._workers), self._shortest[self._row])
        length = even(min(self._length[self._row], fair_share))
        chunk = Chunk(self._row, self._next_game, min(length, self._games[self._row] - self._next_game))
        self._next_game += chunk.games
        self._left -= chunk.games
        return chunk

    def took(self, chunk: Chunk, seconds: float) -> None:
        """Learn that a chunk took this long."""
        per_second = chunk.games / max(seconds, 1e-9)
        longest = GROWTH * max(chunk.games, SMALLEST)
        self._length[chunk.row] = max(SMALLEST, min(int(TARGET_SECONDS * per_second), longest))
        self._shortest[chunk.row] = max(SMALLEST, min(int(SHORTEST_SECONDS * per_second), longest))
