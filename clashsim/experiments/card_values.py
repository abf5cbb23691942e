"""What each card is worth: games between decks that are dealt at random, counted by the cards in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar

import pandas as pd

from clashsim.analysis.precision import Target, games_for
from clashsim.clash.cards import CardSet, Deck, differences, load_cards
from clashsim.clash.core.jit import source_digest
from clashsim.clash.dealt import DealtDuel
from clashsim.clash.policies import DEFAULT
from clashsim.clash.rules import SWITCHES, Rules, parse_rules
from clashsim.errors import InputError
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.card_findings import findings
from clashsim.experiments.card_tables import judged, swaps_table, synergies_table, values_table
from clashsim.experiments.games_plan import GamesPlan
from clashsim.experiments.matchup_manifest import DETAILS, check_options
from clashsim.experiments.result import Findings
from clashsim.running import Progress, Tally
from clashsim.running.chunks import even
from clashsim.running.pilot import Pilot

TABLES = ("card_values", "card_synergies", "card_swaps")
GAMES = 1_000_000
GAMES_OF_SEARCHERS = 20_000  # good for one point

OPTIONS: dict[str, tuple[type, ...]] = {
    "games": (int, type(None)),
    "policy": (str, list),
    "seed": (int,),
    "rule": (list,),
    "cards": (str,),
    "two_kits": (bool,),
    "precision": (int, float, type(None)),
}
"""Names and types of the options of a run, as the command line takes and a manifest keeps them."""

METHOD = (
    "decks dealt at random; 95 % intervals of values: Wilson on the effective number of games, game by game, "
    "stratified by who starts; verdicts on cards: intervals made simultaneous over the cards (Bonferroni); pairs of "
    "cards: difference of differences, Benjamini-Hochberg"
)


@dataclass(frozen=True, repr=False)
class CardValues:
    """What a run of random decks found, as tables; `clashsim columns` tells what their columns mean.

    Attributes
    ----------
    card_values : DataFrame
        One row per policy and card, the best first.
    card_synergies : DataFrame
        One row per policy and pair of cards, the surest first.
    card_swaps : DataFrame
        One row per policy, deck of the card set, and swap of one of its cards.
    plan : DataFrame
        One row per condition that was played, with the number of games it got.
    details : dict
        Seed, rules, cards, policies and method, as the manifest has them.
    """

    card_values: pd.DataFrame
    card_synergies: pd.DataFrame
    card_swaps: pd.DataFrame
    plan: pd.DataFrame
    details: dict[str, Any]

    def __repr__(self) -> str:
        games = int(self.plan["games"].sum())
        return (
            f"<Card values of {self.details['cards']['name']}: {games:,} games; tables {', '.join(TABLES)}>"
        )

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
        return findings(self.tables, self.details["two_kits"])


@dataclass(frozen=True)
class CardValuesPlan(GamesPlan[DealtDuel, CardValues]):
    """A run of random decks that is checked and ready to start; see `plan_card_values` and `result.Plan`."""

    decks: Sequence[Deck] = ()
    table_names: Sequence[str] = TABLES

    games_name: ClassVar[str] = "games of random decks"

    def _expected_games(self, trial: Pilot) -> list[int]:
        return [
            self._expected(trial.tallies.get(row), cap) for row, cap in enumerate(self.plan["games"].tolist())
        ]

    def _result(self, tallies: Sequence[Tally]) -> CardValues:
        return CardValues(
            values_table(self.conditions, tallies),
            synergies_table(self.conditions, tallies),
            swaps_table(self.conditions, tallies, self.decks),
            self.plan.assign(games=[int(tally["results"].sum()) for tally in tallies]),
            self.details,
        )

    def _stop(self, row: int, tally: Tally) -> bool:
        return bool((judged(tally).half_width <= (self.target.precision or 0)).all())

    def _expected(self, tally: Tally | None, cap: int) -> int:
        """Return the first look at which all intervals are narrow enough: scores are near 1/2."""
        if self.target.precision is None:
            return cap
        share = (
            0.5 if tally is None else float(tally["holding"].sum(axis=(1, 2)).mean() / tally["results"].sum())
        )
        return games_for(1 / share, 0.98, self.target.precision, cap)


def card_values(
    *,
    games: int | None = None,
    policy: str | Sequence[str] = DEFAULT,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    two_kits: bool = False,
    precision: float | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> CardValues:
    """Play random decks against each other, and tell what each card is worth.

    Parameters
    ----------
    games : int, optional
        Games per policy; an odd number is rounded up. By default a million, and 20,000 where a policy searches; with
        `precision` the most, by default 10 million.
    policy : str or list of str
        Who plays both sides, the weakest first.
    two_kits : bool
        Deal each side from a kit of its own, so that both may have a card; else all 16 cards are different.
    precision : float, optional
        Play until the half-widths of all values' 95 % intervals are at most this, in percentage points.
    seed, rules, cards, jobs, progress
        As in `matchups`.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.

    Examples
    --------
    >>> import clashsim as cs
    >>> found = cs.card_values(games=1000, policy="random")
    >>> len(found.card_values), len(found.card_synergies)
    (32, 496)
    """
    plan = plan_card_values(
        games=games,
        policy=policy,
        seed=seed,
        rules=rules,
        cards=cards,
        two_kits=two_kits,
        precision=precision,
    )
    return plan.run(jobs=jobs, progress=progress)


def plan_card_values(
    *,
    games: int | None = None,
    policy: str | Sequence[str] = DEFAULT,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    two_kits: bool = False,
    precision: float | None = None,
) -> CardValuesPlan:
    """Check the arguments of `card_values` and lay out its conditions, without playing."""
    if not isinstance(two_kits, bool):
        raise InputError(f"two_kits is {two_kits!r}; expected True or False")
    card_set = arguments.check_card_set(cards)
    target = arguments.make_target(precision, until_decided=False)
    seed = arguments.check_whole("seed", seed, 0, arguments.MOST_SEED)
    rules = arguments.check_rules(rules)
    rungs, specs = arguments.load_rungs(policy, None), arguments.specs_of(policy)
    searches = any(policy.searches for players in rungs for policy in players)
    if games is None:
        games = arguments.GAMES_AT_MOST if target != Target() else GAMES_OF_SEARCHERS if searches else GAMES
    games = arguments.check_whole("games", games, 1, arguments.MOST_GAMES)
    duels = [DealtDuel(card_set, players, rules, seed, two_kits=two_kits) for players in rungs]
    plan = {
        "condition": range(len(duels)),
        "policy": [duel.policies[0].name for duel in duels],
        "group": [duel.random_group for duel in duels],
        "games": even(games),
    }
    details = describe(card_set, rungs, specs, rules, seed, METHOD) | {"two_kits": two_kits}
    files = arguments.input_files(None, cards, card_set, specs)
    return CardValuesPlan(duels, pd.DataFrame(plan), details, target, files, list(card_set.decks.values()))


def describe(
    cards: CardSet,
    rungs: Sequence[arguments.Players],
    specs: Sequence[str],
    rules: Rules,
    seed: int,
    method: str,
) -> dict[str, Any]:
    """Return what decides the games of random decks besides the plan, and how they are counted, for the manifest."""
    return {
        "core": source_digest(),
        "seed": seed,
        "rules": {name: value for name, value in rules.as_dict().items() if not SWITCHES[name].solo},
        "cards": {"name": cards.name, "hash": cards.hash},
        "changed_cards": differences(cards, load_cards()),
        "policies": [policy.name for policy, _ in rungs],
        "policy_files": arguments.digests(specs),
        "method": method,
    }


def plan_from_options(options: Mapping[str, Any]) -> CardValuesPlan:
    """Lay out the run that options name, as the command line takes them and a manifest keeps them."""
    check_options(options, OPTIONS)
    named = {name: value for name, value in options.items() if name != "rule"}
    return plan_card_values(rules=parse_rules(options["rule"]), **named)


def check_manifest(
    manifest: Mapping[str, Any], expected_options: Mapping[str, tuple[type, ...]] = OPTIONS
) -> None:
    """Make sure that a manifest of a run of random decks has the form that `plan_card_values` gives it.

    Raises
    ------
    InputError
        Names the entry, and what was expected.
    """
    check_options(manifest["options"], expected_options)
    for name in ("rules", "cards", "changed_cards", "policies", "policy_files", "method"):
        fits, expected = DETAILS[name]
        if name not in manifest or not fits(manifest[name]):
            raise InputError(f"{name} is {str(manifest.get(name))[:40]!r}; expected {expected}")
    for number, row in enumerate(manifest["plan"]):
        for name in ("policy", "group"):
            if not isinstance(row.get(name), str):
                raise InputError(
                    f"plan, row {number}: {name} is {str(row.get(name))[:40]!r}; expected a text"
                )
