"""Find the games of a run that fit a description such as "winner=b,turns>60"."""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from time import perf_counter
from typing import NamedTuple

import numpy as np

from clashsim.clash.core.state import NO_WINNER
from clashsim.clash.duels import Duel
from clashsim.experiments.where import Where
from clashsim.running import Progress, usable_cores
from clashsim.running.chunks import Chunk, Chunker, even
from clashsim.running.executor import CHUNKS_PER_WORKER

TOLD = 20  # games found that a search tells of one by one


@dataclass(frozen=True)
class Stretch:
    """Games `first` to `first + games - 1` of a condition."""

    duel: Duel
    first: int
    games: int

    def after(self, game: int) -> "Stretch":
        """Return the games behind game number `game`."""
        return Stretch(self.duel, game + 1, self.first + self.games - game - 1)


class FoundGame(NamedTuple):
    """A game that fits: its condition, its number, the side that won (`NO_WINNER`: none) and its turns."""

    duel: Duel
    number: int
    winner: int
    turns: int

    @property
    def players(self) -> str:
        """Name who played it."""
        return " against ".join(dict.fromkeys(policy.name for policy in self.duel.policies))

    def __str__(self) -> str:
        deck_a, deck_b = (deck.name for deck in self.duel.decks)
        end = "draw" if self.winner == NO_WINNER else f"{'AB'[self.winner]} wins"
        starter = "AB"[self.number & 1]
        return f"deck {deck_a} against deck {deck_b}, game {self.number}: {starter} starts, {end} in turn {self.turns}"


def find_games(
    stretch: Stretch, where: Where, limit: int, *, jobs: int = 1, progress: Progress | None = None
) -> Iterator[FoundGame]:
    """Play games of a condition until enough of them fit.

    Parameters
    ----------
    stretch : Stretch
        The games to look at.
    where : Where
    limit : int
        How many are enough.
    jobs : int
        Number of threads. What is found does not depend on it.
    progress : Progress, optional
        Told how many games were looked at.

    Yields
    ------
    FoundGame
        In ascending order of their numbers.
    """
    for first, outcomes in _played_chunks(stretch, jobs):
        places = np.flatnonzero(where.matches(outcomes, first))[:limit].tolist()
        limit -= len(places)
        if progress:
            progress.advance(len(outcomes) if limit else places[-1] + 1)
        for place in places:
            yield FoundGame(
                stretch.duel, first + place, int(outcomes["winner"][place]), int(outcomes["turns"][place])
            )
        if not limit:
            return


def _played_chunks(stretch: Stretch, jobs: int) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the first game of each chunk, in order, and the outcomes of its games."""

    def play(chunk: Chunk) -> tuple[int, np.ndarray, float]:
        started = perf_counter()
        first = stretch.first + chunk.first
        outcomes, _ = stretch.duel.outcomes(first, min(chunk.games, stretch.games - chunk.first))
        return first, outcomes, perf_counter() - started

    chunker = Chunker(rows=1, workers=jobs)
    chunker.open(0, [(0, even(stretch.games))])  # chunks are even
    running: deque[tuple[Chunk, Future]] = deque()
    with ExitStack() as ending:
        pool = ThreadPoolExecutor(jobs, thread_name_prefix="search")
        ending.callback(pool.shutdown, wait=True, cancel_futures=True)
        while True:
            while len(running) < CHUNKS_PER_WORKER * jobs and (chunk := chunker.next()):
                running.append((chunk, pool.submit(play, chunk)))
            if not running:
                return
            oldest, future = running.popleft()
            first, outcomes, seconds = future.result()
            chunker.took(oldest, seconds)
            yield first, outcomes


class GameSearch:
    """A search through stretches of games, up to a number of games found, spread over the stretches.

    It goes in rounds: in each, every stretch that has games left may give an equal share of what is still missing,
    rounded up, and goes on where its last round stopped. What is found depends on nothing but the games.

    Attributes
    ----------
    searched, found : int
        Games looked at and games that fit, so far; the last game of a stretch looked at is the last one found
        if its share or the limit ended its search.
    first_found : list of FoundGame
        The first `TOLD` of them, in the order in which `run` yields them.
    """

    def __init__(
        self, stretches: Sequence[Stretch], where: Where, limit: int, *, jobs: int | None = None
    ) -> None:
        self.stretches = stretches
        self.where = where
        self.limit = limit
        self.jobs = jobs or usable_cores()
        self.searched = self.found = 0
        self.first_found: list[FoundGame] = []

    def run(self, progress: Progress | None = None) -> Iterator[FoundGame]:
        """Yield the games that fit: stretch after stretch, in each by number.

        With one stretch each is yielded once it is found, with several all after the search.
        """
        one = len(self.stretches) == 1
        for game in self._search(self.stretches[0], self.limit, progress) if one else self._rounds(progress):
            if len(self.first_found) < TOLD:
                self.first_found.append(game)
            yield game

    def _rounds(self, progress: Progress | None) -> Iterator[FoundGame]:
        games: list[list[FoundGame]] = [[] for _ in self.stretches]
        left = dict(enumerate(self.stretches))  # what is still to be searched, by the number of the stretch
        while left and self.found < self.limit:
            waiting = len(left)
            share = _share(self.limit - self.found, waiting)
            for place, (number, stretch) in enumerate(tuple(left.items())):
                most = min(share, _share(self.limit - self.found, waiting - place))
                if not most:
                    break
                found = list(self._search(stretch, most, progress))
                games[number] += found
                if len(found) < most:
                    del left[number]
                else:
                    left[number] = stretch.after(found[-1].number)
        return chain.from_iterable(games)

    def _search(self, stretch: Stretch, limit: int, progress: Progress | None) -> Iterator[FoundGame]:
        """Yield the games of a stretch that fit, up to a limit, and count."""
        before, found = self.searched, 0
        for game in find_games(stretch, self.where, limit, jobs=self.jobs, progress=progress):
            found += 1
            self.found += 1
            self.searched = before + game.number - stretch.first + 1
            yield game
        if found < limit:
            self.searched = before + stretch.games

    def summary(self) -> list[str]:
        """Say how many games were searched and found, and tell of the first `TOLD` of them, one a line."""
        found = f"{self.found:,} found" if self.found else "none found"
        lines = [f"Searched {self.searched:,} games for {self.where.text}: {found}."]
        several = len({stretch.duel.policies for stretch in self.stretches}) > 1
        lines += [f"{game} ({game.players})" if several else str(game) for game in self.first_found]
        if more := self.found - len(self.first_found):
            lines.append(f"and {more:,} more")
        return lines


def _share(games: int, stretches: int) -> int:
    """Return an equal share, rounded up."""
    return -(-games // stretches)
