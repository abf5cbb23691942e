"""Plans of drafts: a table of what cards are worth is refined in stages, and then drafted by."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from clashsim.clash.drafting import Worths
from clashsim.clash.drafts import DraftDuel, DraftSolo
from clashsim.experiments.draft_worths import pair_worths, refined
from clashsim.experiments.games_plan import Found
from clashsim.experiments.staged_plan import StagedPlan
from clashsim.running import Tally
from clashsim.running.pilot import Pilot

MAIN = -1
"""Instead of the number of an iteration: a row of the drafts that the tables tell of."""

EXPECTED_ITERATIONS = 2

DraftCondition = TypeVar("DraftCondition", DraftDuel, DraftSolo)


class Refining(NamedTuple):
    """How a table of worths came about.

    Attributes
    ----------
    tallies : list of Tally
        Of the iterations that were played.
    tables : list of Worths or None
        What each of them drafted by; None: by chance.
    worths : Worths or None
        What came out; None if nothing was measured or given.
    done : bool
        Whether no more iterations are needed.
    """

    tallies: list[Tally]
    tables: list[Worths | None]
    worths: Worths | None
    done: bool


@dataclass(frozen=True)
class RefiningPlan(StagedPlan[DraftCondition, Found]):
    """A staged plan with a column `iteration`; rows of one policy, and setting, go by one table of worths.

    Attributes
    ----------
    given : mapping
        By policy: tables that are not to be measured.
    """

    given: Mapping[str, Worths] = field(default_factory=dict)

    def refining(self, row: int, tallies: Sequence[Tally]) -> Refining:
        """Tell how the table came about that a row goes by."""
        played = [tallies[other] for other in self._table_rows(row) if tallies[other]]
        policy = self.conditions[row].policies[0].name
        if policy in self.given:
            pairs = pair_worths(played[0]) if played and not self.solo else ()
            return Refining(played, [None] * len(played), replace(self.given[policy], pairs=pairs), True)
        if not played:
            return Refining([], [], None, False)
        return Refining(played, *refined(played, solo=self.solo))

    def rows_of(self, iteration: int) -> list[int]:
        """Return the rows with this in the column `iteration`."""
        return [row for row, number in enumerate(self.plan["iteration"].tolist()) if number == iteration]

    def _table_of(self, row: int) -> Hashable:
        """Return what the rows have in common that go by one table."""
        raise NotImplementedError

    def _table_rows(self, row: int) -> list[int]:
        iterations = self.plan["iteration"].tolist()
        return [
            other
            for other, iteration in enumerate(iterations)
            if iteration != MAIN and self._table_of(other) == self._table_of(row)
        ]

    def _prepare(self, rows: range, tallies: Sequence[Tally]) -> Sequence[DraftCondition] | None:
        found = {row: self.refining(row, tallies) for row in rows}
        if self.plan["iteration"].iloc[rows.start] > 0 and found[rows.start].done:
            return None
        return [
            self.conditions[row].by(refining.worths) if refining.worths else self.conditions[row]
            for row, refining in found.items()
        ]

    def _expected_games(self, trial: Pilot) -> list[int]:
        return [
            self._expected(cap) if iteration == MAIN else cap * (iteration < EXPECTED_ITERATIONS)
            for iteration, cap in zip(
                self.plan["iteration"].tolist(), self.plan["games"].tolist(), strict=True
            )
        ]

    def _expected(self, cap: int) -> int:
        """Return how many games a row of drafts is expected to take."""
        return cap
