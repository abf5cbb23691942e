"""State and rules of the duel (R1-R31), with lists and small classes; solo.py has what solo games add.

The methods of `Duel` carry out what they are told; whether it is legal is asked separately (`can_summon`,
`can_cast`, `next_activation`, `attacks`), so that a referee can name what was wrong with someone else's game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

BASTION, FORT = "BASTION", "FORT"
FORTRESS = (BASTION, FORT)
ABILITIES = ("Splash", "Perforation", "Rage", "Protection", "Indestructible", "Berserk", "Sprint")
SWITCHES = {
    "self_breach": ("on", "off"),
    "ignored_uses_protection": ("off", "on"),
    "protection_against": ("sources", "attacks"),
    "ai_last_turn": ("next", "current"),
    "resistance_reading": ("minus_one", "to_one"),
}
DEFAULT_RULES: dict[str, Any] = {
    "turn_limit": 200,
    "first_mana": 6,
    "window": 4,
    **{name: values[0] for name, values in SWITCHES.items()},
}


@dataclass(eq=False)
class Creature:
    """A creature in play; a card that returns to play is a new one (R12)."""

    name: str
    owner: int
    damage: int = 0
    arrived: bool = True  # this turn (R10)
    activated: bool = False  # this turn (R9)
    bonus: int = 0  # attack gained by Sprint (R27)
    struck: bool = False  # a source of damage has hit it this turn (R24)


@dataclass
class Side:
    """What one player owns."""

    hand: list[str]  # left to right, the fortress as BASTION or FORT
    lanes: list[list[Creature]] = field(default_factory=lambda: [[], []])  # upper, lower; from the front
    given: frozenset[str] = frozenset()  # abilities that all its creatures have

    def receive(self, name: str) -> None:
        """The card of a destroyed creature comes back (R12)."""
        self.hand.append(name)

    def state(self) -> dict[str, Any]:
        """The side as a trace shows it."""
        return {"hand": list(self.hand), "lanes": lanes_of(self)}


@dataclass
class Attack:
    """What one attack did."""

    position: int  # of the attacker, before its Sprint move
    target: str  # "creature" or "fortress"
    destroyed: list[Creature]
    again: bool  # the same creature must attack again (R26)


def lanes_of(side: Any) -> list[list[list[Any]]]:
    """Per lane the creatures from the front, each with its damage."""
    return [[[creature.name, creature.damage] for creature in lane] for lane in side.lanes]


# Owner and creatures destroyed together -> the same creatures in the order of their return (R14)
ReturnOrder = Callable[[int, list[Creature]], list[Creature]]


class Duel:
    """One game: the position, whose turn it is, and what the rules say about it.

    Parameters
    ----------
    cards : name -> {"kind", "cost", "attack", "health", "abilities", "auras"}
    rules : settings that differ from `DEFAULT_RULES`
    hands : for each side the cards from left to right, without the fortress (R1)
    first : the side that takes the first turn
    """

    def __init__(
        self,
        cards: Mapping[str, Mapping[str, Any]],
        rules: Mapping[str, Any],
        hands: Sequence[Sequence[str]],
        first: int,
    ) -> None:
        self.cards = cards
        self.rules = {**DEFAULT_RULES, **rules}
        self.sides = [Side([BASTION, *hand]) for hand in hands]
        self.first = first
        self.turn = 0
        self.active = 1 - first
        self.mana = 0
        self.upper_over = False  # the lower lane has attacked (R9)
        self.loser: int | None = None

    # ---- looking at the position

    @property
    def over(self) -> bool:
        """Whether a Fort has fallen (R30) or, between turns, the turn limit is reached (R31)."""
        return self.loser is not None or self.turn >= self.rules["turn_limit"]

    @property
    def outcome(self) -> tuple[int | None, str]:
        """Winner and reason once the game is over (R30, R31)."""
        return (None, "turn_limit") if self.loser is None else (1 - self.loser, "fort")

    def where(self, creature: Creature) -> tuple[int, int]:
        """Lane and position of a creature in play."""
        for lane, line in enumerate(self.sides[creature.owner].lanes):
            if creature in line:
                return lane, line.index(creature)
        raise ValueError(f"{creature.name} is not in play")

    def abilities(self, creature: Creature) -> set[str]:
        """Printed abilities, those given to the whole side, and those of adjacent Auras (R29)."""
        side = self.sides[creature.owner]
        lane, position = self.where(creature)
        found = {*self.cards[creature.name]["abilities"], *side.given}
        for neighbour in (position - 1, position + 1):
            if 0 <= neighbour < len(side.lanes[lane]):
                found.update(self.cards[side.lanes[lane][neighbour].name]["auras"])
        return found

    def targets(self) -> list[Creature]:
        """All creatures in play: own upper lane, own lower, enemy upper, enemy lower; each from the front."""
        sides = (self.sides[self.active], self.sides[1 - self.active])
        return [creature for side in sides for lane in side.lanes for creature in lane]

    # ---- summon phase (R3-R8)

    def playable(self) -> list[str]:
        """The affordable ones of the leftmost cards, the fortress not counted (R4)."""
        others = [name for name in self.sides[self.active].hand if name not in FORTRESS]
        return [name for name in others[: self.rules["window"]] if self.cards[name]["cost"] <= self.mana]

    def breaches(self, name: str) -> bool:
        """Whether playing this creature leaves the own fortress rightmost (R19)."""
        return [other for other in self.sides[self.active].hand if other != name][-1] in FORTRESS

    def can_summon(self, name: str) -> bool:
        """R4, R7, R19."""
        hand = self.sides[self.active].hand
        return (
            name in self.playable()
            and self.cards[name]["kind"] == "creature"
            and len(hand) > 2  # the fortress, this card, and at least one more
            and (self.rules["self_breach"] == "on" or not self.breaches(name))
        )

    def can_cast(self, name: str) -> bool:
        """R4, R8; a target must be in play as well."""
        return name in self.playable() and self.cards[name]["kind"] == "incantation"

    def start_turn(self) -> None:
        """R3."""
        self.turn += 1
        self.active = 1 - self.active
        self.mana = self.mana_now()
        self.upper_over = False

    def mana_now(self) -> int:
        """R3."""
        return self.rules["first_mana"] if self.turn == 1 else len(self.sides[self.active].hand)

    def summon(self, name: str, lane: int) -> None:
        """R5, R19."""
        side = self.sides[self.active]
        self.mana -= self.cards[name]["cost"]
        side.hand.remove(name)
        side.lanes[lane].append(Creature(name, self.active))
        self.settle_fortress(self.active)

    def cast(self, name: str, target: Creature, order: ReturnOrder) -> list[Creature]:
        """R8: own creatures that it destroys are in the hand before the card moves to the right end."""
        card = self.cards[name]
        hand = self.sides[self.active].hand
        self.mana -= card["cost"]
        destroyed = self.strike(target, set(card["abilities"]), card["attack"], "incantation", order)
        hand.remove(name)
        hand.append(name)
        return destroyed

    # ---- assault phase (R9-R14, R23, R26-R28)

    def next_activation(self) -> Creature | None:
        """The creature that activates now: the rearmost of the lane that still can (R9, R10)."""
        lanes = self.sides[self.active].lanes
        for lane in lanes[1:] if self.upper_over else lanes:
            for creature in reversed(lane):
                ready = not creature.arrived or "Rage" in self.abilities(creature)
                if ready and not creature.activated:
                    return creature
        return None

    def attacks(self, creature: Creature) -> bool:
        """Whether its activation is an attack: on the turn it arrived, only on enemy creatures (R23)."""
        lane, _ = self.where(creature)
        return not creature.arrived or bool(self.sides[1 - creature.owner].lanes[lane])

    def attack(self, creature: Creature, order: ReturnOrder) -> Attack:
        """One attack (R11), the Sprint move first (R27)."""
        lane, position = self.where(creature)
        self.upper_over = self.upper_over or lane == 1
        if "Sprint" in self.abilities(creature):
            own_lane = self.sides[creature.owner].lanes[lane]
            own_lane.insert(0, own_lane.pop(position))
            creature.bonus += position
        abilities = self.abilities(creature)
        power = self.cards[creature.name]["attack"] + creature.bonus
        enemies = self.sides[1 - creature.owner].lanes[lane]
        if not enemies:
            self.damage_fortress(1 - creature.owner, power)
            return Attack(position, "fortress", [], again=False)
        destroyed = self.strike(enemies[0], abilities, power, "attack", order)
        again = "Berserk" in abilities and bool(destroyed) and self.attacks(creature)
        return Attack(position, "creature", destroyed, again)

    def end_turn(self) -> None:
        """R13; what held for this turn only is forgotten."""
        for creature in self.targets():
            creature.damage = 0
            creature.bonus = 0
            creature.arrived = creature.activated = creature.struck = False

    # ---- damage (R12, R14-R17, R20-R25)

    def hits(self, target: Creature, abilities: set[str]) -> list[Creature]:
        """Whom a source with these abilities hits: the target, the one behind, the one beside (R20-R22)."""
        lanes = self.sides[target.owner].lanes
        lane, position = self.where(target)
        found = [target]
        if "Perforation" in abilities:
            found += lanes[lane][position + 1 : position + 2]
        if "Splash" in abilities:
            found += lanes[1 - lane][position : position + 1]
        return found

    def is_source(self, creature: Creature, power: int, kind: str) -> bool:
        """Whether this hit counts as a source of damage for Protection (R24)."""
        if power < 1:
            return False
        if kind == "attack":
            return True
        if self.rules["protection_against"] == "attacks":
            return False
        ignored = "Indestructible" in self.abilities(creature)
        return not ignored or self.rules["ignored_uses_protection"] == "on"

    def damage_of(self, creature: Creature, power: int, kind: str) -> int:
        """Damage that a hit does to the creature after Indestructible (R25) and Protection (R24)."""
        abilities = self.abilities(creature)
        if kind == "incantation" and "Indestructible" in abilities:
            return 0
        if "Protection" in abilities and not creature.struck and self.is_source(creature, power, kind):
            return 0
        return power

    def would_destroy(self, target: Creature, abilities: set[str], power: int, kind: str) -> list[Creature]:
        """The creatures that this source would destroy: target, behind, beside."""
        return [
            creature
            for creature in self.hits(target, abilities)
            if creature.damage + self.damage_of(creature, power, kind) >= self.cards[creature.name]["health"]
        ]

    def strike(
        self, target: Creature, abilities: set[str], power: int, kind: str, order: ReturnOrder
    ) -> list[Creature]:
        """One "attack" or "incantation" hits; returns the destroyed in the order of their return (R14).

        Everything is read before any creature changes or leaves (R21).
        """
        destroyed = self.would_destroy(target, abilities, power, kind)
        blows = [
            (creature, self.damage_of(creature, power, kind), self.is_source(creature, power, kind))
            for creature in self.hits(target, abilities)
        ]
        for creature, damage, counts in blows:
            creature.damage += damage
            creature.struck = creature.struck or counts
        if len(destroyed) > 1:
            destroyed = order(target.owner, destroyed)
        for creature in destroyed:
            lane, position = self.where(creature)
            del self.sides[creature.owner].lanes[lane][position]
            self.sides[creature.owner].receive(creature.name)
        return destroyed

    def damage_fortress(self, owner: int, damage: int) -> None:
        """R15."""
        hand = self.sides[owner].hand
        place = next(i for i, name in enumerate(hand) if name in FORTRESS)
        hand.insert(place + damage, hand.pop(place))
        self.settle_fortress(owner)

    def settle_fortress(self, owner: int) -> None:
        """A rightmost Bastion turns to its Fort side, a rightmost Fort loses the game (R16, R17, R19)."""
        hand = self.sides[owner].hand
        if hand[-1] == BASTION:
            hand.pop()
            hand.insert(0, FORT)
        elif hand[-1] == FORT:
            self.loser = owner
