"""Positions built by hand, from words."""

from collections.abc import Mapping, Sequence
from typing import Any

from naive.rules import BASTION, FORT, Creature, Duel


def creature(
    attack: int = 0, health: int = 1, cost: int = 0, abilities: Sequence[str] = (), auras: Sequence[str] = ()
) -> dict[str, Any]:
    numbers = {"cost": cost, "attack": attack, "health": health}
    return {"kind": "creature", **numbers, "abilities": abilities, "auras": auras}


def incantation(attack: int, cost: int = 1, abilities: Sequence[str] = ()) -> dict[str, Any]:
    numbers = {"cost": cost, "attack": attack, "health": None}
    return {"kind": "incantation", **numbers, "abilities": abilities, "auras": ()}


CARDS = {
    **{name: creature() for name in "abcdefghxyz"},
    "WALL": creature(health=9),
    "OGRE": creature(attack=3, health=3),
    "ELF": creature(health=3, cost=1),
    "ORC": creature(health=3, cost=2),
    "TROLL": creature(health=3, cost=6),
    "ABERRATION": creature(2, 3, 9, ("Sprint", "Rage", "Berserk", "Perforation", "Indestructible")),
    "BERSERKER": creature(attack=2, health=2, abilities=("Berserk",)),
    "CARAPACE": creature(health=4, abilities=("Protection",)),
    "STATUE": creature(health=5, abilities=("Indestructible",)),
    "SENTINEL": creature(health=1, abilities=("Indestructible", "Protection")),
    "MACHINE": creature(health=2, auras=("Protection",)),
    "VORTEX": creature(health=2, auras=("Sprint",)),
    "CYCLONE": incantation(3, 4, ("Splash", "Perforation")),
    "BOLT": incantation(3),
    "SPARK": incantation(0),
}


def position(
    hands: Sequence[str] = ("", ""),
    lanes: Sequence[Sequence[str]] = (("", ""), ("", "")),
    mana: int = 20,
    cards: Mapping[str, Mapping[str, Any]] = CARDS,
    **rules: Any,
) -> Duel:
    """A position with side 0 to move; hands and lanes as words, a missing fortress is added leftmost."""
    duel = Duel(cards, rules, ((), ()), first=0)
    duel.start_turn()
    duel.mana = mana
    for owner, side in enumerate(duel.sides):
        side.hand = hand_of(hands[owner])
        side.lanes = lined_up(owner, lanes[owner])
    return duel


def hand_of(text: str) -> list[str]:
    hand = words(text)
    return hand if BASTION in hand or FORT in hand else [BASTION, *(hand or "abc")]


def lined_up(owner: int, lanes: Sequence[str]) -> list[list[Creature]]:
    return [[Creature(name, owner, arrived=False) for name in words(lane)] for lane in lanes]


def words(text: str) -> list[str]:
    return text.split()


def names(line: list[Creature]) -> list[str]:
    return [one.name for one in line]
