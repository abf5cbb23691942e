"""A search for strong constructed decks as a plan: its stages, what they play, and what was found."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from clashsim.analysis.intervals import Interval
from clashsim.analysis.presence import value_of
from clashsim.experiments import constructed_arguments as constructed
from clashsim.experiments.constructed_breeding import Course, Ten
from clashsim.experiments.constructed_evolution import Evolution
from clashsim.experiments.constructed_race import Arena
from clashsim.experiments.constructed_search_findings import findings
from clashsim.experiments.constructed_search_tables import (
    Outcome,
    cards_table,
    generations_table,
    least_gain,
    pairings_table,
    swaps_table,
    tens_table,
)
from clashsim.experiments.constructed_stages import (
    Sizes,
    audit_race,
    audited,
    evolved,
    final_of,
    first_field_race,
    heat_of,
    pairings_of,
)
from clashsim.experiments.games_plan import Playable
from clashsim.experiments.result import Findings
from clashsim.experiments.staged_plan import StagedPlan
from clashsim.running import Tally

TABLES = (
    "constructed_tens",
    "constructed_pairings",
    "constructed_cards",
    "constructed_swaps",
    "constructed_generations",
)


@dataclass(frozen=True, repr=False)
class ConstructedSearch:
    """What a search for strong tens found, as tables; `clashsim columns` tells what their columns mean.

    Attributes
    ----------
    constructed_tens : DataFrame
        One row per ten of the final, the best first.
    constructed_pairings : DataFrame
        One row per pair of them.
    constructed_cards : DataFrame
        One row per card.
    constructed_swaps : DataFrame
        One row per swap of a card of the best ten.
    constructed_generations : DataFrame
        One row per generation.
    plan : DataFrame
        One row per condition that was played, with the number of games it got.
    details : dict
        Seed, rules, cards, policy and method, as the manifest has them.
    """

    constructed_tens: pd.DataFrame
    constructed_pairings: pd.DataFrame
    constructed_cards: pd.DataFrame
    constructed_swaps: pd.DataFrame
    constructed_generations: pd.DataFrame
    plan: pd.DataFrame
    details: dict[str, Any]

    def __repr__(self) -> str:
        games, generations = int(self.plan["games"].sum()), len(self.constructed_generations)
        return f"<Constructed search: {generations} generations, {games:,} games; tables {', '.join(TABLES)}>"

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
        return findings(self.tables, self.details)


@dataclass(frozen=True)
class SearchPlan(StagedPlan[Playable, ConstructedSearch]):
    """A search for strong tens that is checked and ready to start; see `plan_search` and `result.Plan`.

    Stages: card values, if they are measured; the heats of every generation, and of one more in which all winners race;
    the final, with the games against the tens that the search started from in its last row; the heats of the audit.

    Attributes
    ----------
    arena : Arena
    course : Course
        With the card values that are given, or none.
    sizes : Sizes
    measures : bool
        Whether card values are measured.
    """

    arena: Arena = None  # type: ignore[assignment]
    course: Course = None  # type: ignore[assignment]
    sizes: Sizes = None  # type: ignore[assignment]
    measures: bool = True
    table_names: Sequence[str] = TABLES

    games_name: ClassVar[str] = "games of a search for constructed decks"

    def _kind(self, condition: Playable) -> str:
        return type(condition).__name__

    @property
    def _first_heat(self) -> int:
        return int(self.measures)

    @property
    def _first_pairing(self) -> int:
        return self._first_heat + (self.course.generations + 1) * len(self.course.heats)

    @property
    def _first_audit(self) -> int:
        return len(self.plan) - len(self.sizes.audit)

    def _prepare(self, rows: range, tallies: Sequence[Tally]) -> Sequence[Playable]:
        if rows.start < self._first_heat:
            return self.conditions[rows.start : rows.stop]
        arena, evolution = self._so_far(tallies[: rows.start])
        if rows.start < self._first_pairing:
            return [heat_of(arena, evolution)]
        tens = self._finalists(evolution)
        if rows.start < self._first_audit:
            race = first_field_race(arena, evolution, self.sizes.first_field_games)
            return [*pairings_of(arena, tens), race]
        final = final_of(tens, tallies[self._first_pairing : self._first_audit - 1])
        before = tallies[self._first_audit : rows.start]
        audit = audited(final.tens[0], len(arena.cards.cards), self.sizes, before)
        return [audit_race(arena, final, audit, self.sizes, len(before))]

    def _so_far(self, tallies: Sequence[Tally]) -> tuple[Arena, Evolution]:
        """Return what the games of the first rows have settled."""
        arena, course = self.arena, self.course
        if self.measures:
            worths = constructed.measured_worths(tallies[0])
            arena = replace(arena, banner=arena.banner.by(worths))
            course = replace(course, worths=np.array(worths.cards))
        return arena, evolved(course, tallies[self._first_heat : self._first_pairing])

    def _finalists(self, evolution: Evolution) -> list[Ten]:
        return evolution.ranked[: self.sizes.finalists]

    def _result(self, tallies: Sequence[Tally]) -> ConstructedSearch:
        arena, evolution = self._so_far(tallies)
        final = final_of(self._finalists(evolution), tallies[self._first_pairing : self._first_audit - 1])
        audit = audited(final.tens[0], len(arena.cards.cards), self.sizes, tallies[self._first_audit :])
        first_field = tallies[self._first_audit - 1]["results"]
        values = _given(self.course.worths) if not self.measures else value_of(tallies[0]["holding"])
        seed = self.details["seed"]
        outcome = Outcome(arena.cards, arena.banner, values, evolution, final, first_field, audit, seed)
        return ConstructedSearch(
            tens_table(outcome),
            pairings_table(outcome),
            cards_table(outcome),
            swaps_table(outcome),
            generations_table(outcome),
            self.plan.assign(games=[int(tally["results"].sum()) for tally in tallies]),
            self.details | {"least_gain": least_gain(outcome), "tens": outcome.tens},
        )


def lay_out(
    arena: Arena, course: Course, sizes: Sizes, value_games: int | None
) -> tuple[list[Playable], pd.DataFrame, list[range]]:
    """Return stand-ins for what the stages will play, with as many games, the plan, and the stages."""
    evolution = Evolution(course)
    conditions: list[Playable] = []
    rows: list[dict[str, Any]] = []
    stages: list[range] = []

    def add(stage: str, generation: int, heat: int, played: Sequence[tuple[Playable, int, str]]) -> None:
        stages.append(range(len(rows), len(rows) + len(played)))
        for condition, games, group in played:
            row = {"condition": len(rows), "stage": stage, "generation": generation, "heat": heat}
            rows.append(row | {"policy": arena.players[0].name, "group": group, "games": games})
            conditions.append(condition)

    if value_games is not None:
        duel = constructed.values_duel(arena.cards, arena.players, arena.rules, arena.seed)
        add("values", 0, 0, [(duel, value_games, duel.random_group)])
    for generation in range(1, course.generations + 2):
        for number, heat in enumerate(course.heats):
            race = replace(heat_of(arena, evolution), block=heat.games)
            race = replace(race, tens=race.tens[: heat.tens], name=f"constructed search {generation}")
            add("generation", generation, number + 1, [(race, race.games, race.name)])
    tens = evolution.tens[: sizes.finalists]
    pairings = [(duel, sizes.final_games, duel.group) for duel in pairings_of(arena, tens)]
    race = first_field_race(arena, evolution, sizes.first_field_games)
    race = replace(race, tens=[race.opponents[0]] * course.generations)
    add("final", 0, 0, [*pairings, (race, race.games, race.name)])
    trial = final_of(tens, [_no_games(len(tens[0]))] * len(pairings))
    for number, last in enumerate(sizes.audit):
        audit = audited(tens[0], len(arena.cards.cards), sizes, [])._replace(running=list(range(last.swaps)))
        race = replace(
            audit_race(arena, trial, audit, sizes, number), base=None
        )  # a few games would need as many more
        add("audit", 0, number + 1, [(race, race.games, race.name)])
    return conditions, pd.DataFrame(rows), stages


def _no_games(cards: int) -> Tally:
    return {"results": np.zeros((2, 3), np.int64), "banned": np.zeros((2, cards, 2, 3), np.int64)}


def _given(worths: np.ndarray) -> Interval:
    """Return card values of a file: nothing is known of their limits."""
    unknown = np.full(len(worths), np.nan)
    return Interval(worths, unknown, unknown, unknown)
