"""What a run of abilities plays: bodies in the places of cards, cards as printed, solo games; row by row."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import pandas as pd

from clashsim.clash.abilities import ABILITIES
from clashsim.clash.card_checks import LEAST, MOST
from clashsim.clash.cards import Card, CardSet, Deck
from clashsim.clash.core.state import SIDES
from clashsim.clash.duels import Duel
from clashsim.clash.policies import Policy
from clashsim.clash.prices import aura_of, formula_cost
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import PRICES, SoloSettings
from clashsim.clash.solos import MOST_CARDS, Solo
from clashsim.clash.stand_ins import Place
from clashsim.errors import InputError
from clashsim.experiments.ability_bodies import Body, Variant
from clashsim.experiments.ability_games import GivenAbilities, StandIns, whole_rounds
from clashsim.experiments.card_steps import COST

SCREENING, PROBE, CARDS, SOLO = "screening", "probe", "cards", "solo"
ALL = "all"  # abilities of a card
GIVEN = tuple(ability.capitalize() for ability in PRICES["ability"] if ability != "none")
"""The abilities that all creatures of the AI can be given (R38)."""


class Row(NamedTuple):
    """What a row of the plan plays: a body for a part of the run, a card as printed, or solo games."""

    part: str
    policy: Policy
    body: Body | None = None
    deck: Deck | None = None
    card: Card | None = None


@dataclass(frozen=True)
class Layout:
    """What a run plays, and with what.

    Attributes
    ----------
    cards : CardSet
    decks : sequence of Deck
        That the bodies are tried in; opponents are all other decks of the set.
    policies : sequence of Policy
        Each plays both sides.
    bodies : sequence of Body
    replaced : str
        The name of the one card that is replaced; "": each in turn.
    rules : Rules
    seed : int
    """

    cards: CardSet
    decks: Sequence[Deck]
    policies: Sequence[Policy]
    bodies: Sequence[Body]
    replaced: str = ""
    rules: Rules = field(default_factory=Rules)
    seed: int = 1

    def __post_init__(self) -> None:
        for deck in self.decks:
            if not self._opponents(deck):
                raise InputError(
                    f"deck {deck.name} alone has no opponent; expected a card set with another deck"
                )
        if not self._seats:
            names = " and ".join(deck.name for deck in self.decks)
            raise InputError(f"{self.replaced} is in none of the decks {names}; expected decks that have it")

    @cached_property
    def rows(self) -> list[Row]:
        """What every row of the plan plays: screening first, then all that need not wait for it or has waited."""
        made = [
            Row(part, policy, body)
            for part in (SCREENING, PROBE)
            for policy in self.policies
            for body in self.bodies
        ]
        made += [
            Row(CARDS, policy, None, deck, card) for policy in self.policies for deck, card in self.printed
        ]
        if self.has_solo:
            made += [Row(SOLO, policy) for policy in self.policies]
        return made

    @property
    def stages(self) -> list[range]:
        """The rows of the screening, and all others."""
        first = len(self.policies) * len(self.bodies)
        return [range(first), range(first, len(self.rows))]

    @property
    def printed(self) -> list[tuple[Deck, Card]]:
        """The cards as printed that have abilities, of the kinds of the bodies."""
        kinds = {body.kind for body in self.bodies}
        return [
            (deck, deck.cards[slot])
            for deck, slot in self._seats
            if deck.cards[slot].kind in kinds and _has_abilities(deck.cards[slot])
        ]

    @property
    def has_solo(self) -> bool:
        """Whether solo games are played: where creatures are tried, and the card set is not too large for them."""
        size = len(self.cards.cards)
        return any(body.kind == "creature" for body in self.bodies) and 8 < size <= MOST_CARDS

    def plan(self, games: int, screening: int) -> pd.DataFrame:
        """Return the plan: numbers of games are of whole rounds over the places."""
        rows = self.rows
        wanted = [screening if row.part == SCREENING else games for row in rows]
        rounds = [self._round(row) for row in rows]
        return pd.DataFrame(
            {
                "condition": range(len(rows)),
                "part": [row.part for row in rows],
                "policy": [row.policy.name for row in rows],
                "body": [row.body.name if row.body else "" for row in rows],
                "deck": [row.deck.name if row.deck else "" for row in rows],
                "card": [row.card.name if row.card else "" for row in rows],
                "group": [SOLO if row.part == SOLO else PROBE for row in rows],
                "games": [whole_rounds(count, each) for count, each in zip(wanted, rounds, strict=True)],
            }
        )

    def condition(
        self, row: Row, variants: Sequence[Variant] | None = None, before: int = 0
    ) -> StandIns | GivenAbilities:
        """Return what a row plays: of a body some of its variants, by default all."""
        if row.body is not None:
            tried = row.body.variants if variants is None else variants
            places = self.places(row.policy)
            return StandIns(places, row.body.plain, tuple(variant.card for variant in tried), before)
        if row.deck is not None and row.card is not None:
            places = tuple(
                place
                for place in self.places(row.policy)
                if place.duel.decks[0] is row.deck and row.deck.cards[place.slot] == row.card
            )
            return StandIns(places, row.card, tuple(variant.card for variant in without_abilities(row.card)))
        return self._solo(row.policy)

    def _round(self, row: Row) -> int:
        if row.part == SOLO:
            return SIDES * len(self.decks)
        if row.deck is not None:
            return SIDES * len(self._opponents(row.deck))
        return SIDES * sum(len(self._opponents(deck)) for deck, _ in self._seats)

    @cached_property
    def _seats(self) -> list[tuple[Deck, int]]:
        """The decks and slots that bodies are tried in."""
        return [
            (deck, slot)
            for deck in self.decks
            for slot, card in enumerate(deck.cards)
            if self.replaced in ("", card.name)
        ]

    def _opponents(self, deck: Deck) -> list[Deck]:
        return [other for other in self.cards.decks.values() if other.name != deck.name]

    def places(self, policy: Policy) -> tuple[Place, ...]:
        """Return the places in which a policy tries cards, against every opponent."""
        if policy.name not in self._known_places:
            self._known_places[policy.name] = tuple(
                Place(
                    Duel((deck, other), (policy, policy), self.rules, self.seed, _group(deck, slot, other)),
                    slot,
                )
                for deck, slot in self._seats
                for other in self._opponents(deck)
            )
        return self._known_places[policy.name]

    @cached_property
    def _known_places(self) -> dict[str, tuple[Place, ...]]:
        return {}

    def _solo(self, policy: Policy) -> GivenAbilities:
        settings = [SoloSettings(), *(SoloSettings(ability=name.lower()) for name in GIVEN)]
        return GivenAbilities(
            tuple(
                tuple(Solo(self.cards, deck, policy, each, self.rules, self.seed) for each in settings)
                for deck in self.decks
            )
        )


def without_abilities(card: Card) -> list[Variant]:
    """Return a card as printed with a mana less and more, without all its abilities and auras, and without each."""
    made = [
        Variant(f"{COST} {step:+}", replace(card, cost=card.cost + step))
        for step in (-1, 1)
        if LEAST.get((card.kind, COST), 0) <= card.cost + step <= MOST
    ]
    stripped = [(ALL, replace(card, abilities=(), auras=()))]
    if len(card.abilities) + len(card.auras) > 1:
        stripped += [
            (name, replace(card, abilities=tuple(other for other in card.abilities if other != name)))
            for name in sorted(card.abilities, key=ABILITIES.index)
        ]
        stripped += [
            (aura_of(name), replace(card, auras=tuple(other for other in card.auras if other != name)))
            for name in card.auras
        ]
    price = formula_cost(card)
    return made + [Variant(name, left, None, price - formula_cost(left)) for name, left in stripped]


def _has_abilities(card: Card) -> bool:
    return bool(card.abilities or card.auras)


def _group(deck: Deck, slot: int, other: Deck) -> str:
    """Return the random-number group of a place: the same for all cards in it, and for all policies."""
    return json.dumps(["stand-in", deck.name, slot, other.name])
