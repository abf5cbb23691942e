"""Time whole runs of duels: how fast they are, and how much of the time the workers are in the compiled core."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from clashsim.clash.duels import Duel
from clashsim.experiments.matchups import MatchupPlan, plan_matchups
from clashsim.running import Checkpoint, Tally, run

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Setting:
    """A way to run a policy's pairings: threads, and whether checkpoints are stored in a folder."""

    policy: str
    jobs: int
    stored: bool


@dataclass(frozen=True, slots=True)
class RunTiming:
    """One run, in seconds.

    Attributes
    ----------
    setting : Setting
    games : int
        Games of the whole run.
    seconds : float
        From the call to its return.
    span : float
        From the begin of the first chunk to the end of the last.
    core_seconds : float
        Spent in the core, summed over the threads.
    """

    setting: Setting
    games: int
    seconds: float
    span: float
    core_seconds: float

    @property
    def speed(self) -> float:
        """Games per second of the whole run."""
        return self.games / self.seconds

    @property
    def core_share(self) -> float:
        """Share of the threads' time between the first and the last chunk that they spent in the core."""
        return self.core_seconds / (self.setting.jobs * self.span)


class CoreClock:
    """A `simulate` for a run of duels that notes when each chunk began, left the core and ended.

    Parameters
    ----------
    duels : sequence of Duel
        By the number in column `condition` of the plan.
    clock : callable
        Returns seconds; replaceable for tests.
    """

    def __init__(self, duels: Sequence[Duel], clock: Clock = perf_counter) -> None:
        self._duels = duels
        self._clock = clock
        self._chunks: list[tuple[float, float, float]] = []  # appending is safe from several threads

    def simulate(self, condition: Mapping[str, Any], first_game: int, n_games: int) -> Tally:
        """Play and count games as `Duel.tally` does."""
        duel = self._duels[condition["condition"]]
        began = self._clock()
        outcomes, totals = duel.outcomes(first_game, n_games)
        left_core = self._clock()
        tally = duel.count(first_game, outcomes, totals)
        self._chunks.append((began, left_core, self._clock()))
        return tally

    @property
    def span(self) -> float:
        """Seconds from the begin of the first chunk to the end of the last."""
        return max(ended for _, _, ended in self._chunks) - min(began for began, _, _ in self._chunks)

    @property
    def core_seconds(self) -> float:
        """Seconds in the core, summed over the chunks."""
        return sum(left_core - began for began, left_core, _ in self._chunks)


def time_run(plan: MatchupPlan, setting: Setting, folder: Path | None = None) -> RunTiming:
    """Run a plan of matchups and time it.

    Parameters
    ----------
    plan : MatchupPlan
    setting : Setting
        Its policy is for the record only; that of the games is the plan's.
    folder : Path, optional
        Where a stored run makes a folder for its checkpoints, removed afterwards; by default where temporary
        files go.
    """
    core = CoreClock(plan.conditions)
    with TemporaryDirectory(prefix=".bench-", dir=folder) as stored:
        checkpoint = Checkpoint(Path(stored), run="bench") if setting.stored else None
        began = perf_counter()
        run(plan.plan, core.simulate, jobs=setting.jobs, checkpoint=checkpoint)
        seconds = perf_counter() - began
    return RunTiming(setting, int(plan.plan["games"].sum()), seconds, core.span, core.core_seconds)


def affordable_games(policy: str, most: int, seconds: float) -> int:
    """Return how many games per condition, at most `most`, a policy plays on one thread in some seconds."""
    duels = plan_matchups(policy=policy).conditions
    _play(duels, 2)  # the first games prepare the duels
    games = 2
    while games < most:
        took = _play(duels, games)
        if took > seconds / 16:  # long enough to tell
            return max(2, min(most, int(games * seconds / took)))
        games *= 4
    return most


def _play(duels: Sequence[Duel], games: int) -> float:
    """Play so many games of every duel, and return the seconds it took."""
    began = perf_counter()
    for duel in duels:
        duel.outcomes(0, games)
    return perf_counter() - began


def alternated(settings: Sequence[Setting], repetitions: int) -> list[Setting]:
    """Return the settings in the order to time them: there and back, so that a drift strikes all alike."""
    there, back = list(settings), list(reversed(settings))
    return [setting for repetition in range(repetitions) for setting in (back if repetition % 2 else there)]


def numbers_of_jobs(most: int) -> list[int]:
    """Return 1, 2, 4, … and `most` itself."""
    return [*(2**power for power in range(most.bit_length()) if 2**power < most), most]
