"""What a search for weights measures its candidates in, duels or solo games, and what it hands back."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from clashsim.clash.duels import Duel
from clashsim.clash.policies import Policy
from clashsim.clash.rules import Rules
from clashsim.clash.solos import Solo
from clashsim.experiments.result import Findings, Section
from clashsim.running import Progress, Tally, run, usable_cores
from clashsim.running.pilot import Expectation, pilot

OLD, NEW = "old", "new"


@dataclass(frozen=True)
class Tuned:
    """What a search found.

    Attributes
    ----------
    weights : tuple of float
        Rounded as they are written.
    check : DataFrame
        How new and old weights fare in games with fresh shuffles.
    is_better : bool
        Whether the new weights surely beat the old ones.
    verdict : str
        The same in a sentence.
    beside : str
        A sentence on what else the check tells; it may be empty.
    section : Section
        The table of the check as people read it.
    """

    weights: tuple[float, ...]
    check: pd.DataFrame
    is_better: bool
    verdict: str
    beside: str
    section: Section

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The table of the check by name."""
        return {"check": self.check}

    def findings(self) -> Findings:
        """Return the check's table as people read it."""
        question = "Do the new weights beat the old ones?"
        return Findings("Check of the new weights", question, answer=[], sections=[self.section])


@dataclass(frozen=True)
class CheckPlan:
    """The games of the check, laid out.

    Attributes
    ----------
    conditions : sequence of Duel or of Solo
    plan : DataFrame
        One row per condition; `games` is what it gets.
    kinds : sequence
        What decides roughly how long the games of each condition take.
    alike : slice
        The conditions whose games are like those of the search, for what one of these takes.
    """

    conditions: Sequence[Duel] | Sequence[Solo]
    plan: pd.DataFrame
    kinds: Sequence[Hashable]
    alike: slice

    def expect(self, jobs: int | None) -> Expectation:
        """Play a few games and tell how long all of them take."""
        trial = pilot(self.plan, self._simulate, kinds=self.kinds)
        return trial.expect(self.plan["games"].tolist(), None, min(jobs or usable_cores(), usable_cores()))

    def play(self, jobs: int | None, progress: Progress | None) -> list[Tally]:
        """Play the games and return the tallies of the conditions."""
        return run(self.plan, self._simulate, jobs=jobs, progress=progress)

    def _simulate(self, condition: Mapping[str, Any], first_game: int, n_games: int) -> Tally:
        return self.conditions[condition["condition"]].tally(first_game, n_games)


class Contest(Protocol):
    """Who plays what in a search, what a candidate is worth, and how what was found is checked."""

    @property
    def policy(self) -> Policy:
        """Whose weights are searched for."""
        ...

    @property
    def rules(self) -> Rules:
        """By which the games are played."""
        ...

    @property
    def solo(self) -> bool:
        """Whether these are solo games."""
        ...

    @property
    def start(self) -> tuple[float, ...]:
        """The weights to start from, and to beat."""
        ...

    @property
    def scales(self) -> np.ndarray:
        """The sizes of sensible changes of the weights."""
        ...

    @property
    def searched(self) -> Sequence[int]:
        """The places of the weights that are searched for; the others stay as they are."""
        ...

    @property
    def games_per_evaluation(self) -> int:
        """Games of a candidate."""
        ...

    @property
    def check_games(self) -> int:
        """Games of the new weights against, or beside, the old ones in the check."""
        ...

    @property
    def check_seed(self) -> int:
        """Seed of the check."""
        ...

    @property
    def measure(self) -> str:
        """What `shown` returns, in words."""
        ...

    @property
    def about(self) -> Sequence[str]:
        """Lines on what a candidate plays, for the file of the weights."""
        ...

    @property
    def head(self) -> dict[str, Any]:
        """What the results of the evaluations depend on, beside what all searches share."""
        ...

    def compile(self) -> None:
        """Compile the core, or load it from disk, without playing."""
        ...

    def evaluate(self, weights: Sequence[float], mean: Sequence[float], generation: int) -> list:
        """Return counts of the games of a candidate: the same games for all those of a generation, then others."""
        ...

    def worth(self, found: list) -> float:
        """Return what counts for the search; more is better."""
        ...

    def shown(self, found: list) -> float:
        """Return the share that tells people how good a candidate was."""
        ...

    def lay_out_check(self, weights: Sequence[float]) -> CheckPlan:
        """Return the games that new weights are checked in: none that the search has seen."""
        ...

    def judge(self, weights: tuple[float, ...], check: CheckPlan, tallies: Sequence[Tally]) -> Tuned:
        """Return what the check says of the new weights."""
        ...


def scales_of(weights: Sequence[float]) -> np.ndarray:
    """Return the size of a sensible change of each weight: its own, or half the median if it is smaller than that.

    So weights that are zero can become something.
    """
    sizes = np.abs(np.asarray(weights, np.float64))
    median = float(np.median(sizes[sizes > 0])) if sizes.any() else 2.0
    return np.maximum(sizes, median / 2)
