"""Drafts of duels (R40): which cards to take, and what drafting first and starting decide."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd

from clashsim.analysis.precision import Target, games_for
from clashsim.clash.cards import CardSet
from clashsim.clash.drafting import ALL_DRAFTERS, JUDGES, Worths
from clashsim.clash.drafts import DraftDuel
from clashsim.clash.rules import Rules, parse_rules
from clashsim.experiments import card_values, draft_tables
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.draft_arguments import (
    LEAST_GAMES,
    check_draft_games,
    iterations_of,
    load_given,
    pairs_of,
    worths_digest,
)
from clashsim.experiments.draft_result import TABLES, Draft
from clashsim.experiments.matchup_manifest import check_options
from clashsim.experiments.refining_plan import MAIN, RefiningPlan
from clashsim.running import Progress, Tally

DEFAULT_POLICY = "tactician"
"""The strongest that plays the tens of thousands of games that a table needs in a minute or two."""

DRAFTERS = ("value", "denial", "random")
GAMES = 200_000
GAMES_OF_SEARCHERS = 20_000
OPTIONS: dict[str, tuple[type, ...]] = {
    "drafter": (list,),
    "vs_drafter": (str, type(None)),
    "games": (int, type(None)),
    "table_games": (int, type(None)),
    "values": (str, type(None)),
    "policy": (str, list),
    "seed": (int,),
    "rule": (list,),
    "cards": (str,),
    "precision": (int, float, type(None)),
}
"""Names and types of the options of a run, as the command line takes and a manifest keeps them."""

METHOD = (
    "each draft played four times, by who drafts first and who starts; 95 % intervals: delete-a-block jackknife over "
    "40 blocks of drafts, of scores Wilson on the number of games that it makes them worth; values: least squares of "
    "the result on who has which card; verdicts: intervals made simultaneous over the cards or the pairs of drafters "
    "(Bonferroni)"
)


@dataclass(frozen=True)
class DraftPlan(RefiningPlan[DraftDuel, Draft]):
    """A run of drafts that is checked and ready to start; see `plan_draft` and `result.Plan`."""

    table_names: Sequence[str] = TABLES

    games_name: ClassVar[str] = "games of drafts"

    def _table_of(self, row: int) -> Hashable:
        return self.conditions[row].policies[0].name

    def _expected(self, cap: int) -> int:
        return cap if self.target.precision is None else games_for(1.2, 0.98, self.target.precision, cap)

    def _stop(self, row: int, tally: Tally) -> bool:
        if self.plan["iteration"].iloc[row] != MAIN or tally["results"].sum() < LEAST_GAMES:
            return False
        return bool(draft_tables.judged(tally).half_width <= (self.target.precision or 0))

    def _result(self, tallies: Sequence[Tally]) -> Draft:
        rows = self.rows_of(MAIN)
        duels, found = [self.conditions[row] for row in rows], [tallies[row] for row in rows]
        refining = {
            duels[place].policies[0].name: self.refining(row, tallies) for place, row in enumerate(rows)
        }
        worths = [
            refining[duel.policies[0].name].worths
            if any(drafter.needs_worths for drafter in duel.drafters)
            else None
            for duel in duels
        ]
        return Draft(
            draft_tables.cards_table(duels, found, worths),
            draft_tables.drafters_table(duels, found),
            draft_tables.picks_table(duels, found),
            draft_tables.seats_table(duels, found),
            draft_tables.over_table(duels, found),
            draft_tables.iterations_table(
                list(refining),
                duels[0].cards,
                [each.tables for each in refining.values()],
                [each.tallies for each in refining.values()],
            ),
            self.plan.assign(games=[int(tally["results"].sum()) if tally else 0 for tally in tallies]),
            self.details,
        )


def draft(
    *,
    drafter: str | Sequence[str] = DRAFTERS,
    vs_drafter: str | None = None,
    games: int | None = None,
    table_games: int | None = None,
    values: str | PathLike[str] | None = None,
    policy: str | Sequence[str] = DEFAULT_POLICY,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Draft:
    """Draft decks and let them play: which cards to take, and what it is worth to draft first and to start.

    Parameters
    ----------
    drafter : str or list of str
        Who drafts: "value", "fit", "denial", "random", "dearest". Each meets each, itself included.
    vs_drafter : str, optional
        The drafter that all of them meet instead.
    games : int, optional
        Games per policy and pair of drafters, rounded up to a multiple of 4: a draft is played four times. By default
        200,000, and 20,000 where a policy searches; with `precision` the most, by default 10 million.
    table_games : int, optional
        Games of each iteration of the table of worths; by default twice as many as are the default of `games`.
    values : str or path, optional
        A CSV file with a table of worths (columns card and value, one row per card and, with a column policy, policy)
        to draft by, instead of measuring one.
    policy : str or list of str
        Who plays both sides, the weakest first.
    precision : float, optional
        Play until the half-width of each pair's score is at most this, in percentage points.
    seed, rules, cards, jobs, progress
        As in `matchups`.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.

    Examples
    --------
    >>> import clashsim as cs
    >>> found = cs.draft(drafter="random", games=160, policy="random")
    >>> len(found.draft_cards), len(found.draft_picks)
    (32, 96)
    """
    plan = plan_draft(
        drafter=drafter,
        vs_drafter=vs_drafter,
        games=games,
        table_games=table_games,
        values=values,
        policy=policy,
        seed=seed,
        rules=rules,
        cards=cards,
        precision=precision,
    )
    return plan.run(jobs=jobs, progress=progress)


def plan_draft(
    *,
    drafter: str | Sequence[str] = DRAFTERS,
    vs_drafter: str | None = None,
    games: int | None = None,
    table_games: int | None = None,
    values: str | PathLike[str] | None = None,
    policy: str | Sequence[str] = DEFAULT_POLICY,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
) -> DraftPlan:
    """Check the arguments of `draft` and lay out its conditions, without playing."""
    card_set = arguments.check_card_set(cards)
    target = arguments.make_target(precision, until_decided=False)
    seed = arguments.check_whole("seed", seed, 0, arguments.MOST_SEED)
    rules = arguments.check_rules(rules)
    rungs, specs = arguments.load_rungs(policy, None), arguments.specs_of(policy)
    pairs = pairs_of(drafter, vs_drafter)
    default = GAMES_OF_SEARCHERS if any(one.searches for rung in rungs for one in rung) else GAMES
    if games is None:
        games = arguments.GAMES_AT_MOST if target != Target() else default
    games = check_draft_games("games", games)
    table_games = check_draft_games("table_games", 2 * default if table_games is None else table_games)
    conditions: list[DraftDuel] = []
    rows: list[tuple[int, int]] = []
    stages: list[range] = []
    given = {} if values is None else load_given(values, card_set, [players[0].name for players in rungs])
    judge, chance = JUDGES["value"], ALL_DRAFTERS["random"]
    for players in rungs:
        for iteration in range(iterations_of(pairs, measured=not given)):
            stages.append(range(len(rows), len(rows) + 1))
            both = (judge, judge) if iteration else (chance, chance)
            group = f'["draft table", {iteration}]'
            conditions.append(DraftDuel(card_set, players, rules, seed, group, drafters=both))
            rows.append((iteration, table_games))
    first = len(rows)
    for players in rungs:
        for pair in pairs:
            conditions.append(DraftDuel(card_set, players, rules, seed, drafters=pair))
            rows.append((MAIN, games))
    stages.append(range(first, len(rows)))
    plan = {
        "condition": range(len(rows)),
        "policy": [duel.policies[0].name for duel in conditions],
        "drafter": [duel.drafters[0].name for duel in conditions],
        "vs_drafter": [duel.drafters[1].name for duel in conditions],
        "iteration": [iteration for iteration, _ in rows],
        "group": [duel.random_group for duel in conditions],
        "games": [count for _, count in rows],
    }
    details = card_values.describe(card_set, rungs, specs, rules, seed, METHOD)
    files = arguments.input_files(None, cards, card_set, specs)
    if values is not None:
        files[str(values)] = Path(values)
        details["values"] = worths_digest(given)
    for_timing = [_for_timing(duel) for duel in conditions]
    return DraftPlan(for_timing, pd.DataFrame(plan), details, target, files, stages, given=given)


def plan_from_options(options: Mapping[str, Any]) -> DraftPlan:
    """Lay out the run that options name, as the command line takes them and a manifest keeps them."""
    check_options(options, OPTIONS)
    named = {name: value for name, value in options.items() if name != "rule"}
    return plan_draft(rules=parse_rules(options["rule"]), **named)


def check_manifest(manifest: Mapping[str, Any]) -> None:
    """Make sure that a manifest of a run of drafts has the form that `plan_draft` gives it.

    Raises
    ------
    InputError
        Names the entry, and what was expected.
    """
    card_values.check_manifest(manifest, OPTIONS)


def _for_timing(duel: DraftDuel) -> DraftDuel:
    """Give those who need a table one to begin with: what cards cost."""
    costs = Worths(tuple(float(card.cost) / 100 for card in duel.kit))
    return duel.by(costs)
