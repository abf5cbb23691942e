"""The arguments of a what-if: the changes put together, the conditions laid out in twos."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pandas as pd

from clashsim.clash.cards import CardSet, Deck, differences
from clashsim.clash.changes import (
    ANY,
    Patch,
    Swap,
    changed_cards,
    parse_set,
    parse_swap,
    read_patch,
    spelled_out,
    swapped_deck,
)
from clashsim.clash.drafting import Drafter
from clashsim.clash.duels import Duel, pairing_group
from clashsim.clash.policies import Policy
from clashsim.clash.rules import Rules, parse_rules
from clashsim.clash.solo_settings import PRICES, SoloSettings
from clashsim.clash.solos import Solo, solo_group
from clashsim.errors import InputError
from clashsim.experiments.matchup_arguments import Players
from clashsim.experiments.twins import Twin
from clashsim.running.chunks import even

MATCHUPS, SOLO = "matchups", "solo"
SCOPES = (MATCHUPS, SOLO)

METHOD = (
    "the same games with and without the change; 95 % intervals: of differences from joint counts game by game, "
    "adjusted (Agresti and Min), stratified by who starts; of scores: Wilson on the effective number of games; of "
    "means over opponents: MOVER; verdicts: intervals made simultaneous over the comparisons of the table (Bonferroni)"
)
SOLO_METHOD = (
    "the same games with and without the change; 95 % intervals: of differences from joint counts game by game, "
    "adjusted (Agresti and Min); of means over settings: delete-a-block jackknife over 40 blocks of game numbers; of "
    "win rates: Wilson; verdicts: intervals made simultaneous over the comparisons of the table (Bonferroni)"
)


@dataclass(frozen=True)
class Variant:
    """A world with changes.

    Attributes
    ----------
    name : str
        The changes in words.
    cards : CardSet
    rules : Rules
    swaps : tuple of Swap
    touched : frozenset of str
        The cards that are changed, whether or not into what they were.
    by_rule : bool
        Whether a rule is named, whether or not it is another one.
    """

    name: str
    cards: CardSet
    rules: Rules
    swaps: tuple[Swap, ...]
    touched: frozenset[str]
    by_rule: bool

    def deck(self, deck: Deck) -> Deck:
        """Return what becomes of a deck."""
        return swapped_deck(deck, self.swaps, self.cards)

    def is_about(self, deck: Deck) -> bool:
        """Tell whether a deck has changed cards, or is changed."""
        held = {card.name for card in deck.cards} | {card.name for card in self.deck(deck).cards}
        return bool(held & self.touched) or any(swap.deck == deck.name for swap in self.swaps)


def gather(
    sets: Sequence[str], patch: str | None, swaps: Sequence[str], rules: Sequence[str], cards: CardSet
) -> Patch:
    """Return all changes that are named.

    Raises
    ------
    InputError
        None is named, or one is not understood.
    """
    named = Patch(
        tuple(parse_set(text, cards) for text in sets),
        tuple(parse_swap(text, cards) for text in swaps),
        tuple(rules),
    )
    if patch is not None:
        named = read_patch(Path(patch), cards) + named
    if named.is_empty:
        raise InputError(
            "nothing is changed; expected a change of a card, a deck or a rule, such as --set CYCLONE.cost=6"
        )
    return named


def variants_of(patch: Patch, cards: CardSet, decks: Sequence[Deck | Drafter], solo: bool) -> list[Variant]:
    """Return the worlds that a patch describes: one, or where a swap names any card, one for each.

    Raises
    ------
    InputError
        A deck or card of a swap is unknown, a value is out of range, or two swaps name any card.
    """
    fixed = {deck.name: deck for deck in decks if isinstance(deck, Deck)}
    for swap in patch.swaps:
        if swap.deck not in fixed:
            known = " or ".join(fixed) or "none, as all are drafted"
            raise InputError(
                f"swap {swap.deck}:{swap.out}={swap.into}: no deck {swap.deck}; expected {known}"
            )
    rules = parse_rules(patch.rules, solo=solo)
    changed = changed_cards(cards, patch.cards)
    plain = [swap for swap in patch.swaps if ANY not in (swap.out, swap.into)]
    many = [swap for swap in patch.swaps if swap not in plain]
    if len(many) > 1:
        raise InputError(f"{len(many)} swaps name any card ({ANY}); expected one at most")
    choices: list[tuple[Swap, ...]] = [()]
    if many:
        deck = swapped_deck(fixed[many[0].deck], plain, cards)
        choices = [(swap,) for swap in spelled_out(many[0], deck, cards)]
    touched = frozenset(change.card for change in patch.cards)
    made = []
    for more in choices:
        swaps = (*plain, *more)
        for each in fixed.values():
            swapped_deck(each, swaps, changed)  # names what is wrong
        name = _words(patch, cards, changed, swaps, rules)
        made.append(Variant(name, changed, rules, swaps, touched, bool(patch.rules)))
    return made


def _words(patch: Patch, cards: CardSet, changed: CardSet, swaps: Sequence[Swap], rules: Rules) -> str:
    told = differences(changed, cards)
    told += [
        f"{change.card} as it is" for change in patch.cards if changed[change.card] == cards[change.card]
    ]
    told += [f"deck {swap.deck} {swap.out} -> {swap.into}" for swap in swaps]
    defaults = Rules().as_dict()
    for text in patch.rules:
        name = text.partition("=")[0].strip()
        told.append(f"{name} {defaults[name]} -> {rules.as_dict()[name]}")
    return "; ".join(dict.fromkeys(told))


def lay_out_duels(
    variants: Sequence[Variant], decks: Sequence[Deck], rungs: Sequence[Players], seed: int
) -> list[Twin]:
    """Return the pairings that a change is about, rung by rung; no mirrors of one policy: they are even in any case.

    Raises
    ------
    InputError
        There is none.
    """
    twins = []
    for players, variant in product(rungs, variants):
        pairs = combinations(decks, 2) if players[0] == players[1] else product(decks, decks)
        for pair in pairs:
            group = pairing_group(*pair)
            base = Duel(pair, players, Rules(), seed, group)
            changed = Duel(
                (variant.deck(pair[0]), variant.deck(pair[1])), players, variant.rules, seed, group
            )
            sides = tuple(side for side in (0, 1) if variant.by_rule or variant.is_about(pair[side]))
            if players[0] != players[1]:  # the other order is a condition of its own
                sides = tuple(side for side in sides if side == 0)
            if sides:
                twins.append(Twin(base, changed, variant.name, sides))
    if not twins:
        names = " and ".join(deck.name for deck in decks)
        if any(variant.by_rule or variant.is_about(deck) for variant in variants for deck in decks):
            raise InputError(f"deck {names} alone has no opponent; expected --decks with another one")
        cards = ", ".join(sorted(variants[0].touched))
        raise InputError(
            f"{cards} is in none of the decks {names}: nothing would change; expected decks that have it"
        )
    return twins


def lay_out_solos(
    variants: Sequence[Variant],
    cards: CardSet,
    decks: Sequence[Deck | Drafter],
    policies: Sequence[Policy],
    settings: Sequence[SoloSettings],
    seed: int,
) -> list[Twin]:
    """Return all solo games: every card of the set is in them, the player's or the AI's."""
    twins = []
    for policy, variant, deck in product(policies, variants, decks):
        changed_deck = variant.deck(deck) if isinstance(deck, Deck) else deck
        for setting in settings:
            base = Solo(cards, deck, policy, setting, Rules(), seed)
            base = replace(base, group=solo_group(base.deck_name))
            changed = replace(base, cards=variant.cards, deck=changed_deck, rules=variant.rules)
            twins.append(Twin(base, changed, variant.name))
    return twins


def plan_of(twins: Sequence[Twin], games: int) -> pd.DataFrame:
    """Return the plan that plays so many games of each pair of conditions, an even number."""
    named: dict[str, Any] = {"condition": range(len(twins)), "variant": [twin.variant for twin in twins]}
    if twins[0].is_solo:
        solos = [twin.base for twin in twins if isinstance(twin.base, Solo)]
        named |= {"deck": [solo.deck_name for solo in solos], "policy": [solo.policy.name for solo in solos]}
        named |= {name: [getattr(solo.settings, name) for solo in solos] for name in PRICES}
    else:
        duels = [twin.base for twin in twins if isinstance(twin.base, Duel)]
        for number, side in enumerate("ab"):
            named[f"deck_{side}"] = [duel.decks[number].name for duel in duels]
        for number, side in enumerate("ab"):
            named[f"policy_{side}"] = [duel.policies[number].name for duel in duels]
    return pd.DataFrame(named | {"group": [twin.base.group for twin in twins], "games": even(games)})


def describe_change(variants: Sequence[Variant]) -> dict[str, Any]:
    """Return the changes, for the manifest."""
    return {"changes": [variant.name for variant in variants], "changed_set": variants[0].cards.hash}
