"""Two constructed decks against each other: ten cards a side, of which the other side removes two (R41)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, ClassVar

import pandas as pd

from clashsim.analysis.precision import expected_games
from clashsim.clash.cards import CardSet, Deck
from clashsim.clash.drafting import Worths
from clashsim.clash.policies import DEFAULT
from clashsim.clash.rules import Rules, parse_rules
from clashsim.clash.tens import TensDuel, load_ten
from clashsim.errors import InputError
from clashsim.experiments import card_values
from clashsim.experiments import constructed_arguments as tens
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.constructed_findings import findings
from clashsim.experiments.constructed_tables import bans_table, scores_table
from clashsim.experiments.games_plan import Playable
from clashsim.experiments.matchup_manifest import check_options
from clashsim.experiments.result import Findings
from clashsim.experiments.staged_plan import StagedPlan
from clashsim.running import Progress, Tally
from clashsim.running.chunks import even
from clashsim.running.pilot import Pilot

TABLES = ("constructed", "constructed_bans")

OPTIONS: dict[str, tuple[type, ...]] = {
    "deck_a": (str,),
    "deck_b": (str,),
    "bans": (str,),
    "vs_bans": (str, type(None)),
    "values": (str, type(None)),
    "value_games": (int, type(None)),
    "games": (int, type(None)),
    "policy": (str, list),
    "seed": (int,),
    "rule": (list,),
    "cards": (str,),
    "precision": (int, float, type(None)),
}
"""Names and types of the options of a run, as the command line takes and a manifest keeps them."""

METHOD = (
    "constructed decks (R41); 95 % intervals of scores: Wilson on the effective number of games, stratified by who "
    "starts; verdicts: simultaneous over the policies (Bonferroni), band 47.5-52.5 %; what a ban is worth: games with "
    "it less games without it, MOVER, verdicts simultaneous over the cards of both tens (Bonferroni)"
)


@dataclass(frozen=True, repr=False)
class ConstructedPlay:
    """What games of two constructed decks tell, as tables; `clashsim columns` tells what their columns mean.

    Attributes
    ----------
    constructed : DataFrame
        One row per policy.
    constructed_bans : DataFrame
        One row per policy, side and card of its ten.
    plan : DataFrame
        One row per condition that was played, with the number of games it got.
    details : dict
        Seed, rules, cards, tens, policies and method, as the manifest has them.
    """

    constructed: pd.DataFrame
    constructed_bans: pd.DataFrame
    plan: pd.DataFrame
    details: dict[str, Any]

    def __repr__(self) -> str:
        games = int(self.constructed["games"].sum())
        names = " against ".join(self.details["tens"])
        return f"<Constructed {names}: {games:,} games; tables {', '.join(TABLES)}>"

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
class ConstructedPlan(StagedPlan[Playable, ConstructedPlay]):
    """A run of two constructed decks that is checked and ready to start; see `plan_constructed` and `result.Plan`.

    Its first rows measure card values, one for each policy, if bans go by them and no file has them; then comes a row
    of games for each policy.
    """

    duels: Sequence[TensDuel] = ()
    table_names: Sequence[str] = TABLES

    games_name: ClassVar[str] = "games of constructed decks"

    @property
    def first_duel(self) -> int:
        """The row of the first policy's games."""
        return len(self.conditions) - len(self.duels)

    def _kind(self, condition: Playable) -> str:
        return f"{type(condition).__name__} {condition.policies}"

    def _prepare(self, rows: range, tallies: Sequence[Tally]) -> Sequence[Playable]:
        if rows.start < self.first_duel:
            return self.conditions[rows.start : rows.stop]
        return self._judged(tallies)

    def _judged(self, tallies: Sequence[Tally]) -> list[TensDuel]:
        """Return the games with what has been measured before them."""
        if self.first_duel == 0:
            return list(self.duels)
        return [
            _judged_by(duel, tens.measured_worths(tally))
            for duel, tally in zip(self.duels, tallies[: self.first_duel], strict=True)
        ]

    def _expected_games(self, trial: Pilot) -> list[int]:
        games = self.plan["games"].tolist()
        for row in range(self.first_duel, len(games)):
            tally = trial.tallies.get(row)
            results = None if tally is None else tally["results"]
            games[row] = expected_games(self.target, results, len(self.duels), games[row])
        return games

    def _stop(self, row: int, tally: Tally) -> bool:
        return row >= self.first_duel and self.target.reason(tally["results"], len(self.duels)) != ""

    def _result(self, tallies: Sequence[Tally]) -> ConstructedPlay:
        duels, played = self._judged(tallies), tallies[self.first_duel :]
        return ConstructedPlay(
            scores_table(duels, played, self.target),
            bans_table(duels, played),
            self.plan.assign(games=[int(tally["results"].sum()) for tally in tallies]),
            self.details,
        )


def constructed_play(
    deck_a: arguments.DeckSpec,
    deck_b: arguments.DeckSpec,
    *,
    bans: str = tens.DEFAULT_BANS,
    vs_bans: str | None = None,
    values: str | PathLike[str] | None = None,
    value_games: int | None = None,
    games: int | None = None,
    policy: str | Sequence[str] = DEFAULT,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> ConstructedPlay:
    """Play two constructed decks against each other: ten cards each, of which the other side removes two (R41).

    Parameters
    ----------
    deck_a, deck_b : path, list of str or Deck
        TOML files with ten names of cards, or these themselves; they may share cards, but not a name.
    bans : str
        How both sides remove cards: "value" the one of the highest worth, "random" any with equal chances.
    vs_bans : str, optional
        How side B does, if otherwise.
    values : path, optional
        A CSV file of card values for "value"; by default they are measured first, in random decks.
    value_games : int, optional
        Games per policy that measure them; by default 200,000, and 20,000 where a policy searches.
    games : int, optional
        Games per policy; by default 20,000, and 2,000 where a policy searches; with `precision` the most.
    policy : str or list of str
        Who plays both sides, the weakest first.
    precision : float, optional
        Play until the half-width of the score's 95 % interval is at most this, in percentage points.
    seed, rules, cards, jobs, progress
        As in `matchups`.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.

    Examples
    --------
    >>> import clashsim as cs
    >>> names = [card.name for card in cs.load_cards().cards]
    >>> tens = [cs.Deck(name, tuple(cs.load_cards()[card] for card in ten)) for name, ten in
    ...         (("one", names[:10]), ("two", names[10:20]))]
    >>> found = cs.constructed_play(*tens, bans="random", games=1000, policy="greedy")
    >>> len(found.constructed), len(found.constructed_bans)
    (1, 20)
    """
    plan = plan_constructed(
        deck_a,
        deck_b,
        bans=bans,
        vs_bans=vs_bans,
        values=values,
        value_games=value_games,
        games=games,
        policy=policy,
        seed=seed,
        rules=rules,
        cards=cards,
        precision=precision,
    )
    return plan.run(jobs=jobs, progress=progress)


def plan_constructed(
    deck_a: arguments.DeckSpec,
    deck_b: arguments.DeckSpec,
    *,
    bans: str = tens.DEFAULT_BANS,
    vs_bans: str | None = None,
    values: str | PathLike[str] | None = None,
    value_games: int | None = None,
    games: int | None = None,
    policy: str | Sequence[str] = DEFAULT,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
) -> ConstructedPlan:
    """Check the arguments of `constructed_play` and lay out its conditions, without playing."""
    card_set = tens.check_ten_kit(arguments.check_card_set(cards))
    target = arguments.make_target(precision, until_decided=False)
    seed = arguments.check_whole("seed", seed, 0, arguments.MOST_SEED)
    rules = arguments.check_rules(rules)
    pair = load_tens(deck_a, deck_b, card_set)
    banners = (
        tens.check_bans("bans", bans),
        tens.check_bans("vs_bans", bans if vs_bans is None else vs_bans),
    )
    rungs, specs = arguments.load_rungs(policy, None), arguments.specs_of(policy)
    games = even(arguments.check_games(games, target, rungs))
    value_games = tens.check_value_games(value_games, rungs)
    given = [tens.load_values(values, card_set, players) for players in rungs]
    measures = values is None and any(banner.needs_worths for banner in banners)
    duels = [
        _judged_by(
            TensDuel(card_set, players, rules, seed, tens=pair, banners=banners),
            worths or tens.no_worths(card_set),
        )
        for players, worths in zip(rungs, given, strict=True)
    ]
    first = [tens.values_duel(card_set, players, rules, seed) for players in rungs] if measures else []
    conditions: list[Playable] = [*first, *duels]
    plan = {
        "condition": range(len(conditions)),
        "policy": [condition.policies[0].name for condition in conditions],
        "group": [duel.random_group for duel in (*first, *duels)],
        "games": [value_games] * len(first) + [games] * len(duels),
    }
    details = card_values.describe(card_set, rungs, specs, rules, seed, METHOD)
    details |= {
        "tens": {ten.name: [card.name for card in ten.cards] for ten in pair},
        "bans": [banner.name for banner in banners],
        "value_games": value_games if measures else None,
        "values": [tens.digest_of(worths) for worths in given],
    }
    files = arguments.input_files([deck_a, deck_b], cards, card_set, specs) | tens.values_files(values)
    stages = [range(len(first)), range(len(first), len(conditions))] if first else [range(len(conditions))]
    return ConstructedPlan(conditions, pd.DataFrame(plan), details, target, files, stages, duels)


def load_tens(deck_a: arguments.DeckSpec, deck_b: arguments.DeckSpec, cards: CardSet) -> tuple[Deck, Deck]:
    """Load the tens of both sides; their names must differ. Those given by their cards are called after their side."""
    one, other = _load(deck_a, "A", cards), _load(deck_b, "B", cards)
    if one.name == other.name:
        raise InputError(f"deck A and deck B are both named {one.name}; expected different names")
    return one, other


def plan_from_options(options: Mapping[str, Any]) -> ConstructedPlan:
    """Lay out the run that options name, as the command line takes them and a manifest keeps them."""
    check_options(options, OPTIONS)
    named = {name: value for name, value in options.items() if name != "rule"}
    return plan_constructed(rules=parse_rules(options["rule"]), **named)


def check_manifest(manifest: Mapping[str, Any]) -> None:
    """Make sure that a manifest of two constructed decks has the form that `plan_constructed` gives it.

    Raises
    ------
    InputError
        Names the entry, and what was expected.
    """
    card_values.check_manifest(manifest, OPTIONS)


def _load(deck: arguments.DeckSpec, side: str, cards: CardSet) -> Deck:
    ten = load_ten(deck, cards)  # type: ignore[arg-type]
    return ten if isinstance(deck, str | int | PathLike | Deck) else replace(ten, name=side)


def _judged_by(duel: TensDuel, worths: Worths) -> TensDuel:
    one, other = duel.banners
    return replace(duel, banners=(one.by(worths), other.by(worths)))
