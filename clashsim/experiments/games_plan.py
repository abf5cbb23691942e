"""What the plans of all experiments share that play games: conditions, one for each row, played and counted."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
import pandas as pd

from clashsim.analysis.precision import Target
from clashsim.clash.drafts import DraftSolo
from clashsim.clash.duels import compile_core
from clashsim.clash.policies import Policy
from clashsim.clash.solos import Solo, compile_solo_core
from clashsim.errors import InputError
from clashsim.running import Checkpoint, Progress, RecordStore, Tally, run, usable_cores
from clashsim.running.pilot import Expectation, Pilot, pilot


class Playable(Protocol):
    """What a condition is: it has games that can be played and counted."""

    @property
    def policies(self) -> tuple[Policy, ...]:
        """Who plays."""
        ...

    def tally(self, first_game: int, n_games: int) -> Tally:
        """Play games and count them."""
        ...


Condition = TypeVar("Condition", bound=Playable)
Found = TypeVar("Found")


@dataclass(frozen=True)
class GamesPlan(Generic[Condition, Found]):
    """Some conditions, one for each row of a plan; see `result.Plan` for the rest.

    An experiment tells what kinds of conditions there are (`_kind`), how many games they are expected to take
    (`_expected_games`), when one has had enough (`_stop`), and what the tallies say (`_result`).
    """

    conditions: Sequence[Condition]
    plan: pd.DataFrame
    details: dict[str, Any]
    target: Target = field(default_factory=Target)
    files: Mapping[str, Path] = field(default_factory=dict)

    games_name: ClassVar[str] = "games"
    keeps_games: ClassVar[bool] = False

    @property
    def solo(self) -> bool:
        """Whether these are solo games."""
        return isinstance(self.conditions[0], Solo | DraftSolo)

    @property
    def policies(self) -> Sequence[Policy]:
        """The policies that play, each once."""
        return list(dict.fromkeys(policy for condition in self.conditions for policy in condition.policies))

    def expect(self, jobs: int | None = None, played: Sequence[int] | None = None) -> Expectation:
        """Play a few games and tell how many it will take, and how long, beyond those `played` of each condition."""
        self._compile()
        trial = pilot(
            self.plan, self._simulate, kinds=[self._kind(condition) for condition in self.conditions]
        )
        return trial.expect(self._expected_games(trial), played, min(jobs or usable_cores(), usable_cores()))

    def run(
        self,
        *,
        jobs: int | None = None,
        progress: Progress | None = None,
        expected: Sequence[int] | None = None,
        costs: Sequence[float] | None = None,
        checkpoint: Checkpoint | None = None,
        records: RecordStore | None = None,
    ) -> Found:
        """Play the games and make the tables; the arguments are those of `running.run`."""
        if records is not None and not self.keeps_games:
            raise self._not_kept()
        self._compile()  # before the clock of the progress starts
        tallies = run(
            self.plan,
            self._simulate if records is None else self._simulate_and_keep,
            jobs=jobs,
            progress=progress,
            stop=None if self.target == Target() else self._stop,
            expected=expected,
            costs=costs,
            checkpoint=checkpoint,
            records=records,
        )
        return self._result(tallies)

    def write_games(self, records: RecordStore, games: Sequence[int], path: Path, run: str) -> None:
        """Write the first games of each condition, as many as `games` says, into one Parquet file."""
        raise self._not_kept()

    def _compile(self) -> None:
        if self.solo:
            compile_solo_core(self.policies)
        else:
            compile_core()

    def _kind(self, condition: Condition) -> Hashable:
        """Return what decides roughly how long the games of a condition take."""
        return str(condition.policies)

    def _expected_games(self, trial: Pilot) -> list[int]:
        """Return how many games each condition is expected to take."""
        return self.plan["games"].tolist()

    def _stop(self, row: int, tally: Tally) -> bool:
        """Tell whether a condition needs no more games."""
        return False

    def _result(self, tallies: Sequence[Tally]) -> Found:
        """Return what was found."""
        raise NotImplementedError

    def _simulate(self, condition: Mapping[str, Any], first_game: int, n_games: int) -> Tally:
        return self.conditions[condition["condition"]].tally(first_game, n_games)

    def _simulate_and_keep(
        self, condition: Mapping[str, Any], first_game: int, n_games: int
    ) -> tuple[Tally, np.ndarray]:
        raise self._not_kept()

    def _not_kept(self) -> InputError:
        return InputError(f"{self.games_name} are not kept one by one; expected no --games-out")
