"""What the plans of all experiments share that play games: one condition, of duels or of solo games, for each row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import pandas as pd

from clashsim.analysis.precision import Target
from clashsim.clash.dealt import DealtDuel
from clashsim.clash.duels import Duel
from clashsim.clash.policies import Policy
from clashsim.clash.solos import Solo
from clashsim.experiments.card_steps import CardSteps
from clashsim.experiments.twins import Twin
from clashsim.running import Tally

Condition = TypeVar("Condition", Duel, Solo, Twin, DealtDuel, CardSteps)


@dataclass(frozen=True)
class GamesPlan(Generic[Condition]):
    """Some conditions, one for each row of a plan; see `result.Plan` for the rest."""

    conditions: Sequence[Condition]
    plan: pd.DataFrame
    details: dict[str, Any]
    target: Target = field(default_factory=Target)
    files: Mapping[str, Path] = field(default_factory=dict)

    @property
    def solo(self) -> bool:
        """Whether these are solo games."""
        return isinstance(self.conditions[0], Solo)

    @property
    def policies(self) -> Sequence[Policy]:
        """The policies that play, each once."""
        return list(dict.fromkeys(policy for condition in self.conditions for policy in condition.policies))

    def _simulate(self, condition: Mapping[str, Any], first_game: int, n_games: int) -> Tally:
        return self.conditions[condition["condition"]].tally(first_game, n_games)
