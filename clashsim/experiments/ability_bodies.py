"""Bodies that abilities are tried on, and what each is tried with: sets of abilities, auras, a mana more or less."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from clashsim.analysis.factorial import members
from clashsim.clash.abilities import ABILITIES, INCANTATION_ABILITIES
from clashsim.clash.card_checks import LEAST, MOST, shown
from clashsim.clash.cards import Card
from clashsim.clash.prices import aura_of, formula_cost, formulas
from clashsim.errors import InputError
from clashsim.experiments.card_steps import COST

PROBE = "PROBE"
NONE = "none"
TYPICAL = 2.0  # mana: the median price of the abilities of a printed creature that has any
BODIES = ("1/2", "3/3", "6/6")
"""Tried where none is named: with `TYPICAL` abilities they cost 2, 4 and 7, as GRRR, SCRIBE and MARTYR do."""
DAMAGE = 3
"""Of the Incantation that is tried where nothing is named: that of CYCLONE."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A body with something that it can have.

    Attributes
    ----------
    name : str
        "none", abilities such as "Rage+Sprint", "aura of Rage", "cost -1" or "cost +1".
    card : Card
    subset : int or None
        The abilities as bits in the order of ABILITIES; None: it is another thing.
    price : float
        What it costs by the formula.
    """

    name: str
    card: Card
    subset: int | None = None
    price: float = 0.0


@dataclass(frozen=True)
class Body:
    """A creature without abilities, or an Incantation.

    Attributes
    ----------
    kind : str
    attack : int
        Of an Incantation its damage.
    health : int or None
    cost : int
    """

    kind: str
    attack: int
    health: int | None
    cost: int

    @property
    def name(self) -> str:
        """The body as tables show it: "3/3", or "3 damage"."""
        return f"{self.attack} damage" if self.health is None else f"{self.attack}/{self.health}"

    @property
    def abilities(self) -> tuple[str, ...]:
        """The abilities that it can have."""
        return ABILITIES if self.kind == "creature" else INCANTATION_ABILITIES

    @property
    def all(self) -> int:
        """The set of all of them."""
        return sum(1 << ABILITIES.index(name) for name in self.abilities)

    @property
    def plain(self) -> Card:
        """The card with nothing but the body."""
        return self._card()

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """All that is tried: a mana less and more, every set of abilities but the empty one, every aura."""
        made = [
            Variant(f"{COST} {step:+}", self._card(cost=self.cost + step))
            for step in (-1, 1)
            if LEAST.get((self.kind, COST), 0) <= self.cost + step <= MOST
        ]
        for subset in range(1, self.all + 1):
            card = self._card(abilities=names_of(subset))
            made.append(Variant(words_of(subset), card, subset, self._price(card)))
        if self.kind == "creature":
            for name in ABILITIES:
                card = self._card(auras=(name,))
                made.append(Variant(aura_of(name), card, None, self._price(card)))
        return tuple(made)

    def variant(self, name: str) -> Variant:
        """Return what is tried under a name."""
        return next(variant for variant in self.variants if variant.name == name)

    def _price(self, card: Card) -> float:
        return formula_cost(card) - formula_cost(self.plain)

    def _card(
        self, cost: int | None = None, abilities: tuple[str, ...] = (), auras: tuple[str, ...] = ()
    ) -> Card:
        price = self.cost if cost is None else cost
        return Card(PROBE, self.kind, price, self.attack, self.health, abilities, auras)


def names_of(subset: int) -> tuple[str, ...]:
    """Return the abilities of a set, in the order of ABILITIES."""
    return tuple(name for place, name in enumerate(ABILITIES) if subset >> place & 1)


def words_of(subset: int) -> str:
    """Name a set of abilities."""
    return "+".join(names_of(subset)) or NONE


def subset_of(names: Sequence[str]) -> int:
    """Return abilities as a set, whatever their order."""
    return sum(1 << ABILITIES.index(name) for name in set(names))


def singles_of(body: Body) -> list[int]:
    """Return the sets of one ability."""
    return members(body.all)


def pairs_of(body: Body) -> list[int]:
    """Return the sets of two abilities."""
    return [one | other for one, other in combinations(members(body.all), 2)]


def creature_of(text: str, cost: int | None = None) -> Body:
    """Return a creature's body from its attack and health, such as "3/3".

    Without a cost it costs what the formula says of it with abilities of a typical price.

    Raises
    ------
    InputError
        It has another form, or is no body that a creature may have.
    """
    found = re.fullmatch(r"([0-9]{1,2})/([0-9]{1,2})", text.strip()) if isinstance(text, str) else None
    if found:
        attack, health = map(int, found.groups())
        if attack <= MOST and LEAST["creature", "health"] <= health <= MOST:
            return _priced("creature", attack, health, cost)
    raise InputError(
        f"body is {shown(text)}; expected ATTACK/HEALTH, such as 3/3: attack 0 to {MOST}, "
        f"health {LEAST['creature', 'health']} to {MOST}"
    )


def incantation_of(damage: int, cost: int | None = None) -> Body:
    """Return an Incantation of some damage; without a cost as in `creature_of`.

    Raises
    ------
    InputError
        The cost is none that an Incantation may have.
    """
    least = LEAST["incantation", COST]
    if cost is not None and cost < least:
        raise InputError(f"cost is {cost}; expected a whole number from {least} to {MOST} for an Incantation")
    return _priced("incantation", damage, None, cost)


def _priced(kind: str, attack: int, health: int | None, cost: int | None) -> Body:
    if cost is None:
        plain = Card(PROBE, kind, 0, attack, health)
        cost = round(
            formula_cost(plain) + TYPICAL - 0.01
        )  # half a mana is rounded off, as on most printed cards
        cost = min(max(cost, LEAST.get((kind, COST), 0)), MOST)
    return Body(kind, attack, health, cost)


def prices_of(kind: str) -> dict[str, float]:
    """Return the prices of abilities and auras by the formula."""
    return {
        term: price for term, price in formulas()[kind].prices.items() if term not in ("attack", "health")
    }
