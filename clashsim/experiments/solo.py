"""Solo games: a deck against the AI, under one setting, all settings of a price, or all 480 (R32-R39)."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar

import pandas as pd

from clashsim.analysis.precision import expected_games
from clashsim.clash.cards import CardSet
from clashsim.clash.core.jit import source_digest
from clashsim.clash.policies import DEFAULT
from clashsim.clash.rules import Rules, parse_rules
from clashsim.clash.solo_settings import SoloSettings, all_settings
from clashsim.clash.solos import BLOCKS, Solo
from clashsim.experiments import matchup_arguments
from clashsim.experiments import solo_arguments as arguments
from clashsim.experiments.games_plan import GamesPlan
from clashsim.experiments.matchup_arguments import DeckSpec
from clashsim.experiments.matchup_manifest import check_options
from clashsim.experiments.result import Findings
from clashsim.experiments.solo_audit import TABLES as AUDIT_TABLES
from clashsim.experiments.solo_audit import audit
from clashsim.experiments.solo_findings import findings
from clashsim.experiments.solo_tables import blocks_of, plays_table, results_of, settings_table
from clashsim.running import Progress, Tally
from clashsim.running.pilot import Pilot

GAMES = 20_000
GAMES_OF_SEARCHERS = 2_000
SWEEP_GAMES = 1_000
SWEEP_POLICY = "tactician"
"""Plays a sweep where nobody is named: eight times as fast as `planner`, and no cheaper one wins often enough."""

TABLES = ("solo_settings", "solo_plays")
SKILL = "solo_skill"
SWEEP_TABLES = ("solo_settings", *(name for name in AUDIT_TABLES if name not in ("solo_settings", SKILL)))
"""The tables of every sweep; one of several policies has the table `SKILL` as well."""


@dataclass(frozen=True, repr=False)
class SoloResult:
    """What a run of solo games found, as tables; `clashsim columns` tells what their columns mean.

    Attributes
    ----------
    tables : dict of DataFrame
        `solo_settings` has one row per deck, policy and setting; a sweep has those of its price audit as well
        (`solo_audit.audit`). Each is an attribute, too.
    plan : DataFrame
        One row per condition that was played, with the number of games it got.
    details : dict
        Seed, rules, cards, decks, policies and method, as the manifest has them.
    """

    tables: dict[str, pd.DataFrame]
    plan: pd.DataFrame
    details: dict[str, Any]

    def __getattr__(self, name: str) -> pd.DataFrame:
        tables = self.__dict__.get("tables", {})  # a copy that is being made has none yet
        if name in (*TABLES, *SWEEP_TABLES, SKILL) and name in tables:
            return tables[name]
        raise AttributeError(f"{name!r}: expected one of {', '.join(tables)}")

    def __repr__(self) -> str:
        games = int(self.plan["games"].sum())
        return f"<Solo games of {', '.join(self.details['decks'])}: {games:,} games; tables {', '.join(self.tables)}>"

    @property
    def measured(self) -> dict[str, Any]:
        """Nothing but the time of the run, which the manifest has anyway."""
        return {}

    def findings(self) -> Findings:
        """Return the answers in sentences, with the tables and figures that show them."""
        return findings(self.tables, self.details)


@dataclass(frozen=True)
class SoloPlan(GamesPlan[Solo, SoloResult]):
    """A run of solo games that is checked and ready to start; see `plan_solo`, `plan_sweep` and `result.Plan`."""

    table_names: Sequence[str] = TABLES

    games_name: ClassVar[str] = "solo games"

    def _kind(self, condition: Solo) -> Hashable:
        return condition.policy.name, condition.deck_name

    def _expected_games(self, trial: Pilot) -> list[int]:
        return [
            expected_games(
                self.target, results_of(trial.tallies[row]) if row in trial.tallies else None, 1, cap
            )
            for row, cap in enumerate(self.plan["games"].tolist())
        ]

    def _result(self, tallies: Sequence[Tally]) -> SoloResult:
        tables = {
            "solo_settings": settings_table(self.conditions, tallies, self.target),
            "solo_plays": plays_table(self.conditions, tallies),
        }
        if is_audited(self.table_names):
            audited = audit(tables["solo_settings"], blocks_of(tallies))
            # Which settings are hardly ever won is judged from all of them together.
            tables["solo_settings"]["mark"] = audited["solo_settings"]["mark"]
            tables = audited | tables
        games = [int(tally["results"].sum()) for tally in tallies]
        return SoloResult(
            {name: tables[name] for name in self.table_names}, self.plan.assign(games=games), self.details
        )

    def _stop(self, row: int, tally: Tally) -> bool:
        return self.target.reason(results_of(tally), 1) != ""


def is_audited(table_names: Sequence[str]) -> bool:
    """Tell whether some of these tables come from a price audit only."""
    return bool(set(table_names) - set(TABLES))


def solo(
    deck: DeckSpec | Sequence[DeckSpec] = arguments.ALL,
    settings: SoloSettings | Iterable[SoloSettings] | None = None,
    *,
    games: int | None = None,
    policy: str | Sequence[str] = DEFAULT,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> SoloResult:
    """Play solo games: a deck against the AI, which has all other cards.

    Parameters
    ----------
    deck : deck or list of decks
        Each a label of the card set, the path of a TOML file, "draft" or "draft:random" (R42), or "all" for all decks
        of the card set.
    settings : SoloSettings or several of them, optional
        By default the quick game.
    games : int, optional
        Games per deck, policy and setting; an odd number is rounded up. By default 20,000, and 2,000 where a policy
        searches; with `precision` the most that each gets, by default 10 million.
    policy, seed, rules, cards, precision, jobs, progress
        As in `matchups`; `precision` is that of the win rate.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.
    """
    chosen = arguments.check_settings(SoloSettings() if settings is None else settings)
    plan = plan_solo(
        _listed(deck),
        chosen,
        games=games,
        policy=policy,
        seed=seed,
        rules=rules,
        cards=cards,
        precision=precision,
    )
    return plan.run(jobs=jobs, progress=progress)


def solo_sweep(
    deck: DeckSpec | Sequence[DeckSpec] = arguments.ALL,
    *,
    games: int | None = None,
    policy: str | Sequence[str] = SWEEP_POLICY,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> SoloResult:
    """Play all 480 settings, and audit their prices.

    Parameters
    ----------
    games : int, optional
        Games per deck, policy and setting, by default 1,000; at least 40, one per block.
    deck, policy, seed, rules, cards, precision, jobs, progress
        As in `solo`.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.
    """
    plan = plan_sweep(
        _listed(deck), games=games, policy=policy, seed=seed, rules=rules, cards=cards, precision=precision
    )
    return plan.run(jobs=jobs, progress=progress)


def plan_solo(
    deck: Sequence[DeckSpec] | None,
    settings: Sequence[SoloSettings],
    *,
    games: int | None = None,
    policy: str | Sequence[str] = DEFAULT,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
) -> SoloPlan:
    """Check the arguments of `solo` and lay out its conditions, without playing."""
    searches = any(player.searches for player in arguments.load_players(policy))
    default = GAMES_OF_SEARCHERS if searches else GAMES
    return _plan(deck, settings, TABLES, default, games, policy, seed, rules, cards, precision)


def plan_sweep(
    deck: Sequence[DeckSpec] | None,
    *,
    games: int | None = None,
    policy: str | Sequence[str] = SWEEP_POLICY,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
) -> SoloPlan:
    """Check the arguments of `solo_sweep` and lay out its conditions, without playing."""
    if games is not None:
        matchup_arguments.check_whole("games", games, BLOCKS, matchup_arguments.MOST_GAMES)
    settings = list(all_settings())
    several = len(arguments.load_players(policy)) > 1
    tables = (*SWEEP_TABLES, SKILL) if several else SWEEP_TABLES
    return _plan(deck, settings, tables, SWEEP_GAMES, games, policy, seed, rules, cards, precision)


def _plan(
    deck: Sequence[DeckSpec] | None,
    settings: Sequence[SoloSettings],
    tables: Sequence[str],
    default_games: int,
    games: int | None,
    policy: str | Sequence[str],
    seed: int,
    rules: Rules | None,
    cards: str | PathLike[str] | CardSet,
    precision: float | None,
) -> SoloPlan:
    card_set = matchup_arguments.check_card_set(cards)
    target = matchup_arguments.make_target(precision, until_decided=False)
    seed = matchup_arguments.check_whole("seed", seed, 0, matchup_arguments.MOST_SEED)
    rules = matchup_arguments.check_rules(rules)
    decks = arguments.load_player_decks(deck, card_set)
    players, specs = arguments.load_players(policy), matchup_arguments.specs_of(policy)
    games = arguments.check_games(games, target, default_games)
    solos, plan = arguments.lay_out(card_set, decks, players, settings, rules, seed, games)
    details = {"core": source_digest(), "seed": seed}
    method = arguments.AUDIT_METHOD if is_audited(tables) else arguments.METHOD
    details |= arguments.describe(card_set, solos, specs, rules, method)
    files = arguments.input_files(deck, cards, card_set, specs)
    return SoloPlan(solos, plan, details, target, files, tables)


def plan_from_options(options: Mapping[str, Any]) -> SoloPlan:
    """Lay out the run of `solo` that options name, as the command line takes them and a manifest keeps them."""
    check_options(options, arguments.OPTIONS)
    rules = parse_rules(options["rule"], solo=True)
    changes = {
        name: options[name] for name in ("variable", "fixed", "first", "bastion", "resistance", "ability")
    }
    settings = arguments.choose_settings(
        options["preset"], changes, options["level"], options["points"], rules
    )
    return plan_solo(settings=settings, rules=rules, **_shared(options))


def sweep_from_options(options: Mapping[str, Any]) -> SoloPlan:
    """Lay out the run of `solo-sweep` that options name."""
    check_options(options, arguments.SWEEP_OPTIONS)
    return plan_sweep(rules=parse_rules(options["rule"], solo=True), **_shared(options))


def _shared(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("deck", "games", "policy", "seed", "cards", "precision")}


def _listed(deck: DeckSpec | Sequence[DeckSpec]) -> list[Any]:
    """Return one deck, or several, as a list."""
    if isinstance(deck, str | int | PathLike) or not isinstance(deck, Sequence):
        return [deck]
    return list(deck)
