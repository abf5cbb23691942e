"""How fast policies play, side by side: games per second of each against itself, on one thread."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import thread_time
from typing import Any

from clashsim.clash.duels import Duel

SECONDS = 0.3  # of each repetition
REPETITIONS = 5
MOST_GAMES = 100_000  # per duel and repetition

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Speed:
    """Games per second of one thread, by its own time: the median of repetitions taken in turns, and their range."""

    median: float
    lowest: float
    highest: float
    games: int
    repetitions: int

    def as_dict(self) -> dict[str, Any]:
        """Return it for a file, three digits of each speed."""
        speeds = {"games_per_second": self.median, "lowest": self.lowest, "highest": self.highest}
        digits = {name: float(f"{speed:.3g}") for name, speed in speeds.items()}
        return digits | {"games": self.games, "repetitions": self.repetitions}


def measure_speed(
    duels: Mapping[str, Sequence[Duel]],
    *,
    seconds: float = SECONDS,
    repetitions: int = REPETITIONS,
    clock: Clock = thread_time,
) -> dict[str, Speed]:
    """Measure how fast some sets of duels are played.

    Parameters
    ----------
    duels : mapping of str to sequence of Duel
        What is measured, by name: each duel of a set gets equally many games.
    seconds : float
        What a repetition is to take; two games of each duel at least.
    repetitions : int
    clock : callable
        Returns seconds; replaceable for tests. By default the time that this thread computes: one that has to wait for
        others on a busy machine is not the slower for it.

    Returns
    -------
    dict of Speed
    """
    games = {name: _affordable_games(some, seconds, clock) for name, some in duels.items()}
    speeds: dict[str, list[float]] = {name: [] for name in duels}
    for repetition in range(repetitions):
        for name in list(duels)[:: -1 if repetition % 2 else 1]:  # there and back: a drift strikes all alike
            took = _play(duels[name], games[name], clock)
            speeds[name].append(games[name] * len(duels[name]) / took)
    return {
        name: Speed(median(found), min(found), max(found), games[name] * len(duels[name]), repetitions)
        for name, found in speeds.items()
    }


def _affordable_games(duels: Sequence[Duel], seconds: float, clock: Clock) -> int:
    """Return how many games of each duel take about some seconds."""
    _play(duels, 2, clock)  # the first games prepare the duels
    games = 2
    while games < MOST_GAMES:
        took = _play(duels, games, clock)
        if took > seconds / 16:  # long enough to tell
            return max(2, min(MOST_GAMES, int(games * seconds / took)))
        games *= 4
    return MOST_GAMES


def _play(duels: Sequence[Duel], games: int, clock: Clock) -> float:
    began = clock()
    for duel in duels:
        duel.outcomes(0, games)
    return max(clock() - began, 1e-9)
