"""What the plans of all experiments share whose conditions are duels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from clashsim.analysis.precision import Target
from clashsim.clash.duels import Duel
from clashsim.clash.policies import Policy
from clashsim.running import Tally


@dataclass(frozen=True)
class DuelPlan:
    """Some duels, one for each condition of a plan; see `result.Plan` for the rest."""

    duels: Sequence[Duel]
    plan: pd.DataFrame
    details: dict[str, Any]
    target: Target = field(default_factory=Target)
    files: Mapping[str, Path] = field(default_factory=dict)

    @property
    def solo(self) -> bool:
        """These are duels."""
        return False

    @property
    def policies(self) -> Sequence[Policy]:
        """The policies that play, each once."""
        return list(dict.fromkeys(policy for duel in self.duels for policy in duel.policies))

    def _simulate(self, condition: Mapping[str, Any], first_game: int, n_games: int) -> Tally:
        return self.duels[condition["condition"]].tally(first_game, n_games)
