"""Run a plan on a pool of threads.

Threads suffice because the simulation is compiled code that releases the interpreter's lock. Game number i of
a condition depends on i alone and tallies are integers, so neither the chunks nor the order in which they
finish can change a result.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from operator import index
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from clashsim.errors import InputError
from clashsim.running.chunks import Chunk, Chunker, even
from clashsim.running.progress import Progress

Tally = dict[str, np.ndarray]
"""Counts and sums of games by name; arrays of integers, merged by addition."""

Condition = Mapping[str, Any]
"""One row of a plan, by column name."""

Simulate = Callable[[Condition, int, int], Tally]
"""``simulate(condition, first_game, n_games)`` plays those games and returns their tally, in new arrays."""

CHUNKS_PER_WORKER = 2
"""One runs, one waits: no worker idles while the tally of its last chunk is added."""


def run(
    plan: pd.DataFrame, simulate: Simulate, *, jobs: int | None = None, progress: Progress | None = None
) -> list[Tally]:
    """Simulate every condition of a plan.

    Parameters
    ----------
    plan : DataFrame
        One row per condition; column `games` says how many games each gets. An odd number is rounded up.
    simulate : callable
        ``simulate(condition, first_game, n_games) -> Tally``; called from several threads at a time.
    jobs : int, optional
        Number of threads; all usable cores by default.
    progress : Progress, optional
        Told how many games are done. None is silent.

    Returns
    -------
    list of Tally
        One per row of the plan, in its order.

    Raises
    ------
    InputError
        `jobs` or a number of games is not a whole number of at least 1.
    KeyboardInterrupt
        As soon as the chunks that were running have ended (a fraction of a second).
    Exception
        Whatever `simulate` raised, with a note naming the condition and the games.
    """
    workers = _check_jobs(jobs)
    games = _check_games(plan)
    conditions = plan.to_dict("records")
    tallies: list[Tally] = [{} for _ in conditions]
    with ExitStack() as ending:
        if progress:
            progress.start(sum(even(count) for count in games))
            ending.callback(progress.finish)
        pool = ThreadPoolExecutor(workers, thread_name_prefix="simulate")
        ending.callback(pool.shutdown, wait=True, cancel_futures=True)
        for chunk, tally in _completed(pool, Chunker(games, workers), conditions, simulate, workers):
            _add(tallies[chunk.row], tally)
            if progress:
                progress.advance(chunk.games)
    return tallies


def usable_cores() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _completed(
    pool: ThreadPoolExecutor, chunker: Chunker, conditions: list[dict], simulate: Simulate, workers: int
) -> Iterator[tuple[Chunk, Tally]]:
    """Yield chunks with their tallies as they finish, keeping only a few of them in flight."""
    running: dict[Future, Chunk] = {}
    while True:
        while len(running) < CHUNKS_PER_WORKER * workers and (chunk := chunker.next()):
            running[pool.submit(_timed, simulate, conditions[chunk.row], chunk)] = chunk
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            chunk = running.pop(future)
            tally, seconds = future.result()
            chunker.took(chunk, seconds)
            yield chunk, tally


def _timed(simulate: Simulate, condition: dict, chunk: Chunk) -> tuple[Tally, float]:
    started = perf_counter()
    try:
        tally = simulate(condition, chunk.first, chunk.games)
    except Exception as error:
        named = ", ".join(f"{name}={value}" for name, value in condition.items())
        error.add_note(f"In games {chunk.first} to {chunk.first + chunk.games - 1} of the condition {named}.")
        raise
    return tally, perf_counter() - started


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
