"""The arguments of a run of matchups: checked, decks loaded, conditions laid out."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations_with_replacement, product
from operator import index
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from clashsim.analysis.precision import Target
from clashsim.clash.cards import (
    CardSet,
    Deck,
    card_file,
    check_cards,
    deck_file,
    differences,
    load_cards,
    load_deck,
)
from clashsim.clash.duels import Duel, pairing_group
from clashsim.clash.policies import Policy
from clashsim.clash.policy_files import load_policies, load_policy, policy_files
from clashsim.clash.rules import SWITCHES, Rules
from clashsim.errors import InputError, reason_of
from clashsim.experiments.matchup_tables import METHOD, SEQUENCE_METHOD
from clashsim.running.chunks import even

GAMES = 20_000
GAMES_OF_SEARCHERS = 2_000  # where a policy searches: good for 2.2 points
GAMES_AT_MOST = 10_000_000  # per condition, where a target says when to stop
MOST_GAMES = 10**12
MOST_SEED = 2**63 - 1

Players = tuple[Policy, Policy]
"""Who plays side A and who plays side B, in all conditions of a rung."""

DeckSpec = str | int | PathLike[str] | Sequence[str] | Deck


def check_whole(name: str, value: int, least: int, most: int) -> int:
    """Return a whole number within limits, numpy's integers included; InputError for anything else."""
    try:
        number = least - 1 if isinstance(value, bool) else index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise InputError(f"{name} is {value!r}; expected a whole number from {least} to {most}")
    return number


def check_games(games: int | None, target: Target, rungs: Iterable[Players]) -> int:
    """Return the number of games per condition; None stands for the default, a large one if a target stops it."""
    if games is None and target != Target():
        return GAMES_AT_MOST
    if games is None:
        return (
            GAMES_OF_SEARCHERS if any(policy.searches for players in rungs for policy in players) else GAMES
        )
    return check_whole("games", games, 1, MOST_GAMES)


def make_target(precision: float | None, until_decided: bool) -> Target:
    """Return the target that the arguments name; `precision` is in percentage points."""
    if precision is None:
        return Target(None, bool(until_decided))
    if isinstance(precision, bool) or not isinstance(precision, int | float):
        raise InputError(f"precision is {precision!r}; expected percentage points of score, such as 0.5")
    return Target(precision / 100, bool(until_decided))


def check_rules(rules: Rules | None) -> Rules:
    """Return the rules of a run; None stands for the rules as they are."""
    if not isinstance(rules, Rules | None):
        raise InputError(f"rules is {rules!r}; expected Rules(...), such as Rules(window=5)")
    return rules or Rules()


def check_card_set(cards: str | PathLike[str] | CardSet) -> CardSet:
    """Return a sound card set, loaded if it is named."""
    return check_cards(cards) if isinstance(cards, CardSet) else load_cards(cards)


def load_decks(specs: Sequence[DeckSpec] | None, cards: CardSet) -> list[Deck]:
    """Load the decks of a run, by default all of the card set; their names must differ."""
    if specs is None:
        if not cards.decks:
            raise InputError(
                f"card set {cards.name}: it has no decks of its own; expected decks as .toml files"
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


def load_rungs(policy: str | Sequence[str], vs_policy: str | None) -> list[Players]:
    """Return who plays whom, policy by policy: each against itself, or each against `vs_policy`."""
    specs = specs_of(policy)
    if not specs:
        raise InputError("policy: none given; expected at least one")
    policies = load_policies(specs)
    if vs_policy is None:
        return [(each, each) for each in policies]
    if not isinstance(vs_policy, str):
        raise InputError(f"vs_policy is {vs_policy!r}; expected a single policy, such as 'greedy'")
    opponent = load_policy(vs_policy)
    for each in policies:
        if each.name == opponent.name and each != opponent:
            raise InputError(
                f"policies: two different ones are named {each.name}; expected different names: rename one of the "
                "files, or a function in one of them"
            )
    return [(each, opponent) for each in policies]


def specs_of(policy: str | Sequence[str], vs_policy: str | None = None) -> list[str]:
    """Return policies as they are named, the opponent last."""
    if not isinstance(policy, str | list | tuple):
        raise InputError(
            f"policy is {policy!r}; expected a policy or a list of them, such as ['random', 'greedy']"
        )
    return [*([policy] if isinstance(policy, str) else policy), *([] if vs_policy is None else [vs_policy])]


def input_files(
    specs: Sequence[DeckSpec] | None,
    cards: str | PathLike[str] | CardSet,
    card_set: CardSet,
    policies: Sequence[str],
) -> dict[str, Path]:
    """Return the files that the arguments name, the shipped card set included, by how they are named."""
    files = {} if isinstance(cards, CardSet) else {str(cards): card_file(cards)}
    for spec in specs or ():
        path = deck_file(spec, card_set)
        if path is not None:
            files[str(spec)] = path
    return files | policy_files(policies)


def lay_out(
    decks: Sequence[Deck], rungs: Sequence[Players], rules: Rules, seed: int, games: int
) -> tuple[list[Duel], pd.DataFrame]:
    """Return the conditions, rung by rung, and the plan.

    Those of a rung are pairings and mirrors, or with different policies all ordered pairs. The random-number group is
    the pairing, so that the same decks are shuffled alike for all policies.
    """
    duels = [
        Duel(pair, players, rules, seed, pairing_group(*pair))
        for players in rungs
        for pair in (
            combinations_with_replacement(decks, 2) if players[0] == players[1] else product(decks, decks)
        )
    ]
    return duels, plan_of(duels, even(games))


def plan_of(duels: Sequence[Duel], games: int) -> pd.DataFrame:
    """Return the plan that plays so many games of each of some duels, an even number."""
    plan = {
        "condition": range(len(duels)),
        "deck_a": [duel.decks[0].name for duel in duels],
        "deck_b": [duel.decks[1].name for duel in duels],
        "policy_a": [duel.policies[0].name for duel in duels],
        "policy_b": [duel.policies[1].name for duel in duels],
        "group": [duel.group for duel in duels],
        "games": games,
    }
    return pd.DataFrame(plan)


def per_pair_of_decks(games: int, decks: Sequence[Deck]) -> int:
    """Return the share of each ordered pair of decks in some games, rounded up to an even number."""
    return even(-(-games // len(decks) ** 2))


def describe(
    cards: CardSet, decks: Sequence[Deck], rungs: Sequence[Players], rules: Rules, target: Target
) -> dict[str, Any]:
    """Return what decides the games besides plan and seed, and how they are counted, for the manifest.

    `policies` are those of side A in their order, `vs_policy` is the one that all of them meet, none where each meets
    itself.
    """
    opponents = [opponent.name for policy, opponent in rungs if policy != opponent]
    return {
        "rules": {name: value for name, value in rules.as_dict().items() if not SWITCHES[name].solo},
        "cards": {"name": cards.name, "hash": cards.hash},
        "changed_cards": differences(cards, load_cards()),
        "decks": {deck.name: [card.name for card in deck.cards] for deck in decks},
        "policies": [policy.name for policy, _ in rungs],
        "vs_policy": opponents[0] if opponents else None,
        "method": SEQUENCE_METHOD if target.until_decided else METHOD,
    }


def digests(specs: Sequence[str]) -> dict[str, str]:
    """Return 16 hexadecimal digits of the files of each policy that has any, by its name."""
    found = {}
    for spec in specs:
        digest = hashlib.sha256()
        paths = list(policy_files([spec]).values())
        for path in paths:
            try:
                digest.update(path.read_bytes())
            except OSError as error:
                raise InputError(f"can not read {path}: {reason_of(error)}") from None
        if paths:
            found[load_policy(spec).name] = digest.hexdigest()[:16]
    return found
