"""Play a few games of a plan before it is run, to tell how long it will take."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time

import numpy as np
import pandas as pd

from clashsim.running.checkpoint import Tally
from clashsim.running.chunks import GROWTH, SMALLEST, even
from clashsim.running.executor import Simulate

MOST_ROWS = 16
SECONDS = 0.02  # per condition that is tried
MOST_WAITING = 4.0  # times the processor's time that a busy machine is taken to need


@dataclass(frozen=True)
class Expectation:
    """Games that each condition of a run is expected to take in all, how many are still to play, and the time."""

    games: list[int]
    left: int
    seconds: float


@dataclass(frozen=True)
class Pilot:
    """What a few games tell.

    Attributes
    ----------
    rates : list of float
        Games per second and thread, of every row of the plan; those not tried have that of their neighbour.
    tallies : dict
        Tallies of the games that were played, by row; for some rows only.
    """

    rates: list[float]
    tallies: dict[int, Tally]

    def expect(self, games: Sequence[int], played: Sequence[int] | None, workers: int) -> Expectation:
        """Return how long these numbers of games of each row take on some threads, less those `played` already."""
        left = [max(count - done, 0) for count, done in zip(games, played or [0] * len(games), strict=True)]
        seconds = sum(count / rate for count, rate in zip(left, self.rates, strict=True)) / workers
        return Expectation(list(games), sum(left), seconds)


def pilot(plan: pd.DataFrame, simulate: Simulate) -> Pilot:
    """Time some conditions, spread over a plan: fractions of a second for each, two games at least.

    What counts is the processor's time, as a single condition may just have had to wait; how much the machine makes
    all of them wait is added to all alike.
    """
    started, used = perf_counter(), thread_time()
    conditions = plan.to_dict("records")
    tried = np.unique(np.linspace(0, len(plan) - 1, min(len(plan), MOST_ROWS)).round().astype(int))
    rates, tallies = {}, {}
    for row in tried.tolist():
        most = even(int(conditions[row]["games"]))
        games, seconds = SMALLEST, 0.0
        while True:
            before = thread_time()
            result = simulate(conditions[row], 0, min(games, most))
            seconds = thread_time() - before
            if games >= most or seconds * GROWTH > 2 * SECONDS:
                break
            games *= GROWTH
        tallies[row] = result[0] if isinstance(result, tuple) else result
        rates[row] = min(games, most) / max(seconds, 1e-9)
    waiting = (perf_counter() - started) / max(thread_time() - used, 1e-9)
    slower = min(max(waiting, 1.0), MOST_WAITING)
    nearest = [int(tried[np.abs(tried - row).argmin()]) for row in range(len(plan))]
    return Pilot([rates[row] / slower for row in nearest], tallies)
