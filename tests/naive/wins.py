"""Whether the side to move can win this turn: every play, every cast between activations, every return order."""

from copy import deepcopy
from itertools import permutations

from naive.policies import casts, summons
from naive.rules import Creature, Duel


def can_win(duel: Duel, in_assault: bool = False, seen: set | None = None) -> bool:
    """Try everything from a position of the turn of the side to move; positions met before are not tried again."""
    seen = set() if seen is None else seen
    key = (in_assault, described(duel))
    if key in seen:
        return False
    seen.add(key)
    successors = [] if in_assault else [summoned(duel, play.name, play.lane) for play in summons(duel, True)]
    for play in casts(duel):
        successors += after_cast(duel, play.name, place_of(duel, play.target))
    if any(
        wins(duel, child) or (child.loser is None and can_win(child, in_assault, seen))
        for child in successors
    ):
        return True
    child = activated(duel)
    return child is not None and (wins(duel, child) or (child.loser is None and can_win(child, True, seen)))


def wins(duel: Duel, child: Duel) -> bool:
    return child.loser == 1 - duel.active


def described(duel: Duel) -> tuple:
    """All that decides how the turn can go on."""
    sides = [
        (tuple(side.hand), tuple(tuple(condition(one) for one in lane) for lane in side.lanes))
        for side in duel.sides
    ]
    return duel.mana, duel.upper_over, tuple(sides)


def condition(one: Creature) -> tuple:
    return one.name, one.damage, one.arrived, one.activated, one.bonus, one.struck


def place_of(duel: Duel, creature: Creature) -> tuple[int, int, int]:
    return (creature.owner, *duel.where(creature))


def summoned(duel: Duel, name: str, lane: int) -> Duel:
    child = deepcopy(duel)
    child.summon(name, lane)
    return child


def after_cast(duel: Duel, name: str, place: tuple[int, int, int]) -> list[Duel]:
    """The position after a cast; several where own creatures can return in different orders (R14)."""
    owner, lane, position = place
    children = []
    for number in range(6):
        child = deepcopy(duel)
        orders = [1]

        def order(owner: int, fallen: list[Creature], number=number, orders=orders) -> list[Creature]:
            if owner != duel.active:
                return fallen
            ways = list(permutations(fallen))
            orders[0] = len(ways)
            return list(ways[number % len(ways)])

        child.cast(name, child.sides[owner].lanes[lane][position], order)
        children.append(child)
        if number + 1 >= orders[0]:
            break
    return children


def activated(duel: Duel) -> Duel | None:
    """The position after the next activation with all its attacks; None when the assault is over."""
    child = deepcopy(duel)
    creature = child.next_activation()
    if creature is None:
        return None
    creature.activated = True
    again = child.attacks(creature)
    while again and child.loser is None:
        again = child.attack(creature, lambda owner, fallen: fallen).again
    return child
