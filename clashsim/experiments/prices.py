"""Whether the cost formula behind the cards is right: cards varied one step at a time, in the same games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from clashsim.analysis.precision import Target, games_for
from clashsim.clash.cards import CardSet
from clashsim.clash.dealt import DealtDuel
from clashsim.clash.rules import Rules, parse_rules
from clashsim.clash.solos import BLOCKS
from clashsim.errors import InputError
from clashsim.experiments import card_values
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.card_steps import CardSteps, steps_of
from clashsim.experiments.games_plan import GamesPlan
from clashsim.experiments.matchup_manifest import check_options
from clashsim.experiments.price_findings import findings
from clashsim.experiments.price_tables import cards_table, judged, steps_table, terms_table
from clashsim.experiments.result import Findings
from clashsim.running import Progress, Tally
from clashsim.running.chunks import even
from clashsim.running.pilot import Pilot

TABLES = ("price_terms", "price_cards", "price_steps")
GAMES = 20_000
GAMES_OF_SEARCHERS = 4_000
POLICIES = ("greedy", "tactician")
"""Play where nobody is named: the second can use what cards pay for, the first shows what changes with skill."""

OPTIONS: dict[str, tuple[type, ...]] = {
    "card": (list, type(None)),
    "games": (int, type(None)),
    "policy": (str, list),
    "seed": (int,),
    "rule": (list,),
    "cards": (str,),
    "precision": (int, float, type(None)),
}
"""Names and types of the options of a run, as the command line takes and a manifest keeps them."""

METHOD = (
    "random decks, one with the card as it is and changed by one step, in the same games; 95 % intervals of steps: "
    "from joint counts game by game, adjusted (Agresti and Min); of means and ratios: delete-a-block jackknife over 40 "
    "blocks of game numbers (Fieller); verdicts: intervals made simultaneous over the terms of a kind (Bonferroni)"
)


@dataclass(frozen=True, repr=False)
class Prices:
    """What a price audit of cards found, as tables; `clashsim columns` tells what their columns mean.

    Attributes
    ----------
    price_terms : DataFrame
        One row per policy, kind of card and term of the cost formula.
    price_cards : DataFrame
        One row per policy and card.
    price_steps : DataFrame
        One row per policy, card and step.
    plan : DataFrame
        One row per condition that was played, with the number of games it got.
    details : dict
        Seed, rules, cards, policies and method, as the manifest has them.
    """

    price_terms: pd.DataFrame
    price_cards: pd.DataFrame
    price_steps: pd.DataFrame
    plan: pd.DataFrame
    details: dict[str, Any]

    def __repr__(self) -> str:
        games = int(self.plan["games"].sum())
        name = self.details["cards"]["name"]
        return f"<Prices of {name}: {games:,} games, each with every step; tables {', '.join(TABLES)}>"

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
class PricesPlan(GamesPlan[CardSteps, Prices]):
    """A price audit that is checked and ready to start; see `plan_prices` and `result.Plan`."""

    table_names: Sequence[str] = TABLES

    games_name: ClassVar[str] = "games of a price audit"

    def _expected_games(self, trial: Pilot) -> list[int]:
        caps = self.plan["games"].tolist()
        if self.target.precision is None:
            return caps
        typical = int(np.median([self._expected(row, tally) for row, tally in trial.tallies.items()]))
        return [min(cap, typical) for cap in caps]

    def _result(self, tallies: Sequence[Tally]) -> Prices:
        terms = terms_table(self.conditions, tallies)
        return Prices(
            terms,
            cards_table(self.conditions, tallies),
            steps_table(self.conditions, tallies),
            self.plan.assign(games=[int(tally["joint"][0].sum()) for tally in tallies]),
            self.details,
        )

    def _stop(self, row: int, tally: Tally) -> bool:
        return bool((judged(tally).half_width <= (self.target.precision or 0)).all())

    def _expected(self, row: int, tally: Tally) -> int:
        found = judged(tally)
        cap = int(self.plan["games"].iloc[row])
        return games_for(found.games, found.half_width, self.target.precision or 1, cap)


def prices(
    card: str | Sequence[str] | None = None,
    *,
    games: int | None = None,
    policy: str | Sequence[str] = POLICIES,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Prices:
    """Vary cards one step at a time in random decks, and compare what the steps are worth with the cost formula.

    Parameters
    ----------
    card : str or list of str, optional
        Names of cards; by default all of the set.
    games : int, optional
        Games per card and policy, each played once as it is and once with every step; at least 40, one per block. By
        default 20,000, and 4,000 where a policy searches; with `precision` the most, by default 10 million.
    precision : float, optional
        Play until the half-widths of all steps' 95 % intervals are at most this, in percentage points.
    policy, seed, rules, cards, jobs, progress
        As in `card_values`.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.
    """
    plan = plan_prices(
        [card] if isinstance(card, str) else card,
        games=games,
        policy=policy,
        seed=seed,
        rules=rules,
        cards=cards,
        precision=precision,
    )
    return plan.run(jobs=jobs, progress=progress)


def plan_prices(
    card: Sequence[str] | None = None,
    *,
    games: int | None = None,
    policy: str | Sequence[str] = POLICIES,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
) -> PricesPlan:
    """Check the arguments of `prices` and lay out its conditions, without playing."""
    card_set = arguments.check_card_set(cards)
    target = arguments.make_target(precision, until_decided=False)
    seed = arguments.check_whole("seed", seed, 0, arguments.MOST_SEED)
    rules = arguments.check_rules(rules)
    rungs, specs = arguments.load_rungs(policy, None), arguments.specs_of(policy)
    if games is None:
        searches = any(policy.searches for players in rungs for policy in players)
        games = arguments.GAMES_AT_MOST if target != Target() else GAMES_OF_SEARCHERS if searches else GAMES
    games = arguments.check_whole("games", games, BLOCKS, arguments.MOST_GAMES)
    if card is not None and not (isinstance(card, Sequence) and all(isinstance(name, str) for name in card)):
        raise InputError(f"card is {card!r}; expected a name or a list of them, such as ['TROLL', 'OGRE']")
    chosen = [card_set.find(name) for name in card] if card else list(card_set.cards)
    for one in chosen:
        if chosen.count(one) > 1:
            raise InputError(f"card {one.name} is given twice; expected different ones")
    conditions = [
        CardSteps(DealtDuel(card_set, players, rules, seed, held=one.name), tuple(steps_of(one)))
        for players in rungs
        for one in chosen
    ]
    plan = {
        "condition": range(len(conditions)),
        "policy": [steps.policies[0].name for steps in conditions],
        "card": [steps.card.name for steps in conditions],
        "group": [steps.base.random_group for steps in conditions],
        "games": even(games),
    }
    details = card_values.describe(card_set, rungs, specs, rules, seed, METHOD)
    files = arguments.input_files(None, cards, card_set, specs)
    return PricesPlan(conditions, pd.DataFrame(plan), details, target, files)


def plan_from_options(options: Mapping[str, Any]) -> PricesPlan:
    """Lay out the run that options name, as the command line takes them and a manifest keeps them."""
    check_options(options, OPTIONS)
    named = {name: value for name, value in options.items() if name != "rule"}
    return plan_prices(rules=parse_rules(options["rule"]), **named)


def check_manifest(manifest: Mapping[str, Any]) -> None:
    """Make sure that a manifest of a price audit has the form that `plan_prices` gives it.

    Raises
    ------
    InputError
        Names the entry, and what was expected.
    """
    card_values.check_manifest(manifest, OPTIONS)
