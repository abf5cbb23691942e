"""What if a card, a deck or a rule were another: the same games with and without the change."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from clashsim.analysis.paired import paired_difference
from clashsim.analysis.precision import games_for
from clashsim.clash.cards import CardSet
from clashsim.clash.changes import Patch
from clashsim.clash.core.jit import source_digest
from clashsim.clash.policies import DEFAULT
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import SoloSettings
from clashsim.clash.solos import Solo
from clashsim.errors import InputError, nearest
from clashsim.experiments import matchup_arguments, solo_arguments
from clashsim.experiments import whatif_arguments as arguments
from clashsim.experiments.games_plan import GamesPlan
from clashsim.experiments.matchup_arguments import DeckSpec
from clashsim.experiments.twins import Twin
from clashsim.experiments.whatif_arguments import MATCHUPS, SCOPES, SOLO
from clashsim.experiments.whatif_games import games_table
from clashsim.experiments.whatif_result import TABLES, WhatIf
from clashsim.experiments.whatif_tables import (
    deck_table,
    duel_table,
    judged,
    solo_deck_table,
    solo_table,
)
from clashsim.running import Progress, Tally
from clashsim.running.pilot import Pilot


@dataclass(frozen=True)
class WhatIfPlan(GamesPlan[Twin, WhatIf]):
    """A what-if that is checked and ready to start; see `plan_whatif` and `result.Plan`."""

    table_names: Sequence[str] = TABLES

    games_name: ClassVar[str] = "games of a what-if"

    @property
    def solo(self) -> bool:
        """Whether these are solo games."""
        return self.conditions[0].is_solo

    def _kind(self, condition: Twin) -> Hashable:
        return condition.variant, str(condition.policies)

    def _expected_games(self, trial: Pilot) -> list[int]:
        caps = self.plan["games"].tolist()
        if self.target.precision is None:
            return caps
        seen = {row: self._expected(row, tally) for row, tally in trial.tallies.items()}
        typical = int(np.median(list(seen.values())))
        return [min(seen.get(row, typical), cap) for row, cap in enumerate(caps)]

    def _result(self, tallies: Sequence[Tally]) -> WhatIf:
        tables: tuple[Callable[..., pd.DataFrame], ...] = (
            (solo_table, solo_deck_table) if self.solo else (duel_table, deck_table)
        )
        rows, decks, others = (make(self.conditions, tallies) for make in (*tables, games_table))
        played = self.plan.assign(games=[int(tally["joint"].sum()) for tally in tallies])
        return WhatIf(rows, decks, others, played, self.details, self.conditions)

    def _stop(self, row: int, tally: Tally) -> bool:
        found = paired_difference(judged(self.conditions[row], tally))
        return bool(found.half_width <= (self.target.precision or 0))

    def _expected(self, row: int, tally: Tally) -> int:
        seen = paired_difference(judged(self.conditions[row], tally))
        cap = int(self.plan["games"].iloc[row])
        return games_for(seen.games, seen.half_width, self.target.precision or 1, cap)


def whatif(
    changes: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    swaps: Sequence[str] = (),
    rules: Rules | None = None,
    scope: str = MATCHUPS,
    decks: Sequence[DeckSpec] | DeckSpec | None = None,
    settings: SoloSettings | Sequence[SoloSettings] | None = None,
    games: int | None = None,
    policy: str | Sequence[str] = DEFAULT,
    vs_policy: str | None = None,
    seed: int = 1,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> WhatIf:
    """Play the same games with and without a change, and tell the difference.

    Parameters
    ----------
    changes : mapping, optional
        New values of cards: ``{"CYCLONE": {"cost": 6}, "TROLL": {"abilities": ["Rage"]}}``.
    swaps : sequence of str
        Cards that others take the place of in a deck: "1:TROLL=OGRE"; "*" stands for any card, one after the other.
    rules : Rules, optional
        Other readings of the rules: the change, not what both play by.
    scope : {"matchups", "solo"}
    decks : list of decks, optional
        As in `matchups`, or for solo games as in `solo`.
    settings : SoloSettings or several of them, optional
        Of solo games; by default the quick game.
    games : int, optional
        Games per condition, each played with and without the change. By default 20,000, and 2,000 where a policy
        searches; with `precision` the most that each gets, by default 10 million.
    policy, vs_policy, seed, cards, jobs, progress
        As in `matchups`.
    precision : float, optional
        Play each condition until the half-width of the difference's 95 % interval is at most this, in percentage
        points.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.

    Examples
    --------
    >>> import clashsim as cs
    >>> found = cs.whatif({"CYCLONE": {"cost": 6}}, games=1000, policy="greedy")
    >>> list(found.decks["deck"])
    ['4']
    """
    card_set = matchup_arguments.check_card_set(cards)
    named = _named_changes(changes)
    if (
        isinstance(swaps, str)
        or not isinstance(swaps, Sequence)
        or not all(isinstance(one, str) for one in swaps)
    ):
        raise InputError(f"swaps is {swaps!r}; expected a list of texts, such as ['1:TROLL=OGRE']")
    switches = [f"{name}={value}" for name, value in matchup_arguments.check_rules(rules).changed().items()]
    patch = arguments.gather(named, None, list(swaps), switches, card_set)
    shared: dict[str, Any] = {
        "games": games,
        "policy": policy,
        "seed": seed,
        "cards": cards,
        "precision": precision,
    }
    check_scope(scope)
    if scope == SOLO:
        if vs_policy is not None:
            raise InputError("vs_policy is of duels; expected none with scope='solo'")
        chosen = solo_arguments.check_settings(SoloSettings() if settings is None else settings)
        plan = plan_solo_whatif(patch, decks, chosen, **shared)
    else:
        if settings is not None:
            raise InputError("settings are of solo games; expected scope='solo', or no settings")
        plan = plan_whatif(patch, decks, vs_policy=vs_policy, **shared)
    return plan.run(jobs=jobs, progress=progress)


def plan_whatif(
    patch: Patch,
    decks: Any = None,
    *,
    games: int | None = None,
    policy: str | Sequence[str] = DEFAULT,
    vs_policy: str | None = None,
    seed: int = 1,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
) -> WhatIfPlan:
    """Check the arguments of a what-if of duels and lay out its conditions, without playing."""
    card_set = matchup_arguments.check_card_set(cards)
    target = matchup_arguments.make_target(precision, until_decided=False)
    seed = matchup_arguments.check_whole("seed", seed, 0, matchup_arguments.MOST_SEED)
    chosen = matchup_arguments.load_decks(decks, card_set)
    rungs, specs = (
        matchup_arguments.load_rungs(policy, vs_policy),
        matchup_arguments.specs_of(policy, vs_policy),
    )
    games = matchup_arguments.check_games(games, target, rungs)
    variants = arguments.variants_of(patch, card_set, chosen, solo=False)
    twins = arguments.lay_out_duels(variants, chosen, rungs, seed)
    details = {"core": source_digest(), "seed": seed}
    details |= matchup_arguments.describe(card_set, chosen, rungs, Rules(), target)
    details |= arguments.describe_change(variants)
    details |= {"method": arguments.METHOD, "policy_files": matchup_arguments.digests(specs)}
    files = matchup_arguments.input_files(decks, cards, card_set, specs)
    return WhatIfPlan(twins, arguments.plan_of(twins, games), details, target, files)


def plan_solo_whatif(
    patch: Patch,
    decks: Any,
    settings: Sequence[SoloSettings],
    *,
    games: int | None = None,
    policy: str | Sequence[str] = DEFAULT,
    seed: int = 1,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    precision: float | None = None,
) -> WhatIfPlan:
    """Check the arguments of a what-if of solo games and lay out its conditions, without playing."""
    card_set = matchup_arguments.check_card_set(cards)
    target = matchup_arguments.make_target(precision, until_decided=False)
    seed = matchup_arguments.check_whole("seed", seed, 0, matchup_arguments.MOST_SEED)
    if decks is not None and (isinstance(decks, str | int | PathLike) or not isinstance(decks, Sequence)):
        decks = [decks]
    chosen = solo_arguments.load_player_decks(decks, card_set)
    players, specs = solo_arguments.load_players(policy), matchup_arguments.specs_of(policy)
    searches = any(player.searches for player in players)
    default = matchup_arguments.GAMES_OF_SEARCHERS if searches else matchup_arguments.GAMES
    games = solo_arguments.check_games(games, target, default)
    variants = arguments.variants_of(patch, card_set, chosen, solo=True)
    twins = arguments.lay_out_solos(variants, card_set, chosen, players, settings, seed)
    details = {"core": source_digest(), "seed": seed}
    bases = [twin.base for twin in twins if isinstance(twin.base, Solo)]
    details |= solo_arguments.describe(card_set, bases, specs, Rules(), arguments.SOLO_METHOD)
    details |= arguments.describe_change(variants)
    files = solo_arguments.input_files(decks, cards, card_set, specs)
    return WhatIfPlan(twins, arguments.plan_of(twins, games), details, target, files)


def check_scope(scope: str) -> None:
    """Make sure that these are games that a what-if can be asked of."""
    if scope not in SCOPES:
        raise InputError(f"scope is {scope!r}; expected {' or '.join(SCOPES)}.{nearest(str(scope), SCOPES)}")


def _named_changes(changes: Mapping[str, Mapping[str, Any]] | None) -> list[str]:
    """Return changes of cards as the command line takes them."""
    expected = "expected new values by card and field, such as {'CYCLONE': {'cost': 6}}"
    if not isinstance(changes or {}, Mapping):
        raise InputError(f"changes is {changes!r}; {expected}")
    named = []
    for card, values in (changes or {}).items():
        if not isinstance(card, str) or not isinstance(values, Mapping):
            raise InputError(f"changes: {card!r} has {values!r}; {expected}")
        for field, value in values.items():
            texts = isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)
            if not texts and not isinstance(value, str | int):
                raise InputError(
                    f"changes: {card}.{field} is {value!r}; expected a number or a list of abilities"
                )
            named.append(f"{card}.{field}={'+'.join(value) or 'none' if texts else value}")
    return named
