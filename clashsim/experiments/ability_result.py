"""What a run of abilities gives."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from clashsim.experiments.ability_findings import findings
from clashsim.experiments.ability_sections import SKILL
from clashsim.experiments.result import Findings

TABLES = ("ability_effects", "ability_subsets", "ability_interactions", "ability_cards", "ability_solo")


def table_names(policies: int) -> tuple[str, ...]:
    """Return the names of the tables of a run of so many policies."""
    return TABLES if policies == 1 else (*TABLES, SKILL)


@dataclass(frozen=True, repr=False)
class Abilities:
    """What a run of abilities found, as tables; `clashsim columns` tells what their columns mean.

    Attributes
    ----------
    ability_effects : DataFrame
        One row per policy, body and ability or aura: alone, and on average over all sets of the others.
    ability_subsets : DataFrame
        One row per policy, body and set of abilities or aura, those worth most for their price first.
    ability_interactions : DataFrame
        One row per policy, body and pair of abilities, and three of them where a pair matters.
    ability_cards : DataFrame
        One row per policy, card as printed, and what is taken from it.
    ability_solo : DataFrame
        One row per policy and ability that the AI's creatures can be given.
    ability_skill : DataFrame
        One row per two policies, body and ability or aura: how its lift changes; empty for a single policy.
    plan : DataFrame
        One row per condition that was played, with the number of games it got.
    details : dict
        Seed, rules, cards, decks, policies and method, as the manifest has them.
    """

    ability_effects: pd.DataFrame
    ability_subsets: pd.DataFrame
    ability_interactions: pd.DataFrame
    ability_cards: pd.DataFrame
    ability_solo: pd.DataFrame
    ability_skill: pd.DataFrame
    plan: pd.DataFrame
    details: dict[str, Any]

    def __repr__(self) -> str:
        games = int(self.plan["games"].sum())
        bodies = ", ".join(dict.fromkeys(self.ability_effects["body"]))
        return (
            f"<Abilities on {bodies}: {games:,} games, each with many sets; tables {', '.join(self.tables)}>"
        )

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name."""
        return {name: getattr(self, name) for name in table_names(len(self.details["policies"]))}

    @property
    def measured(self) -> dict[str, Any]:
        """Nothing but the time of the run, which the manifest has anyway."""
        return {}

    def findings(self) -> Findings:
        """Return the answers in sentences, with the tables and figures that show them."""
        return findings(self.tables)
