"""The formula behind the printed costs: what a card's numbers and abilities cost in mana."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from clashsim.clash.cards import Card

_FILE = Path(__file__).parent / "data" / "prices" / "publisher.toml"


@dataclass(frozen=True, slots=True)
class Formula:
    """Mana that a card of a kind costs: the base, and each term times how much of it the card has.

    Attributes
    ----------
    base : float
    prices : dict of str to float
        By term: "attack", "health", the names of abilities, and "aura of" one.
    """

    base: float
    prices: Mapping[str, float]

    def cost(self, card: Card) -> float:
        """Return what a card costs, before it is rounded to whole mana."""
        return self.base + sum(self.prices[term] * amount for term, amount in terms_of(card))


def terms_of(card: Card) -> Iterator[tuple[str, int]]:
    """Yield the terms of a card, and how much it has of each."""
    yield "attack", card.attack
    if card.health is not None:
        yield "health", card.health
    for ability in card.abilities:
        yield ability, 1
    for ability in card.auras:
        yield aura_of(ability), 1


def aura_of(ability: str) -> str:
    """Return the name of the term for giving an ability to both neighbours."""
    return f"aura of {ability}"


@cache
def formulas() -> dict[str, Formula]:
    """Return the shipped formula, by kind of card."""
    content = tomllib.loads(_FILE.read_text("utf-8"))
    made = {}
    for kind in ("creature", "incantation"):
        table = content[kind]
        prices = {name: float(table[name]) for name in ("attack", "health") if name in table}
        prices |= {name: float(price) for name, price in table["abilities"].items()}
        if "aura" in table:
            prices |= {aura_of(name): price + table["aura"] for name, price in table["abilities"].items()}
        made[kind] = Formula(float(table["base"]), prices)
    return made


def formula_cost(card: Card) -> float:
    """Return what a card costs by the shipped formula, before rounding."""
    return formulas()[card.kind].cost(card)
