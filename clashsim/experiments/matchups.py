"""Decks against each other: every pairing and mirror, by how much each wins, and what going first is worth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from clashsim.analysis.precision import expected_games
from clashsim.clash.cards import CardSet
from clashsim.clash.core.jit import source_digest
from clashsim.clash.duels import Duel
from clashsim.clash.policies import DEFAULT
from clashsim.clash.rules import Rules, parse_rules
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.game_records import SCHEMA, pack, to_arrow
from clashsim.experiments.games_plan import GamesPlan
from clashsim.experiments.health_tables import health_table, plays_table
from clashsim.experiments.matchup_arguments import DeckSpec
from clashsim.experiments.matchup_findings import findings
from clashsim.experiments.matchup_manifest import check_options
from clashsim.experiments.matchup_tables import (
    first_player_table,
    is_mirror,
    judged_results,
    matchup_table,
    pool_table,
)
from clashsim.experiments.rating_tables import equilibrium_table, ratings_table
from clashsim.experiments.result import Findings
from clashsim.experiments.rungs import MakeTable, comparisons_by_row, rungs_of, table_of_rungs
from clashsim.experiments.skill_tables import SKILL, skill_table
from clashsim.running import Progress, RecordStore, Tally
from clashsim.running.pilot import Pilot

TABLES = ("matchups", "pool", "ratings", "equilibrium", "first_player", "health", "plays")
"""The tables of every run; one of several policies has the table `SKILL` as well."""


@dataclass(frozen=True, repr=False)
class Matchups:
    """What a run of matchups found, as tables; `clashsim columns` tells what their columns mean.

    Attributes
    ----------
    matchups : DataFrame
        One row per ordered pair of decks; half of those between equal policies are derived from the other
        half.
    pool : DataFrame
        One row per deck: its mean score against the others.
    ratings : DataFrame
        One row per deck: its Elo rating, whom it beats, and whether one number per deck describes the matchups.
    equilibrium : DataFrame
        One row per deck: its share in the mix of decks that no deck beats.
    first_player : DataFrame
        One row per pairing that was played, and the mean over them: what going first is worth.
    health : DataFrame
        One row per pairing that was played: draws, length, when the Bastions fall, unspent mana.
    plays : DataFrame
        One row per deck, policy and card: how often it is played.
    skill : DataFrame
        With several policies one row per number and policy: how it moves from policy to policy; else empty.
    plan : DataFrame
        One row per condition that was played, with the number of games it got.
    details : dict
        Seed, rules, cards, decks, policies and method, as the manifest has them.
    """

    matchups: pd.DataFrame
    pool: pd.DataFrame
    ratings: pd.DataFrame
    equilibrium: pd.DataFrame
    first_player: pd.DataFrame
    health: pd.DataFrame
    plays: pd.DataFrame
    skill: pd.DataFrame
    plan: pd.DataFrame
    details: dict[str, Any]

    def __repr__(self) -> str:
        decks = ", ".join(self.details["decks"])
        games = int(self.plan["games"].sum())
        return f"<Matchups of {decks}: {games:,} games; tables {', '.join(self.tables)}; findings()>"

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name."""
        return {name: getattr(self, name) for name in table_names(self.details)}

    @property
    def measured(self) -> dict[str, Any]:
        """Nothing but the time of the run, which the manifest has anyway."""
        return {}

    def findings(self) -> Findings:
        """Return the answers in sentences, with the tables and figures that show them."""
        return findings(self.tables, self.details)


def table_names(details: Mapping[str, Any]) -> Sequence[str]:
    """Return the names of the tables that a run with these details gives."""
    return (*TABLES, SKILL) if len(details["policies"]) > 1 else TABLES


class MatchupPlan(GamesPlan[Duel, Matchups]):
    """A run of matchups that is checked and ready to start; see `plan_matchups` and `result.Plan`."""

    keeps_games = True

    @property
    def table_names(self) -> Sequence[str]:
        """The names of the tables that a run gives."""
        return table_names(self.details)

    def _expected_games(self, trial: Pilot) -> list[int]:
        games = []
        for row, duel in enumerate(self.conditions):
            tally = trial.tallies.get(row)
            results = None if tally is None else judged_results(duel, tally)
            cap = int(self.plan["games"].iloc[row])
            games.append(
                expected_games(self.target, results, self._comparisons[row], cap, even=is_mirror(duel))
            )
        return games

    def _result(self, tallies: Sequence[Tally]) -> Matchups:
        tables: dict[str, MakeTable] = {
            "matchups": partial(matchup_table, target=self.target),
            "pool": partial(pool_table, target=self.target),
            "ratings": partial(ratings_table, target=self.target),
            "equilibrium": partial(equilibrium_table, seed=self.details["seed"]),
            "first_player": partial(first_player_table, target=self.target),
            "health": health_table,
            "plays": plays_table,
        }
        made = {name: table_of_rungs(make, self.conditions, tallies) for name, make in tables.items()}
        return Matchups(
            **made,
            skill=skill_table(made, rungs_of(self.details), list(self.details["decks"])),
            plan=self.plan.assign(games=[int(tally["results"].sum()) for tally in tallies]),
            details=self.details,
        )

    def write_games(self, records: RecordStore, games: Sequence[int], path: Path, run: str) -> None:
        """Write the first games of each condition, as many as `games` says, into one Parquet file."""

        def rows_of(row: int, first_game: int, kept: np.ndarray) -> Any:
            return to_arrow(self.conditions[row], first_game, kept).replace_schema_metadata(schema.metadata)

        schema = SCHEMA.with_metadata({"clashsim-run": run})
        records.assemble(path, games, rows_of, schema, ascending=["game"])

    @cached_property
    def _comparisons(self) -> list[int]:
        return comparisons_by_row(self.conditions)

    def _simulate_and_keep(
        self, condition: Mapping[str, Any], first_game: int, n_games: int
    ) -> tuple[Tally, np.ndarray]:
        duel = self.conditions[condition["condition"]]
        outcomes, totals = duel.outcomes(first_game, n_games)
        return duel.count(first_game, outcomes, totals), pack(outcomes)

    def _stop(self, row: int, tally: Tally) -> bool:
        duel = self.conditions[row]
        results = judged_results(duel, tally)
        return self.target.reason(results, self._comparisons[row], even=is_mirror(duel)) != ""


def matchups(
    decks: Sequence[DeckSpec] | None = None,
    *,
    games: int | None = None,
    policy: str | Sequence[str] = DEFAULT,
    vs_policy: str | None = None,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
    until_decided: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Matchups:
    """Play decks against each other.

    Parameters
    ----------
    decks : sequence of decks, optional
        Labels of the card set, paths of TOML files, or lists of eight card names. By default all decks of the
        card set.
    games : int, optional
        Games per condition, half of them started by each side; an odd number is rounded up. By default 20,000,
        and 2,000 where a policy searches. With
        `precision` or `until_decided` the most that a condition gets, by default 10 million.
    policy : str or sequence of str
        Who plays the decks: a name, or one with a file, such as ``"planner:my.toml"``. With several policies each
        plays the same games as in a run of its own, the tables have the rows of all of them, and `skill` tells how the
        numbers move from policy to policy; order them by strength, the weakest first.
    vs_policy : str, optional
        The opponent of every policy, by default the policy itself. Between equal policies each pairing and each mirror
        is played once; between different ones every ordered pair, side A by `policy`, side B by `vs_policy`.
    seed : int
        The same seed gives the same tables, whatever the number of threads.
    rules : Rules, optional
        Other readings of the rules.
    cards : str, path or CardSet
    precision : float, optional
        Play each pairing until the half-width of its score's 95 % interval is at most this, in percentage points.
    until_decided : bool
        Play each pairing until its verdict is settled (or precise enough, if `precision` is given too).
    jobs : int, optional
        Threads; all cores by default.
    progress : Progress, optional
        Told how far the run is.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.

    Examples
    --------
    >>> import clashsim as cs
    >>> result = cs.matchups(games=1000, policy="greedy", seed=1)
    >>> list(result.pool.columns[:2])
    ['deck', 'policy']
    """
    plan = plan_matchups(
        decks,
        games=games,
        policy=policy,
        vs_policy=vs_policy,
        seed=seed,
        rules=rules,
        cards=cards,
        precision=precision,
        until_decided=until_decided,
    )
    return plan.run(jobs=jobs, progress=progress)


def plan_matchups(
    decks: Sequence[DeckSpec] | None = None,
    *,
    games: int | None = None,
    policy: str | Sequence[str] = DEFAULT,
    vs_policy: str | None = None,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
    until_decided: bool = False,
) -> MatchupPlan:
    """Check the arguments of `matchups` and lay out its conditions, without playing."""
    card_set = arguments.check_card_set(cards)
    target = arguments.make_target(precision, until_decided)
    seed = arguments.check_whole("seed", seed, 0, arguments.MOST_SEED)
    rules = arguments.check_rules(rules)
    chosen = arguments.load_decks(decks, card_set)
    rungs, specs = arguments.load_rungs(policy, vs_policy), arguments.specs_of(policy, vs_policy)
    games = arguments.check_games(games, target, rungs)
    duels, plan = arguments.lay_out(chosen, rungs, rules, seed, games)
    details = {"core": source_digest(), "seed": seed}
    details |= arguments.describe(card_set, chosen, rungs, rules, target)
    details["policy_files"] = arguments.digests(specs)
    return MatchupPlan(duels, plan, details, target, arguments.input_files(decks, cards, card_set, specs))


def plan_from_options(options: Mapping[str, Any]) -> MatchupPlan:
    """Lay out the run that options name, as the command line takes them and a manifest keeps them."""
    check_options(options)
    named = {name: value for name, value in options.items() if name != "rule"}
    return plan_matchups(rules=parse_rules(options["rule"]), **named)
