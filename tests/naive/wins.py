"""Whether the side to move can win this turn: every play, every cast between activations, every return order.

In solo games a turn wins that uncovers the AI's Fort, if the player survives the AI's last turn.
"""

from copy import deepcopy
from itertools import permutations

from naive.policies import casts, summons
from naive.rules import Creature, Duel, Side
from naive.solo import AISide, Solo


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
    if child is None:
        return isinstance(duel, Solo) and survives_the_last_turn(duel)
    return wins(duel, child) or (child.loser is None and can_win(child, True, seen))


def wins(duel: Duel, child: Duel) -> bool:
    return child.loser == 1 - duel.active


def survives_the_last_turn(solo: Solo) -> bool:
    """Whether the own turn being over the AI's last one comes, in which it reveals nothing, and does not win."""
    child = deepcopy(solo)
    child.end_turn()
    if child.last_turn != child.turn + 1:
        return False
    child.start_turn()
    after: Duel | None = child
    while after is not None and after.loser is None:
        after = activated(after)
    return after is None


def described(duel: Duel) -> tuple:
    """All that decides how the turn can go on."""
    sides = [
        (holdings(side), tuple(tuple(condition(one) for one in lane) for lane in side.lanes))
        for side in duel.sides
    ]
    return duel.mana, duel.upper_over, tuple(sides)


def holdings(side: Side | AISide) -> tuple:
    """A hand; of the AI's cards only how many there are."""
    if isinstance(side, AISide):
        return len(side.deck), len(side.discard), side.fortress
    return tuple(side.hand)


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
        if isinstance(child, Solo) and child.reshuffle_due:
            child.reshuffle(child.ai.discard[::-1])
    return child
