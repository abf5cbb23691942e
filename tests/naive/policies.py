"""The two yardstick policies and `wild`, which uses every freedom of the rules.

A policy answers two questions: `act`, its next action in a phase ("summon" or "assault"), None to stop; and
`order`, the order in which its creatures that were destroyed together return (R14). Chance comes from
`pick(n)`, an index below n.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from naive.rules import Creature, Duel

Pick = Callable[[int], int]


class Summon(NamedTuple):
    """Play a creature to the back of a lane."""

    name: str
    lane: int


class Cast(NamedTuple):
    """Play an Incantation on a creature."""

    name: str
    target: Creature


Action = Summon | Cast


class Policy(Protocol):
    """What the game asks a player."""

    def act(self, duel: Duel, phase: str, pick: Pick) -> Action | None: ...

    def order(self, destroyed: list[Creature], pick: Pick) -> list[Creature]: ...


def summons(duel: Duel, breaching: bool) -> list[Summon]:
    """Legal creature plays by hand slot, then lane; self-breaching ones (R19) only if `breaching`."""
    names = [name for name in duel.playable() if duel.can_summon(name)]
    if not breaching:
        names = [name for name in names if not duel.breaches(name)]
    return [Summon(name, lane) for name in names for lane in (0, 1)]


def casts(duel: Duel) -> list[Cast]:
    """Legal Incantation plays by hand slot, then by target: own lanes, enemy lanes, from the front."""
    names = [name for name in duel.playable() if duel.can_cast(name)]
    return [Cast(name, target) for name in names for target in duel.targets()]


def choose(actions: list[Action], pick: Pick) -> Action | None:
    """One of the actions, or "stop", which stands last."""
    return [*actions, None][pick(len(actions) + 1)]


class Random:
    """Any legal action or stop, all equally likely; no self-breach, no casts in the assault."""

    def act(self, duel: Duel, phase: str, pick: Pick) -> Action | None:
        if phase == "assault":
            return None
        return choose([*summons(duel, breaching=False), *casts(duel)], pick)

    def order(self, destroyed: list[Creature], pick: Pick) -> list[Creature]:
        return destroyed


class Greedy:
    """The Incantation that destroys most, else the dearest creature, else stop; no casts in the assault.

    The options come in the order that decides ties, and `max` keeps the first of equals.
    """

    def act(self, duel: Duel, phase: str, pick: Pick) -> Action | None:
        if phase == "assault":
            return None
        return self.best_cast(duel) or self.best_summon(duel)

    def order(self, destroyed: list[Creature], pick: Pick) -> list[Creature]:
        return destroyed

    @staticmethod
    def best_cast(duel: Duel) -> Cast | None:
        """Highest total cost of destroyed enemy creatures, above 0; ties: lowest slot, lane, position."""
        options = [cast for cast in casts(duel) if cast.target.owner != duel.active]
        if not options:
            return None
        best = max(options, key=lambda cast: destroyed_cost(duel, cast))
        return best if destroyed_cost(duel, best) > 0 else None

    @staticmethod
    def best_summon(duel: Duel) -> Summon | None:
        """Highest cost, ties the leftmost; into the lane where the enemy is most ahead, ties the upper."""
        options = summons(duel, breaching=False)
        if not options:
            return None
        dearest = max(options, key=lambda summon: duel.cards[summon.name]["cost"])
        return Summon(dearest.name, lane=1 if pressure(duel, 1) > pressure(duel, 0) else 0)


def destroyed_cost(duel: Duel, cast: Cast) -> int:
    """Total cost of the creatures that the Incantation would destroy."""
    card = duel.cards[cast.name]
    destroyed = duel.would_destroy(cast.target, set(card["abilities"]), card["attack"], "incantation")
    return sum(duel.cards[creature.name]["cost"] for creature in destroyed)


def pressure(duel: Duel, lane: int) -> int:
    """Printed attack values in a lane, the enemy's sum minus the own."""
    own, enemy = (
        sum(duel.cards[creature.name]["attack"] for creature in duel.sides[side].lanes[lane])
        for side in (duel.active, 1 - duel.active)
    )
    return enemy - own


class Wild(Random):
    """Any legal action or stop, self-breaches and casts in the assault included; any order of return."""

    def act(self, duel: Duel, phase: str, pick: Pick) -> Action | None:
        creatures = summons(duel, breaching=True) if phase == "summon" else []
        return choose([*creatures, *casts(duel)], pick)

    def order(self, destroyed: list[Creature], pick: Pick) -> list[Creature]:
        remaining = list(destroyed)
        return [remaining.pop(pick(len(remaining))) for _ in destroyed]


POLICIES: dict[str, Policy] = {"random": Random(), "greedy": Greedy(), "wild": Wild()}
