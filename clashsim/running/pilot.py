"""Play a few games of a plan before it is run, to tell how long it will take."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time

import numpy as np
import pandas as pd

from clashsim.running.checkpoint import Tally
from clashsim.running.chunks import GROWTH, SMALLEST, even
from clashsim.running.executor import Simulate

MOST_ROWS = 48
LEAST_ROWS = 2  # of a kind, if it has as many
SECONDS = 0.02  # per condition that is tried
MOST_WAITING = 4.0  # times the processor's time that a busy machine is taken to need


@dataclass(frozen=True)
class Expectation:
    """What a run is expected to take.

    Attributes
    ----------
    games : list of int
        Games that each condition takes in all.
    left : int
        How many are still to play, of all conditions.
    seconds : float
        The time that these take.
    costs : list of float
        Seconds per game and thread of each condition.
    """

    games: list[int]
    left: int
    seconds: float
    costs: list[float]


@dataclass(frozen=True)
class Pilot:
    """What a few games tell.

    Attributes
    ----------
    rates : list of float
        Games per second and thread, of every row of the plan; those not tried have that of their nearest neighbour of
        the same kind.
    tallies : dict
        Tallies of the games that were played, by row; for some rows only.
    """

    rates: list[float]
    tallies: dict[int, Tally]

    def expect(self, games: Sequence[int], played: Sequence[int] | None, workers: int) -> Expectation:
        """Return how long these numbers of games of each row take on some threads, less those `played` already."""
        left = [max(count - done, 0) for count, done in zip(games, played or [0] * len(games), strict=True)]
        seconds = sum(count / rate for count, rate in zip(left, self.rates, strict=True)) / workers
        return Expectation(list(games), sum(left), seconds, [1 / rate for rate in self.rates])


def pilot(plan: pd.DataFrame, simulate: Simulate, kinds: Sequence[Hashable] | None = None) -> Pilot:
    """Time some conditions, spread over a plan: fractions of a second for each, two games at least, and more of
    them until they take longer than what a call costs whatever it plays.

    `kinds` tells, for every row of the plan, what decides roughly how long its games take: some rows of each kind are
    tried.

    What counts is the processor's time, as a single condition may just have had to wait; how much the machine makes
    all of them wait is added to all alike.
    """
    started, used = perf_counter(), thread_time()
    conditions = plan.to_dict("records")
    places = _rows_by_kind([0] * len(plan) if kinds is None else kinds)
    share = max(LEAST_ROWS, MOST_ROWS // max(len(places), 1))
    tried_of = [rows[_spread(len(rows), share)] for rows in places]
    rates, tallies = {}, {}
    for row in np.concatenate(tried_of).tolist():
        most = even(int(conditions[row]["games"]))
        games, seconds = SMALLEST, 0.0
        simulate(conditions[row], 0, min(games, most))  # the first call of a condition may have to prepare it
        while True:
            before = thread_time()
            result = simulate(conditions[row], 0, min(games, most))
            seconds = thread_time() - before
            if games >= most or seconds > SECONDS:  # by then what a call costs besides its games is little
                break
            games *= GROWTH
        tallies[row] = result[0] if isinstance(result, tuple) else result
        rates[row] = min(games, most) / max(seconds, 1e-9)
    waiting = (perf_counter() - started) / max(thread_time() - used, 1e-9)
    slower = min(max(waiting, 1.0), MOST_WAITING)
    nearest = {
        row: int(tried[np.abs(tried - row).argmin()])
        for rows, tried in zip(places, tried_of, strict=True)
        for row in rows.tolist()
    }
    return Pilot([rates[nearest[row]] / slower for row in range(len(plan))], tallies)


def _rows_by_kind(kinds: Sequence[Hashable]) -> list[np.ndarray]:
    rows: dict[Hashable, list[int]] = {}
    for row, kind in enumerate(kinds):
        rows.setdefault(kind, []).append(row)
    return [np.array(found) for found in rows.values()]


def _spread(number: int, most: int) -> np.ndarray:
    """Return at most `most` places of `number`, evenly spread, the first and the last among them."""
    return np.unique(np.linspace(0, number - 1, min(number, most)).round().astype(int))
