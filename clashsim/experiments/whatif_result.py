"""What a what-if found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from clashsim.experiments.result import Findings
from clashsim.experiments.twins import Twin
from clashsim.experiments.whatif_findings import TRACES, findings
from clashsim.experiments.whatif_tables import names_of

TABLES = ("whatif", "whatif_decks", "whatif_games")
TRACED = 3
"""Pairs of conditions of which the first games that end otherwise are traced."""


@dataclass(frozen=True, repr=False)
class WhatIf:
    """What a change does, as tables; `clashsim columns` tells what their columns mean.

    Attributes
    ----------
    whatif : DataFrame
        One row per pairing (or deck and setting of solo games) and change.
    decks : DataFrame
        One row per deck and change: the mean over its opponents, or over the settings.
    games : DataFrame
        Some of the games that end otherwise.
    plan : DataFrame
        One row per condition that was played, with the number of games it got.
    details : dict
        Seed, cards, changes, decks, policies and method, as the manifest has them.
    twins : sequence of Twin
        The conditions, as they are and changed.
    """

    whatif: pd.DataFrame
    decks: pd.DataFrame
    games: pd.DataFrame
    plan: pd.DataFrame
    details: dict[str, Any]
    twins: Sequence[Twin]

    def __repr__(self) -> str:
        games = int(self.plan["games"].sum())
        what = "; ".join(self.details["changes"][:3])
        return f"<What if {what}: {games:,} games, each twice; tables whatif, decks, games>"

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name."""
        return dict(zip(TABLES, (self.whatif, self.decks, self.games), strict=True))

    @property
    def measured(self) -> dict[str, Any]:
        """Nothing but the time of the run, which the manifest has anyway."""
        return {}

    def findings(self) -> Findings:
        """Return the answers in sentences, with the tables and figures that show them."""
        return findings(self.tables, self._traces)

    def _traces(self) -> dict[str, str]:
        """Return the traces of the first games that end otherwise, as files of as they are and changed."""
        from clashsim.clash.trace import Tracer

        lines: dict[str, list[str]] = {"base": [], "changed": []}
        traced = 0
        for twin in self.twins:
            names = names_of(twin)
            rows = self.games[(self.games[list(names)] == pd.Series(names)).all(axis=1)]
            if len(rows) and traced < TRACED:
                traced += 1
                for kind, condition in (("base", twin.base), ("changed", twin.changed)):
                    tracer = Tracer(condition)
                    lines[kind] += [next(tracer.lines(int(game), 1)) for game in rows["game"]]
        return {TRACES[kind]: "".join(f"{line}\n" for line in found) for kind, found in lines.items()}
