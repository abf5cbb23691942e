"""Run a plan on a pool of threads.

Threads suffice because the simulation is compiled code that releases the interpreter's lock. Game number i of
a condition depends on i alone and tallies are integers, so neither the chunks nor the order in which they
finish can change a result. A condition that may stop early is looked at after fixed numbers of games, none
beyond them played yet: so neither can where it stops.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from operator import index
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from clashsim.analysis.precision import look_at_least
from clashsim.errors import InputError
from clashsim.running.checkpoint import Checkpoint, Played, Tally
from clashsim.running.chunks import Chunk, Chunker, even
from clashsim.running.progress import Progress
from clashsim.running.ranges import Ranges
from clashsim.running.records import RecordStore

Condition = Mapping[str, Any]
"""One row of a plan, by column name."""

Simulate = Callable[[Condition, int, int], Tally | tuple[Tally, np.ndarray]]
"""``simulate(condition, first_game, n_games)`` plays those games and returns their tally, in new arrays; with it,
if records are kept, an array with an element for each game."""

Stop = Callable[[int, Tally], bool]
"""``stop(row, tally)`` tells, from the tally of its first games, whether a condition needs no more of them."""

CHUNKS_PER_WORKER = 2
"""One runs, one waits: no worker idles while the tally of its last chunk is added."""

UNSAVED_SECONDS = 0.05
"""Chunks that took less together are put on disk with the next: playing them again would take no longer."""

WORTH_SAVING = 20
"""Nor are those that took less than so many times what saving takes: large tallies take a while."""


def run(
    plan: pd.DataFrame,
    simulate: Simulate,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    expected: Sequence[int] | None = None,
    costs: Sequence[float] | None = None,
    checkpoint: Checkpoint | None = None,
    records: RecordStore | None = None,
) -> list[Tally]:
    """Simulate every condition of a plan.

    Parameters
    ----------
    plan : DataFrame
        One row per condition; column `games` says how many games each gets, at most if there is a `stop`. An odd
        number is rounded up.
    simulate : callable
        ``simulate(condition, first_game, n_games) -> Tally``; called from several threads at a time.
    jobs : int, optional
        Number of threads; all usable cores by default.
    progress : Progress, optional
        Told how many games are done. None is silent.
    stop : callable, optional
        Asked after the fixed numbers of games of `analysis.precision.look_at_least`.
    expected : sequence of int, optional
        Games that each condition is expected to take, for the progress; by default column `games`.
    costs : sequence of float, optional
        How long a game of each condition takes, in any unit, for the progress; by default all alike.
    checkpoint : Checkpoint, optional
        Where to go on from, and where to keep every finished chunk.
    records : RecordStore, optional
        Where to keep what `simulate` returns for every game. Games that are in the checkpoint but not here are
        played again.

    Returns
    -------
    list of Tally
        One per row of the plan, in its order.

    Raises
    ------
    InputError
        `jobs` or a number of games is not a whole number of at least 1; or the checkpoint holds more games of a
        condition than the plan wants.
    OutputError
        A chunk could not be kept. Those that were kept before are safe.
    KeyboardInterrupt
        As soon as the chunks that were running have ended (a fraction of a second).
    Exception
        Whatever `simulate` raised, with a note naming the condition and the games.
    """
    workers = _check_jobs(jobs)
    games = [even(count) for count in _check_games(plan)]
    rows = _Rows(games, workers, stop, checkpoint, records)
    expectation = _Expectation(rows, progress, expected, costs)
    with ExitStack() as ending:
        if progress:
            progress.start(expectation.total, rows.total, expectation.work, expectation.work_done)
            ending.callback(progress.finish)
        pool = ThreadPoolExecutor(workers, thread_name_prefix="simulate")
        ending.callback(pool.shutdown, wait=True, cancel_futures=True)
        ending.callback(rows.save)  # before the pool waits: what has been finished is safe whatever comes
        for chunk, done in _completed(pool, rows.chunker, plan.to_dict("records"), simulate, workers):
            rows.finished(chunk, done)
            expectation.advance(chunk)
    return [played.tally for played in rows.played]


def usable_cores() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Done(NamedTuple):
    """What a chunk gave."""

    tally: Tally
    records: np.ndarray | None
    seconds: float


class _Rows:
    """The conditions of a run: what is played of each, and up to which game each is open."""

    def __init__(
        self,
        games: list[int],
        workers: int,
        stop: Stop | None,
        checkpoint: Checkpoint | None,
        records: RecordStore | None,
    ) -> None:
        self.caps = games
        self._stop = stop
        self._checkpoint = checkpoint
        self._records = records
        self._unsaved: dict[int, float] = {}  # rows with the seconds that went into what is not on disk
        self._saving = 0.0  # seconds that it took the last time
        self.chunker = Chunker(len(games), workers)
        if checkpoint:
            checkpoint.prepare()
        self.played = [self._load(row) for row in range(len(games))]
        self.goals = [self._goal(row, self.played[row].games.end) for row in range(len(games))]
        for row in range(len(games)):
            self._open(row)

    @property
    def total(self) -> int:
        """How many games are played, of all conditions."""
        return sum(played.games.total for played in self.played)

    def finished(self, chunk: Chunk, done: "_Done") -> None:
        """Take in a chunk, put it on disk, and see whether its condition is to go on."""
        if self._records:
            assert done.records is not None
            self._records.put(chunk.row, chunk.first, done.records)
        played = self.played[chunk.row]
        _add(played.tally, done.tally)
        played.games.add(chunk.first, chunk.first + chunk.games)
        self._unsaved[chunk.row] = self._unsaved.get(chunk.row, 0.0) + done.seconds
        if self.is_done(chunk.row):
            self._open(chunk.row)
        worth = max(UNSAVED_SECONDS, WORTH_SAVING * self._saving)
        if self._unsaved[chunk.row] >= worth or self.is_done(chunk.row):
            self.save(chunk.row)

    def save(self, *rows: int) -> None:
        """Put what has been played of some conditions on disk, of all by default."""
        for row in rows or list(self._unsaved):
            if self._unsaved.pop(row, None) is not None and self._checkpoint:
                started = perf_counter()
                self._checkpoint.save(row, self.played[row])
                self._saving = perf_counter() - started

    def is_done(self, row: int) -> bool:
        """Tell whether a condition needs no more games."""
        return self.played[row].games.total == self.goals[row]

    def _load(self, row: int) -> Played:
        played = self._checkpoint.load(row, self.caps[row]) if self._checkpoint else Played(Ranges(), {})
        if self._records and not self._records.covers(row, played.games.spans):
            return Played(Ranges(), {})
        return played

    def _goal(self, row: int, games: int) -> int:
        """Return the next number of games, from `games` on, after which a condition is looked at or ends."""
        return self.caps[row] if self._stop is None else min(self.caps[row], look_at_least(games))

    def _open(self, row: int) -> None:
        """Open the games that a condition still needs, if it does."""
        played = self.played[row]
        while not (missing := played.games.missing(self.goals[row])):
            done = self.goals[row]
            if done == self.caps[row] or (self._stop and self._stop(row, played.tally)):
                return
            self.goals[row] = self._goal(row, done + 1)
        self.chunker.open(row, missing)


class _Expectation:
    """How many games a run will take in all, as far as that is known by now."""

    def __init__(
        self,
        rows: _Rows,
        progress: Progress | None,
        expected: Sequence[int] | None,
        costs: Sequence[float] | None,
    ) -> None:
        self._rows = rows
        self._progress = progress
        self._games = list(rows.caps if expected is None else expected)
        self._costs = [1.0] * len(self._games) if costs is None else costs
        for row in range(len(self._games)):
            self._update(row)

    @property
    def total(self) -> int:
        """Games of all conditions."""
        return sum(self._games)

    @property
    def work(self) -> float:
        """What they cost."""
        return sum(games * cost for games, cost in zip(self._games, self._costs, strict=True))

    @property
    def work_done(self) -> float:
        """What the games cost that are played."""
        played = (played.games.total for played in self._rows.played)
        return sum(games * cost for games, cost in zip(played, self._costs, strict=True))

    def advance(self, chunk: Chunk) -> None:
        """Tell the progress of a chunk."""
        before = self._games[chunk.row]
        self._update(chunk.row)
        if self._progress:
            more = self._games[chunk.row] - before
            self._progress.advance(chunk.games, more, self._costs[chunk.row])

    def _update(self, row: int) -> None:
        goal = self._rows.goals[row]
        self._games[row] = goal if self._rows.is_done(row) else max(self._games[row], goal)


def _completed(
    pool: ThreadPoolExecutor, chunker: Chunker, conditions: list[dict], simulate: Simulate, workers: int
) -> Iterator[tuple[Chunk, "_Done"]]:
    """Yield chunks with what they gave as they finish, keeping only a few of them in flight."""
    running: dict[Future, Chunk] = {}
    while True:
        while len(running) < CHUNKS_PER_WORKER * workers and (chunk := chunker.next()):
            running[pool.submit(_timed, simulate, conditions[chunk.row], chunk)] = chunk
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            chunk = running.pop(future)
            done = future.result()
            chunker.took(chunk, done.seconds)
            yield chunk, done


def _timed(simulate: Simulate, condition: dict, chunk: Chunk) -> "_Done":
    started = perf_counter()
    try:
        result = simulate(condition, chunk.first, chunk.games)
    except Exception as error:
        named = ", ".join(f"{name}={value}" for name, value in condition.items())
        error.add_note(f"In games {chunk.first} to {chunk.first + chunk.games - 1} of the condition {named}.")
        raise
    tally, records = result if isinstance(result, tuple) else (result, None)
    return _Done(tally, records, perf_counter() - started)


def _add(total: Tally, tally: Tally) -> None:
    """Add a tally to a total in place; an empty total takes the tally's names and shapes."""
    if total and total.keys() != tally.keys():
        raise ValueError(f"tallies with different names: {sorted(total)} and {sorted(tally)}")
    for name, given in tally.items():
        counts = np.array(given)
        if not np.issubdtype(counts.dtype, np.integer):
            raise TypeError(f"tally {name!r} holds {counts.dtype}: only integers add up alike in any order")
        counts = counts.astype(np.int64)
        if total.setdefault(name, np.zeros_like(counts)).shape != counts.shape:
            raise ValueError(f"tally {name!r} changes its shape from {total[name].shape} to {counts.shape}")
        total[name] += counts


def _check_jobs(jobs: int | None) -> int:
    return usable_cores() if jobs is None else _whole("jobs", jobs)


def _check_games(plan: pd.DataFrame) -> list[int]:
    if "games" not in plan.columns:
        raise InputError(
            f"plan: expected a column games, found {', '.join(map(str, plan.columns)) or 'none'}."
        )
    return [_whole(f"games in row {row} of the plan", games) for row, games in enumerate(plan["games"])]


def _whole(name: str, value: Any) -> int:
    try:
        number = index(value)
    except TypeError:
        number = 0
    if number < 1 or isinstance(value, bool):
        raise InputError(f"{name}: expected a whole number of at least 1, not {value!r}.")
    return number
