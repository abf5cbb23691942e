"""Cards varied one step at a time: each change of a card against the card as it is, in the same games."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from clashsim.clash.abilities import ABILITIES, INCANTATION_ABILITIES
from clashsim.clash.card_checks import LEAST, MOST
from clashsim.clash.cards import Card, CardSet
from clashsim.clash.dealt import DealtDuel
from clashsim.clash.duels import results_of
from clashsim.clash.policies import Policy
from clashsim.clash.prices import aura_of
from clashsim.clash.solos import BLOCKS
from clashsim.experiments.twins import RESULTS
from clashsim.running import Tally

COST = "cost"
NUMBERS = (COST, "attack", "health")


class Step(NamedTuple):
    """A change of a card by one step.

    Attributes
    ----------
    term : str
        "cost", a term of the formula (prices.Formula).
    sign : int
        1 if the card has more of it, -1 if it has less.
    card : Card
        The changed card.
    """

    term: str
    sign: int
    card: Card


def steps_of(card: Card) -> Iterator[Step]:
    """Yield all steps of a card that give a sound one: a number by one, an ability more or less, an aura it has."""
    for name in NUMBERS:
        number = getattr(card, name)
        for sign in (-1, 1):
            if number is not None and LEAST.get((card.kind, name), 0) <= number + sign <= MOST:
                yield Step(name, sign, replace(card, **{name: number + sign}))
    for ability in ABILITIES if card.kind == "creature" else INCANTATION_ABILITIES:
        if ability in card.abilities:
            left = tuple(other for other in card.abilities if other != ability)
            yield Step(ability, -1, replace(card, abilities=left))
        else:
            yield Step(ability, 1, replace(card, abilities=(*card.abilities, ability)))
    for ability in card.auras:
        left = tuple(other for other in card.auras if other != ability)
        yield Step(aura_of(ability), -1, replace(card, auras=left))


@dataclass(frozen=True)
class CardSteps:
    """Games of random decks in which side 0 always has a card: as it is, and changed by each of its steps.

    Attributes
    ----------
    base : DealtDuel
        With the card as it is.
    steps : tuple of Step
    """

    base: DealtDuel
    steps: tuple[Step, ...]

    @property
    def card(self) -> Card:
        """The card as it is."""
        return self.base.cards[self.base.held]

    @property
    def policies(self) -> tuple[Policy, ...]:
        """Who plays."""
        return self.base.policies

    @cached_property
    def changed(self) -> list[DealtDuel]:
        """The same games with the card changed, step by step."""
        return [replace(self.base, cards=_with_card(self.base.cards, step.card)) for step in self.steps]

    def tally(self, first_game: int, n_games: int) -> Tally:
        """Play games, each as it is and with every step, and count them.

        Returns
        -------
        dict of integer arrays
            - joint (steps, BLOCKS, 3, 3): games by how they ended for the side with the card, and how they ended
              changed: won, drew, lost; game i in block i modulo BLOCKS
        """
        block = np.arange(first_game, first_game + n_games) % BLOCKS
        base = results_of(self.base.outcomes(first_game, n_games)["winner"])
        joint = np.zeros((len(self.steps), BLOCKS, RESULTS, RESULTS), np.int64)
        for place, changed in enumerate(self.changed):
            result = results_of(changed.outcomes(first_game, n_games)["winner"])
            np.add.at(joint[place], (block, base, result), 1)
        return {"joint": joint}


def _with_card(cards: CardSet, card: Card) -> CardSet:
    return replace(cards, cards=tuple(card if other.name == card.name else other for other in cards.cards))
