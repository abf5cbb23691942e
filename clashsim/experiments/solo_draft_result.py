"""What a run of solo drafts found."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from clashsim.experiments.result import Findings
from clashsim.experiments.solo_draft_findings import findings

TABLES = ("draft_cards", "draft_settings", "draft_drafters", "draft_over", "draft_iterations")


@dataclass(frozen=True, repr=False)
class SoloDraft:
    """What a run of solo drafts found, as tables; `clashsim columns` tells what their columns mean.

    Attributes
    ----------
    draft_cards : DataFrame
        One row per policy, setting, drafter and card, the most worth first.
    draft_settings : DataFrame
        One row per policy, setting but the first, and card: what the card is worth there more than in the first.
    draft_drafters : DataFrame
        One row per policy, setting and drafter.
    draft_over : DataFrame
        One row per policy, setting, drafter and pair of cards: which is taken over which.
    draft_iterations : DataFrame
        One row per policy, setting, iteration of the table of worths, and card.
    plan : DataFrame
        One row per condition, with the number of games it got; 0 for iterations that were not needed.
    details : dict
        Seed, rules, cards, policies and method, as the manifest has them.
    """

    draft_cards: pd.DataFrame
    draft_settings: pd.DataFrame
    draft_drafters: pd.DataFrame
    draft_over: pd.DataFrame
    draft_iterations: pd.DataFrame
    plan: pd.DataFrame
    details: dict[str, Any]

    def __repr__(self) -> str:
        games = int(self.plan["games"].sum())
        return (
            f"<Solo drafts of {self.details['cards']['name']}: {games:,} games; tables {', '.join(TABLES)}>"
        )

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name."""
        return {name: getattr(self, name) for name in TABLES}

    @property
    def measured(self) -> dict[str, Any]:
        """Nothing but the time of the run, which the manifest has anyway."""
        return {}

    def findings(self) -> Findings:
        """Return the answers in sentences, with the tables and figures that show them."""
        return findings(self.tables)
