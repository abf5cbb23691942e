"""Decks against each other: every pairing and mirror, by how much each wins, and what going first is worth."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from operator import index
from os import PathLike
from typing import Any

import pandas as pd

from clashsim.clash.cards import CardSet, Deck, check_cards, differences, load_cards, load_deck
from clashsim.clash.duels import Duel, compile_core, pairing_group
from clashsim.clash.policies import Policy, load_policy
from clashsim.clash.rules import SWITCHES, Rules
from clashsim.errors import InputError
from clashsim.experiments.health_tables import health_table, plays_table
from clashsim.experiments.matchup_findings import findings
from clashsim.experiments.matchup_tables import METHOD, first_player_table, matchup_table, pool_table
from clashsim.experiments.result import Findings
from clashsim.running import Progress, Tally, run
from clashsim.running.chunks import even

GAMES = 20_000
POLICY = "greedy"
MOST_GAMES = 10**12
MOST_SEED = 2**63 - 1

DeckSpec = str | int | PathLike[str] | Sequence[str] | Deck


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
    first_player : DataFrame
        One row per pairing that was played, and the mean over them: what going first is worth.
    health : DataFrame
        One row per pairing that was played: draws, length, when the Bastions fall, unspent mana.
    plays : DataFrame
        One row per deck, policy and card: how often it is played.
    plan : DataFrame
        One row per condition that was played.
    details : dict
        Rules, cards, decks, policies and method, as the manifest has them.
    """

    matchups: pd.DataFrame
    pool: pd.DataFrame
    first_player: pd.DataFrame
    health: pd.DataFrame
    plays: pd.DataFrame
    plan: pd.DataFrame
    details: dict[str, Any]

    def __repr__(self) -> str:
        decks = ", ".join(self.details["decks"])
        games = int(self.plan["games"].sum())
        return f"<Matchups of {decks}: {games:,} games; tables {', '.join(self.tables)}; findings()>"

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The five tables by name."""
        return {name: getattr(self, name) for name in ("matchups", "pool", "first_player", "health", "plays")}

    def findings(self) -> Findings:
        """Return the answers in sentences, with the tables and figures that show them."""
        return findings(self.tables, self.details)


@dataclass(frozen=True)
class MatchupPlan:
    """A run of matchups that is checked and ready to start; see `plan_matchups`."""

    duels: Sequence[Duel]
    plan: pd.DataFrame
    details: dict[str, Any]

    def run(self, *, jobs: int | None = None, progress: Progress | None = None) -> Matchups:
        """Play the games and make the tables."""
        compile_core()  # before the clock of the progress starts
        tallies = run(self.plan, self._simulate, jobs=jobs, progress=progress)
        return Matchups(
            matchups=matchup_table(self.duels, tallies),
            pool=pool_table(self.duels, tallies),
            first_player=first_player_table(self.duels, tallies),
            health=health_table(self.duels, tallies),
            plays=plays_table(self.duels, tallies),
            plan=self.plan,
            details=self.details,
        )

    def _simulate(self, condition: Mapping[str, Any], first_game: int, n_games: int) -> Tally:
        return self.duels[condition["condition"]].tally(first_game, n_games)


def matchups(
    decks: Sequence[DeckSpec] | None = None,
    *,
    games: int = GAMES,
    policy: str = POLICY,
    vs_policy: str | None = None,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Matchups:
    """Play decks against each other.

    Parameters
    ----------
    decks : sequence of decks, optional
        Labels of the card set, paths of TOML files, or lists of eight card names. By default all decks of the
        card set.
    games : int
        Games per condition, half of them started by each side; an odd number is rounded up.
    policy, vs_policy : str
        Who plays the decks. With one policy each pairing and each mirror is played once; with two different
        ones every ordered pair is played, side A by `policy`, side B by `vs_policy`.
    seed : int
        The same seed gives the same tables, whatever the number of threads.
    rules : Rules, optional
        Other readings of the rules.
    cards : str, path or CardSet
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
        decks, games=games, policy=policy, vs_policy=vs_policy, seed=seed, rules=rules, cards=cards
    )
    return plan.run(jobs=jobs, progress=progress)


def plan_matchups(
    decks: Sequence[DeckSpec] | None = None,
    *,
    games: int = GAMES,
    policy: str = POLICY,
    vs_policy: str | None = None,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
) -> MatchupPlan:
    """Check the arguments of `matchups` and lay out its conditions, without playing."""
    card_set = check_cards(cards) if isinstance(cards, CardSet) else load_cards(cards)
    games = _checked("games", games, 1, MOST_GAMES)
    seed = _checked("seed", seed, 0, MOST_SEED)
    if not isinstance(rules, Rules | None):
        raise InputError(f"rules is {rules!r}; expected Rules(...), such as Rules(window=5)")
    chosen = _load_decks(decks, card_set)
    sides = (load_policy(policy), load_policy(policy if vs_policy is None else vs_policy))
    duels = _duels(chosen, sides, rules or Rules(), seed)
    return MatchupPlan(duels, _plan(duels, games), _details(card_set, chosen, sides, rules or Rules()))


def _load_decks(specs: Sequence[DeckSpec] | None, cards: CardSet) -> list[Deck]:
    if specs is None:
        if not cards.decks:
            raise InputError(
                f"card set {cards.name}: it has no decks of its own; expected decks as .toml files (--decks)"
            )
        return list(cards.decks.values())
    if isinstance(specs, str | bytes | Mapping | int) or not isinstance(specs, Iterable):
        raise InputError(f"decks is {specs!r}; expected a list of decks, such as ['1', 'my-deck.toml']")
    decks = [load_deck(spec, cards) for spec in specs]
    if not decks:
        raise InputError("decks: none given; expected at least one")
    names = [deck.name for deck in decks]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"decks: {name} is given twice; expected decks with different names")
    return decks


def _duels(decks: Sequence[Deck], policies: tuple[Policy, Policy], rules: Rules, seed: int) -> list[Duel]:
    """Return the conditions: pairings and mirrors, or with different policies all ordered pairs."""
    same = policies[0] == policies[1]
    pairs = combinations_with_replacement(decks, 2) if same else product(decks, decks)
    return [Duel(pair, policies, rules, seed, pairing_group(*pair)) for pair in pairs]


def _plan(duels: Sequence[Duel], games: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "condition": range(len(duels)),
            "deck_a": [duel.decks[0].name for duel in duels],
            "deck_b": [duel.decks[1].name for duel in duels],
            "policy_a": [duel.policies[0].name for duel in duels],
            "policy_b": [duel.policies[1].name for duel in duels],
            "group": [duel.group for duel in duels],
            "games": even(games),
        }
    )


def _checked(name: str, value: int, least: int, most: int) -> int:
    try:
        number = least - 1 if isinstance(value, bool) else index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise InputError(f"{name} is {value!r}; expected a whole number from {least} to {most}")
    return number


def _details(
    cards: CardSet, decks: Sequence[Deck], policies: tuple[Policy, Policy], rules: Rules
) -> dict[str, Any]:
    return {
        "rules": {name: value for name, value in rules.as_dict().items() if not SWITCHES[name].solo},
        "cards": {"name": cards.name, "hash": cards.hash},
        "changed_cards": differences(cards, load_cards()),
        "decks": {deck.name: [card.name for card in deck.cards] for deck in decks},
        "policies": list(dict.fromkeys(policy.name for policy in policies)),
        "method": METHOD,
    }
