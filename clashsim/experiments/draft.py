"""Drafts of duels (R40): which cards to take, and what drafting first and starting decide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from os import PathLike
from typing import Any, ClassVar

import pandas as pd

from clashsim.analysis.precision import Target, games_for
from clashsim.clash.cards import CardSet
from clashsim.clash.core.drafting import GAMES_OF_A_DRAFT
from clashsim.clash.drafting import ALL_DRAFTERS, JUDGES, Drafter, Worths
from clashsim.clash.drafts import DraftDuel
from clashsim.clash.rules import Rules, parse_rules
from clashsim.clash.solos import BLOCKS
from clashsim.errors import InputError, nearest
from clashsim.experiments import card_values, draft_tables
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.draft_findings import findings
from clashsim.experiments.draft_worths import ITERATIONS, refined
from clashsim.experiments.matchup_manifest import check_options
from clashsim.experiments.result import Findings
from clashsim.experiments.staged_plan import StagedPlan
from clashsim.running import Progress, Tally
from clashsim.running.pilot import Pilot

TABLES = (
    "draft_cards",
    "draft_drafters",
    "draft_picks",
    "draft_seats",
    "draft_over",
    "draft_iterations",
)
DEFAULT_POLICY = "tactician"
"""The strongest that plays the tens of thousands of games that a table needs in a minute or two."""

DRAFTERS = ("value", "denial", "random")
GAMES = 200_000
GAMES_OF_SEARCHERS = 20_000
LEAST_GAMES = GAMES_OF_A_DRAFT * BLOCKS  # a draft in every block

OPTIONS: dict[str, tuple[type, ...]] = {
    "drafter": (list,),
    "vs_drafter": (str, type(None)),
    "games": (int, type(None)),
    "table_games": (int, type(None)),
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

EXPECTED_ITERATIONS = 3
_MAIN = -1  # instead of the number of an iteration: a row of the drafts that the tables tell of


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


@dataclass(frozen=True)
class DraftPlan(StagedPlan[DraftDuel, Draft]):
    """A run of drafts that is checked and ready to start; see `plan_draft` and `result.Plan`."""

    table_names: Sequence[str] = TABLES

    games_name: ClassVar[str] = "games of drafts"

    @property
    def _rungs(self) -> list[str]:
        return list(dict.fromkeys(self.plan["policy"]))

    def _rows(self, policy: str, *, main: bool) -> list[int]:
        """Return the rows of a policy: its drafts, or the iterations of its table."""
        of_policy = self.plan[self.plan["policy"] == policy]
        return of_policy[(of_policy["iteration"] == _MAIN) == main].index.tolist()

    def _refined(
        self, policy: str, tallies: Sequence[Tally]
    ) -> tuple[list[Worths | None], Worths | None, bool]:
        """Return the tables of a policy's iterations, what comes out, and whether it is settled."""
        played = [tallies[row] for row in self._rows(policy, main=False) if tallies[row]]
        return refined(played, solo=False) if played else ([], None, False)

    def _prepare(self, rows: range, tallies: Sequence[Tally]) -> Sequence[DraftDuel] | None:
        if self.plan["iteration"].iloc[rows.start] == _MAIN:
            worths = {policy: self._refined(policy, tallies)[1] for policy in self._rungs}
            return [self._by(row, worths[self.plan["policy"].iloc[row]]) for row in rows]
        policy = self.plan["policy"].iloc[rows.start]
        _, table, done = self._refined(policy, tallies)
        return None if done else [self._by(row, table) for row in rows]

    def _by(self, row: int, worths: Worths | None) -> DraftDuel:
        return self.conditions[row] if worths is None else self.conditions[row].by(worths)

    def _expected_games(self, trial: Pilot) -> list[int]:
        iterations = self.plan["iteration"].tolist()
        caps = self.plan["games"].tolist()
        return [
            self._expected(row, cap) if iteration == _MAIN else cap * (iteration < EXPECTED_ITERATIONS)
            for row, (iteration, cap) in enumerate(zip(iterations, caps, strict=True))
        ]

    def _expected(self, row: int, cap: int) -> int:
        return cap if self.target.precision is None else games_for(1.2, 0.98, self.target.precision, cap)

    def _stop(self, row: int, tally: Tally) -> bool:
        if self.plan["iteration"].iloc[row] != _MAIN or tally["results"].sum() < LEAST_GAMES:
            return False
        return bool(draft_tables.judged(tally).half_width <= (self.target.precision or 0))

    def _result(self, tallies: Sequence[Tally]) -> Draft:
        policies = self._rungs
        refining = {policy: self._refined(policy, tallies) for policy in policies}
        rows = [row for policy in policies for row in self._rows(policy, main=True)]
        duels, found = [self.conditions[row] for row in rows], [tallies[row] for row in rows]
        worths = [
            refining[duel.policies[0].name][1]
            if any(drafter.needs_worths for drafter in duel.drafters)
            else None
            for duel in duels
        ]
        iterations = [
            [tallies[row] for row in self._rows(policy, main=False) if tallies[row]] for policy in policies
        ]
        tables = [refining[policy][0] for policy in policies]
        return Draft(
            draft_tables.cards_table(duels, found, worths),
            draft_tables.drafters_table(duels, found),
            draft_tables.picks_table(duels, found),
            draft_tables.seats_table(duels, found),
            draft_tables.over_table(duels, found),
            draft_tables.iterations_table(policies, duels[0].cards, tables, iterations),
            self.plan.assign(games=[int(tally["results"].sum()) if tally else 0 for tally in tallies]),
            self.details,
        )


def draft(
    *,
    drafter: str | Sequence[str] = DRAFTERS,
    vs_drafter: str | None = None,
    games: int | None = None,
    table_games: int | None = None,
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
    if any(each.needs_worths for pair in pairs for each in pair):
        judge, chance = JUDGES["value"], ALL_DRAFTERS["random"]
        for players in rungs:
            for iteration in range(ITERATIONS):
                stages.append(range(len(rows), len(rows) + 1))
                both = (judge, judge) if iteration else (chance, chance)
                group = f'["draft table", {iteration}]'
                conditions.append(DraftDuel(card_set, players, rules, seed, group, drafters=both))
                rows.append((iteration, table_games))
    first = len(rows)
    for players in rungs:
        for pair in pairs:
            conditions.append(DraftDuel(card_set, players, rules, seed, drafters=pair))
            rows.append((_MAIN, games))
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
    for_timing = [_for_timing(duel) for duel in conditions]
    return DraftPlan(for_timing, pd.DataFrame(plan), details, target, files, stages)


def pairs_of(drafter: str | Sequence[str], vs_drafter: str | None) -> list[tuple[Drafter, Drafter]]:
    """Return who drafts against whom.

    Raises
    ------
    InputError
        A drafter is unknown, or given twice.
    """
    names = [drafter] if isinstance(drafter, str) else drafter
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names) or not names:
        raise InputError(
            f"drafter is {drafter!r}; expected a name or a list of them, such as ['value', 'random']"
        )
    drafters = [_find(name) for name in names]
    for one in drafters:
        if drafters.count(one) > 1:
            raise InputError(f"drafter {one.name} is given twice; expected different ones")
    if vs_drafter is None:
        return list(combinations_with_replacement(drafters, 2))
    return [(one, _find(vs_drafter)) for one in drafters]


def check_draft_games(name: str, games: int) -> int:
    """Return a number of games that plays every draft four times, rounded up."""
    games = arguments.check_whole(name, games, LEAST_GAMES, arguments.MOST_GAMES)
    return -(-games // GAMES_OF_A_DRAFT) * GAMES_OF_A_DRAFT


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


def _find(name: str) -> Drafter:
    if not isinstance(name, str) or name not in ALL_DRAFTERS:
        expected = ", ".join(ALL_DRAFTERS)
        raise InputError(f"unknown drafter {name!r}; expected {expected}.{nearest(str(name), ALL_DRAFTERS)}")
    return ALL_DRAFTERS[name]


def _for_timing(duel: DraftDuel) -> DraftDuel:
    """Give those who need a table one to begin with: what cards cost."""
    costs = Worths(tuple(float(card.cost) / 100 for card in duel.kit))
    return duel.by(costs)
