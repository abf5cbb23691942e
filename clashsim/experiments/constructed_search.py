"""Strong constructed decks, found by a search: generations of tens in races, a final, and an audit of the best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from clashsim.analysis.intervals import Interval
from clashsim.analysis.presence import value_of
from clashsim.clash.cards import CardSet
from clashsim.clash.drafting import CONSTRUCTED_SIZE
from clashsim.clash.rules import Rules, parse_rules
from clashsim.clash.tens import load_ten
from clashsim.errors import InputError
from clashsim.experiments import card_values
from clashsim.experiments import constructed_arguments as constructed
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.constructed_evolution import (
    FIELD,
    LEAST_POPULATION,
    Course,
    Evolution,
    Ten,
    heats_for,
    possible_tens,
)
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
    sizes_for,
)
from clashsim.experiments.games_plan import Playable
from clashsim.experiments.matchup_manifest import check_options
from clashsim.experiments.result import Findings
from clashsim.experiments.staged_plan import StagedPlan
from clashsim.running import Progress, Tally

TABLES = (
    "constructed_tens",
    "constructed_pairings",
    "constructed_cards",
    "constructed_swaps",
    "constructed_generations",
)
DEFAULT = "tactician"
GENERATIONS, POPULATION, GAMES = 20, 24, 400
MOST_GENERATIONS, MOST_POPULATION, MOST_GAMES = 1_000, 1_000, 1_000_000

OPTIONS: dict[str, tuple[type, ...]] = {
    "generations": (int,),
    "population": (int,),
    "games": (int,),
    "bans": (str,),
    "values": (str, type(None)),
    "value_games": (int, type(None)),
    "policy": (str,),
    "seed": (int,),
    "rule": (list,),
    "cards": (str,),
    "start": (list, type(None)),
}
"""Names and types of the options of a run, as the command line takes and a manifest keeps them."""

METHOD = (
    "constructed decks (R41); generations raced in the same games (common random numbers) against earlier winners; "
    "the final and the last heat of the audit in fresh games; 95 % intervals: Wilson on the effective number of "
    "games, stratified by who starts; means and their differences: MOVER, simultaneous over the tens, or their "
    "pairs (Bonferroni); equilibrium: linear programming, Bayesian bootstrap; swaps: joint counts, adjusted "
    "(Agresti and Min), verdicts simultaneous over the swaps of a heat (Bonferroni)"
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


def constructed_search(
    *,
    generations: int = GENERATIONS,
    population: int = POPULATION,
    games: int = GAMES,
    bans: str = constructed.DEFAULT_BANS,
    values: str | PathLike[str] | None = None,
    value_games: int | None = None,
    policy: str = DEFAULT,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    start: Sequence[arguments.DeckSpec] | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> ConstructedSearch:
    """Search for strong constructed decks: ten cards, of which the opponent removes two (R41).

    Parameters
    ----------
    generations, population : int
        How many generations of how many tens.
    games : int
        Games of the best tens of a generation; the others play fewer. A pair of tens of the final plays as many, a swap
        in the last heat of the audit four times as many.
    bans : str
        How both sides remove cards: "value" the one of the highest worth, "random" any with equal chances.
    values : path, optional
        A CSV file of card values, by which "value" bans and the first tens are drawn; by default they are measured.
    value_games : int, optional
        Games that measure them; by default 200,000, and 20,000 if the policy searches.
    policy : str
        Who plays both sides.
    start : list of tens, optional
        TOML files with ten names of cards, or these themselves, to start from besides those that are drawn.
    seed, rules, cards, jobs, progress
        As in `matchups`.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.

    Examples
    --------
    >>> import clashsim as cs
    >>> found = cs.constructed_search(
    ...     generations=2, population=8, games=48, value_games=2000, bans="random", policy="random"
    ... )
    >>> len(found.constructed_tens), len(found.constructed_swaps), len(found.constructed_generations)
    (8, 220, 2)
    """
    plan = plan_search(
        generations=generations,
        population=population,
        games=games,
        bans=bans,
        values=values,
        value_games=value_games,
        policy=policy,
        seed=seed,
        rules=rules,
        cards=cards,
        start=start,
    )
    return plan.run(jobs=jobs, progress=progress)


def plan_search(
    *,
    generations: int = GENERATIONS,
    population: int = POPULATION,
    games: int = GAMES,
    bans: str = constructed.DEFAULT_BANS,
    values: str | PathLike[str] | None = None,
    value_games: int | None = None,
    policy: str = DEFAULT,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    start: Sequence[arguments.DeckSpec] | None = None,
) -> SearchPlan:
    """Check the arguments of `constructed_search` and lay out its conditions, without playing."""
    card_set = constructed.check_ten_kit(arguments.check_card_set(cards), least=CONSTRUCTED_SIZE + 1)
    generations = arguments.check_whole("generations", generations, 1, MOST_GENERATIONS)
    population = arguments.check_whole("population", population, LEAST_POPULATION, MOST_POPULATION)
    games = arguments.check_whole("games", games, 1, MOST_GAMES)
    seed = arguments.check_whole("seed", seed, 0, arguments.MOST_SEED)
    rules = arguments.check_rules(rules)
    banner = constructed.check_bans("bans", bans)
    if not isinstance(policy, str):
        raise InputError(f"policy is {policy!r}; expected a single policy, such as {DEFAULT!r}")
    players = arguments.load_rungs(policy, None)[0]
    value_games = constructed.check_value_games(value_games, [players])
    given = constructed.load_values(values, card_set, players)
    tens = possible_tens(len(card_set.cards))
    field, population = min(FIELD, tens), min(population, tens)
    starts = _load_starts(start, card_set, population)
    worths = given or constructed.no_worths(card_set)
    course = Course(
        np.array(worths.cards), heats_for(population, games, field), generations, field, seed, starts
    )
    arena = Arena(card_set, players, rules, seed, banner.by(worths))
    sizes = sizes_for(len(card_set.cards), population, games, field)
    conditions, plan, stages = _lay_out(arena, course, sizes, None if given else value_games)
    details = card_values.describe(card_set, [players], [policy], rules, seed, METHOD)
    details |= {
        "bans": banner.name,
        "values": constructed.digest_of(given),
        "search": {
            "generations": generations,
            "population": population,
            "games": games,
            "value_games": None if given else value_games,
        },
        "starts": [[card_set.cards[place].name for place in ten] for ten in starts],
    }
    files = arguments.input_files(start, cards, card_set, [policy]) | constructed.values_files(values)
    return SearchPlan(
        conditions,
        plan,
        details,
        files=files,
        stages=stages,
        arena=arena,
        course=course,
        sizes=sizes,
        measures=given is None,
    )


def plan_from_options(options: Mapping[str, Any]) -> SearchPlan:
    """Lay out the run that options name, as the command line takes them and a manifest keeps them."""
    check_options(options, OPTIONS)
    named = {name: value for name, value in options.items() if name != "rule"}
    return plan_search(rules=parse_rules(options["rule"]), **named)


def check_manifest(manifest: Mapping[str, Any]) -> None:
    """Make sure that a manifest of a search for strong tens has the form that `plan_search` gives it.

    Raises
    ------
    InputError
        Names the entry, and what was expected.
    """
    card_values.check_manifest(manifest, OPTIONS)


def _load_starts(start: Any, cards: CardSet, most: int) -> list[Ten]:
    """Return the tens to start from, as places of cards in the set."""
    if start is None:
        return []
    if isinstance(start, str) or not isinstance(start, Sequence):
        raise InputError(f"start is {start!r}; expected a list of tens, such as ['my-ten.toml']")
    if len(start) > most:
        raise InputError(f"start: {len(start)} tens; expected at most {most}, as many as a generation has")
    places = {card.name: place for place, card in enumerate(cards.cards)}
    return [tuple(places[card.name] for card in load_ten(spec, cards).cards) for spec in start]


def _lay_out(
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
