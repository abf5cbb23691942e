"""Find the games of a run that fit a description such as "winner=b,turns>60"."""

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from clashsim.clash.duels import Duel
from clashsim.errors import InputError, nearest
from clashsim.experiments.game_records import MISSING, WORDS, columns, pack
from clashsim.running import Progress, usable_cores
from clashsim.running.chunks import Chunk, Chunker, even
from clashsim.running.executor import CHUNKS_PER_WORKER

EQUALITY: dict[str, Callable[..., np.ndarray]] = {"=": np.equal, "!=": np.not_equal}
ORDER: dict[str, Callable[..., np.ndarray]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
OPERATORS = EQUALITY | ORDER

NAMES = ("game", "starter", "winner", "reason", "turns", "bastion_a_turn", "bastion_b_turn")
NONE = "none"  # instead of the turn in which a Bastion fell: it stood
EXAMPLE = "winner=b,turns>60"

_COMPARISON = re.compile(r"\s*([^\s=!<>]*)\s*([=!<>]*)\s*(.*?)\s*", re.DOTALL)


@dataclass(frozen=True)
class Comparison:
    """One part of a description: a name, an operator, and the integer that stands for the value.

    A turn that is missing is `MISSING`: it is unequal to every turn, and neither before nor after any.
    """

    name: str
    operator: str
    value: int

    @classmethod
    def parse(cls, text: str) -> "Comparison":
        """Read a text such as "turns>60"."""
        found = _COMPARISON.fullmatch(text)
        assert found  # every text does; what is wrong with it is to be named
        name, operator, value = found.groups()
        where = f"--where {text.strip()!r}"
        if name not in NAMES:
            raise InputError(
                f"{where}: name is {name!r}; expected one of {', '.join(NAMES)}.{nearest(name, NAMES)}"
            )
        if operator not in OPERATORS:
            given = f"operator is {operator!r}" if operator else "no operator"
            near = nearest(operator, OPERATORS)
            raise InputError(f"{where}: {given}; expected one of {' '.join(OPERATORS)}.{near}")
        if (name in WORDS or value == NONE) and operator not in EQUALITY:
            raise InputError(f"{where}: {value!r} is a word, and words have no order; expected = or !=")
        return cls(
            name, operator, _word(name, value, where) if name in WORDS else _number(name, value, where)
        )

    def holds(self, values: np.ndarray) -> np.ndarray:
        """Tell for each value of the column whether the comparison holds."""
        held = OPERATORS[self.operator](values, self.value)
        return held & (values != MISSING) if self.operator in ORDER else held


@dataclass(frozen=True)
class Where:
    """A description of games: comparisons that must all hold."""

    text: str
    comparisons: tuple[Comparison, ...]

    @classmethod
    def parse(cls, text: str) -> "Where":
        """Read a description.

        Parameters
        ----------
        text : str
            ``name operator value``, several separated by commas; spaces are allowed. Names are those in
            `NAMES`, operators = != < <= > >=. starter, winner and reason have words as values and no order;
            the turn of a Bastion that stood is ``none``.

        Raises
        ------
        InputError
            Naming the comparison and what is wrong with it.
        """
        if not text.strip():
            raise InputError(f"--where is empty; expected comparisons such as {EXAMPLE}")
        parts = text.split(",")
        if not all(part.strip() for part in parts):
            raise InputError(
                f"--where {text.strip()!r}: a comma too many; expected comparisons such as {EXAMPLE}"
            )
        return cls(text.strip(), tuple(Comparison.parse(part) for part in parts))

    def matches(self, outcomes: np.ndarray, first_game: int) -> np.ndarray:
        """Tell which games fit.

        Parameters
        ----------
        outcomes : array of OUTCOME, shape (n_games,)
        first_game : int
            Number of the first game; the others follow it.

        Returns
        -------
        array of bool, shape (n_games,)
        """
        values = columns(first_game, pack(outcomes))
        return np.logical_and.reduce([part.holds(values[part.name]) for part in self.comparisons])


@dataclass(frozen=True)
class Stretch:
    """Games `first` to `first + games - 1` of a condition."""

    duel: Duel
    first: int
    games: int


def find_games(
    duel: Duel,
    where: Where,
    first_game: int,
    n_games: int,
    limit: int,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Iterator[int]:
    """Play games of a condition until enough of them fit.

    Parameters
    ----------
    duel : Duel
    where : Where
    first_game, n_games : int
        The games to look at.
    limit : int
        How many are enough.
    jobs : int
        Number of threads. What is found does not depend on it.
    progress : Progress, optional
        Told how many games are played.

    Yields
    ------
    int
        Number of a game that fits, in ascending order.
    """
    found = 0
    for first, fits in _searched_chunks(duel, where, first_game, n_games, jobs):
        if progress:
            progress.advance(len(fits))
        for place in np.flatnonzero(fits)[: limit - found].tolist():
            found += 1
            yield first + place
        if found == limit:
            return


def _searched_chunks(
    duel: Duel, where: Where, first_game: int, n_games: int, jobs: int
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the first game of each chunk, in order, and which of its games fit."""

    def search(chunk: Chunk) -> tuple[int, np.ndarray, float]:
        started = perf_counter()
        first = first_game + chunk.first
        outcomes, _ = duel.outcomes(first, min(chunk.games, n_games - chunk.first))
        return first, where.matches(outcomes, first), perf_counter() - started

    chunker = Chunker(rows=1, workers=jobs)
    chunker.open(0, [(0, even(n_games))])  # chunks are even
    running: deque[tuple[Chunk, Future]] = deque()
    with ExitStack() as ending:
        pool = ThreadPoolExecutor(jobs, thread_name_prefix="search")
        ending.callback(pool.shutdown, wait=True, cancel_futures=True)
        while True:
            while len(running) < CHUNKS_PER_WORKER * jobs and (chunk := chunker.next()):
                running.append((chunk, pool.submit(search, chunk)))
            if not running:
                return
            oldest, future = running.popleft()
            first, fits, seconds = future.result()
            chunker.took(oldest, seconds)
            yield first, fits


class GameSearch:
    """A search through stretches of games in their order, up to a number of games found.

    Attributes
    ----------
    searched, found : int
        Games looked at and games that fit, so far; the last game looked at is the last one found if the
        limit ended the search.
    """

    def __init__(
        self, stretches: Sequence[Stretch], where: Where, limit: int, *, jobs: int | None = None
    ) -> None:
        self.stretches = stretches
        self.where = where
        self.limit = limit
        self.jobs = jobs or usable_cores()
        self.searched = self.found = 0

    def run(self, progress: Progress | None = None) -> Iterator[tuple[Duel, int]]:
        """Yield the condition and the number of each game that fits."""
        for stretch in self.stretches:
            before, left = self.searched, self.limit - self.found
            found = find_games(
                stretch.duel,
                self.where,
                stretch.first,
                stretch.games,
                left,
                jobs=self.jobs,
                progress=progress,
            )
            for game in found:
                self.found += 1
                self.searched = before + game - stretch.first + 1
                yield stretch.duel, game
            if self.found == self.limit:
                return
            self.searched = before + stretch.games

    def summary(self) -> str:
        """Say how many games were searched and found."""
        found = f"{self.found:,} found" if self.found else "none found"
        return f"Searched {self.searched:,} games for {self.where.text}: {found}."


def _word(name: str, value: str, where: str) -> int:
    if value not in WORDS[name]:
        raise InputError(
            f"{where}: {name} is {value!r}; expected one of {', '.join(WORDS[name])}.{nearest(value, WORDS[name])}"
        )
    return WORDS[name].index(value)


def _number(name: str, value: str, where: str) -> int:
    may_be_missing = name.startswith("bastion")
    if may_be_missing and value == NONE:
        return MISSING
    if not re.fullmatch(r"[0-9]{1,13}", value):
        expected = "a whole number of at most 13 digits" + (f" or {NONE}" if may_be_missing else "")
        raise InputError(f"{where}: {name} is {value!r}; expected {expected}")
    return int(value)
