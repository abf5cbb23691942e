"""What a run of drafts found."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from clashsim.experiments.draft_findings import findings
from clashsim.experiments.result import Findings

TABLES = (
    "draft_cards",
    "draft_drafters",
    "draft_picks",
    "draft_seats",
    "draft_over",
    "draft_iterations",
)


@dataclass(frozen=True, repr=False)
class Draft:
    """What a run of drafts found, as tables; `clashsim columns` tells what their columns mean.

    Attributes
    ----------
    draft_cards : DataFrame
        One row per policy, drafter, opponent's drafter and card, the most worth first.
    draft_drafters : DataFrame
        One row per policy and ordered pair of different drafters.
    draft_picks : DataFrame
        One row per policy, drafter, opponent's drafter, card and kind of pick.
    draft_seats : DataFrame
        What drafting first and starting are worth: four rows per policy and pair of drafters.
    draft_over : DataFrame
        One row per policy, drafter, opponent's drafter and pair of cards: which is taken over which.
    draft_iterations : DataFrame
        One row per policy, iteration of the table of worths, and card.
    plan : DataFrame
        One row per condition, with the number of games it got; 0 for iterations that were not needed.
    details : dict
        Seed, rules, cards, policies and method, as the manifest has them.
    """

    draft_cards: pd.DataFrame
    draft_drafters: pd.DataFrame
    draft_picks: pd.DataFrame
    draft_seats: pd.DataFrame
    draft_over: pd.DataFrame
    draft_iterations: pd.DataFrame
    plan: pd.DataFrame
    details: dict[str, Any]

    def __repr__(self) -> str:
        games = int(self.plan["games"].sum())
        return f"<Drafts of {self.details['cards']['name']}: {games:,} games; tables {', '.join(TABLES)}>"

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
