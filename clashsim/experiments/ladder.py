"""Policies against each other over all decks: does every rung of the ladder beat the one below, and at what speed?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, product
from os import PathLike
from typing import Any

import pandas as pd

from clashsim.analysis.precision import Target
from clashsim.clash.cards import CardSet, Deck
from clashsim.clash.core.jit import source_digest
from clashsim.clash.duels import Duel, pairing_group
from clashsim.clash.policies import LADDER, Policy
from clashsim.clash.policy_files import load_policies
from clashsim.clash.rules import Rules, parse_rules
from clashsim.errors import InputError
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.games_plan import GamesPlan
from clashsim.experiments.ladder_findings import findings
from clashsim.experiments.ladder_tables import by_decks_table, ladder_table, meetings_of, pairs_table
from clashsim.experiments.matchup_arguments import DeckSpec
from clashsim.experiments.matchup_manifest import check_options
from clashsim.experiments.result import Findings
from clashsim.experiments.speed import Speed, measure_speed
from clashsim.running import Progress, Tally

GAMES = 10_000
TABLES = ("ladder", "pairs", "by_decks")
METHOD = (
    "95 % intervals: Wilson on the effective number of games, stratified by pair of decks and who starts; beats_below: "
    "intervals made simultaneous over all pairs of policies (Bonferroni)"
)

OPTIONS: dict[str, tuple[type, ...]] = {
    "policy": (list, type(None)),
    "decks": (list, type(None)),
    "games": (int,),
    "seed": (int,),
    "rule": (list,),
    "cards": (str,),
}
"""Names and types of the options of a run, as a manifest keeps them."""


@dataclass(frozen=True, repr=False)
class Ladder:
    """What a run of policies against each other found; `clashsim columns` tells what the columns mean.

    Attributes
    ----------
    ladder : DataFrame
        One row per policy, the strongest first: mean score, Elo, whether it beats the one below.
    pairs : DataFrame
        One row per ordered pair of policies, over all pairs of decks.
    by_decks : DataFrame
        One row per pair of policies and ordered pair of decks.
    plan : DataFrame
        One row per condition.
    details : dict
        Seed, rules, cards, decks, policies and method, as the manifest has them.
    speeds : dict of Speed
        Of each policy against itself: measured, and so another every time.
    """

    ladder: pd.DataFrame
    pairs: pd.DataFrame
    by_decks: pd.DataFrame
    plan: pd.DataFrame
    details: dict[str, Any]
    speeds: Mapping[str, Speed] = field(default_factory=dict)

    def __repr__(self) -> str:
        rungs = " > ".join(self.ladder["policy"])
        return f"<Ladder {rungs}: {int(self.plan['games'].sum()):,} games; tables {', '.join(TABLES)}; findings()>"

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name."""
        return {name: getattr(self, name) for name in TABLES}

    @property
    def measured(self) -> dict[str, Any]:
        """The speeds, for the manifest."""
        return {"speed": {name: speed.as_dict() for name, speed in self.speeds.items()}}

    def findings(self) -> Findings:
        """Return the answers in sentences, with the tables and figures that show them."""
        return findings(self.tables, self.details, self.speeds)


class LadderPlan(GamesPlan[Duel, Ladder]):
    """A run of policies against each other that is checked and ready to start; see `result.Plan`."""

    games_name = "games of a ladder"

    @property
    def table_names(self) -> Sequence[str]:
        """The names of the tables that a run gives."""
        return TABLES

    @property
    def games_per_pair(self) -> int:
        """Games of each pair of policies."""
        return int(self.plan["games"].sum()) // (len(self.details["policies"]) * self._opponents // 2)

    def _result(self, tallies: Sequence[Tally]) -> Ladder:
        """Make the tables, and measure the speeds."""
        meetings = meetings_of(self.conditions, tallies)
        ladder = ladder_table(self.details["policies"], meetings)
        ranked = ladder["policy"].tolist()
        return Ladder(
            ladder=ladder,
            pairs=pairs_table(ranked, meetings),
            by_decks=by_decks_table(ranked, meetings),
            plan=self.plan,
            details=self.details,
            speeds=measure_speed(self._against_themselves()),
        )

    @property
    def _opponents(self) -> int:
        return len(self.details["policies"]) - 1

    def _against_themselves(self) -> dict[str, list[Duel]]:
        """Return every policy's duels against itself, all pairings and mirrors."""
        decks = {deck.name: deck for duel in self.conditions for deck in duel.decks}
        pairs = list(combinations_with_replacement(decks.values(), 2))
        first = self.conditions[0]
        return {
            policy.name: [Duel(pair, (policy, policy), first.rules, first.seed) for pair in pairs]
            for policy in self.policies
        }


def ladder(
    policies: Sequence[str] | None = None,
    *,
    games: int = GAMES,
    decks: Sequence[DeckSpec] | None = None,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Ladder:
    """Let all pairs of policies play each other over all pairs of decks, and rate them.

    Parameters
    ----------
    policies : sequence of str, optional
        At least two; by default those of the shipped ladder.
    games : int
        Games of each pair of policies in all, spread evenly over the ordered pairs of decks and rounded up so that
        each gets an even number.
    decks : sequence of decks, optional
        As in `matchups`.
    seed, rules, cards, jobs, progress
        As in `matchups`. All pairs of policies share their shuffles.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.
    """
    plan = plan_ladder(policies, games=games, decks=decks, seed=seed, rules=rules, cards=cards)
    return plan.run(jobs=jobs, progress=progress)


def plan_ladder(
    policies: Sequence[str] | None = None,
    *,
    games: int = GAMES,
    decks: Sequence[DeckSpec] | None = None,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
) -> LadderPlan:
    """Check the arguments of `ladder` and lay out its conditions, without playing."""
    card_set = arguments.check_card_set(cards)
    games = arguments.check_whole("games", games, 1, arguments.MOST_GAMES)
    seed = arguments.check_whole("seed", seed, 0, arguments.MOST_SEED)
    rules = arguments.check_rules(rules)
    specs = list(LADDER) if policies is None else arguments.specs_of(policies)
    players = load_policies(specs)
    if len(players) < 2:
        raise InputError(f"policies: {', '.join(specs) or 'none'} given; expected at least two to compare")
    chosen = arguments.load_decks(decks, card_set)
    duels, plan = lay_out(players, chosen, rules, seed, games)
    details = {"core": source_digest(), "seed": seed}
    details |= arguments.describe(card_set, chosen, [(policy, policy) for policy in players], rules, Target())
    details |= {"policy_files": arguments.digests(specs), "method": METHOD}
    files = arguments.input_files(decks, cards, card_set, specs)
    return LadderPlan(duels, plan, details, files=files)


def lay_out(
    policies: Sequence[Policy], decks: Sequence[Deck], rules: Rules, seed: int, games: int
) -> tuple[list[Duel], pd.DataFrame]:
    """Return the conditions: every pair of policies over every ordered pair of decks; and the plan.

    `games` are those of a pair of policies; each condition gets an even share of them, rounded up.
    """
    duels = [
        Duel(pair, players, rules, seed, pairing_group(*pair))
        for players in combinations(policies, 2)
        for pair in product(decks, decks)
    ]
    return duels, arguments.plan_of(duels, arguments.per_pair_of_decks(games, decks))


def plan_from_options(options: Mapping[str, Any]) -> LadderPlan:
    """Lay out the run that options name, as the command line takes them and a manifest keeps them."""
    check_options(options, OPTIONS)
    named = {name: value for name, value in options.items() if name not in ("rule", "policy")}
    return plan_ladder(options["policy"], rules=parse_rules(options["rule"]), **named)
