"""The rungs of a run: the conditions that the same policies play, laid out one rung after another.

What a run says of one rung is what a run of that rung alone says: verdicts hold together within it, and means are over
its own conditions.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import pandas as pd

from clashsim.clash.duels import Duel
from clashsim.experiments.matchup_tables import comparisons_of
from clashsim.running import Tally

Tables = Mapping[str, pd.DataFrame]
MakeTable = Callable[[Sequence[Duel], Sequence[Tally]], pd.DataFrame]


class Rung(NamedTuple):
    """Who plays side A and who plays side B, by name."""

    policy: str
    vs_policy: str

    @property
    def is_one_policy(self) -> bool:
        """Whether the policy plays against itself."""
        return self.policy == self.vs_policy

    def __str__(self) -> str:
        return self.policy if self.is_one_policy else f"{self.policy} against {self.vs_policy}"


def rungs_of(details: Mapping[str, Any]) -> list[Rung]:
    """Return the rungs of a run in their order, by its details (matchups.Matchups)."""
    opponent = details["vs_policy"]
    return [Rung(policy, policy if opponent is None else opponent) for policy in details["policies"]]


def slices_of(duels: Sequence[Duel]) -> list[slice]:
    """Return where the conditions of each rung lie."""
    slices, first = [], 0
    for _, conditions in groupby(duels, key=lambda duel: duel.policies):
        end = first + len(list(conditions))
        slices.append(slice(first, end))
        first = end
    return slices


def comparisons_by_row(duels: Sequence[Duel]) -> list[int]:
    """Return for every condition over how many comparisons the verdicts of its rung hold together."""
    return [comparisons_of(duels[rung]) for rung in slices_of(duels) for _ in range(rung.start, rung.stop)]


def table_of_rungs(make: MakeTable, duels: Sequence[Duel], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Make a table of each rung by itself, and put them below each other."""
    return pd.concat([make(duels[rung], tallies[rung]) for rung in slices_of(duels)], ignore_index=True)


def tables_of(tables: Tables, rung: Rung) -> dict[str, pd.DataFrame]:
    """Return the rows of one rung of all tables that have rows of rungs."""
    return {
        name: table[_is_of(table, rung)].reset_index(drop=True)
        for name, table in tables.items()
        if "vs_policy" in table or "policy_b" in table
    }


def _is_of(table: pd.DataFrame, rung: Rung) -> pd.Series:
    if "policy_b" in table:
        return (table["policy_a"] == rung.policy) & (table["policy_b"] == rung.vs_policy)
    ahead = (table["policy"] == rung.policy) & (table["vs_policy"] == rung.vs_policy)
    return ahead | (table["policy"] == rung.vs_policy) & (table["vs_policy"] == rung.policy)
