"""One attack or one Incantation: whom it reaches, what it does, who falls (R12, R20-R25, R29)."""

from clashsim.clash.core.jit import jit
from clashsim.clash.core.lists import (
    BYTE,
    all_of,
    at_least,
    every,
    first_places_in,
    like,
    moved_to_start,
    placed,
    placed_in,
    times,
    value_at,
    without,
)
from clashsim.clash.core.match import (
    INDESTRUCTIBLE_BIT,
    PERFORATION_BIT,
    PROTECTION_BIT,
    SPLASH_BIT,
    Match,
)
from clashsim.clash.core.state import STRUCK, Lane

_STRUCK_BIT = STRUCK.bit_length() - 1


@jit
def abilities_in(lane: Lane) -> int:
    """Return the list of what a lane's creatures can do now: own abilities and both neighbours' Auras (R29)."""
    return lane.abilities | (lane.auras << BYTE) | (lane.auras >> BYTE)


@jit
def with_bit(values: int, bit: int) -> int:
    """Return the set of places whose value has this bit."""
    return (values >> bit) & every(values)


@jit
def occupied(lane: Lane) -> int:
    """Return the set of a lane's places that hold a creature."""
    return first_places_in(lane.cards, lane.length)


@jit
def strike(
    match: Match, lane: Lane, beside: Lane, position: int, damage: int, abilities: int, by_incantation: bool
) -> tuple[int, int]:
    """Let one source hit a creature of `lane` and those that Perforation and Splash reach; remove the
    destroyed.

    Parameters
    ----------
    lane, beside
        The target's lane and the same side's other lane.
    abilities
        Of the source: only Perforation and Splash matter here.

    Returns
    -------
    fallen, count
        The destroyed cards as a list: target, the one behind it, the one beside it. Their owner orders them
        (R14).
    """
    if damage == 0:  # R24: no source, and nothing to do
        return 0, 0
    target = placed_in(lane.cards, 1, position)
    behind = placed_in(lane.cards, (abilities >> PERFORATION_BIT) & 1, position + 1)
    splashes = (abilities >> SPLASH_BIT) & 1
    across = placed_in(beside.cards, splashes, position)
    # All hits come before any removal: they are simultaneous, and Auras still stand (R21).
    fallen_here = hit(match, lane, (target | behind) & occupied(lane), damage, by_incantation)
    fallen_across = like(beside.cards, 0)
    if splashes:
        fallen_across = hit(match, beside, across & occupied(beside), damage, by_incantation)

    fallen = 0
    count = 0
    if fallen_here & target:
        fallen = value_at(lane.cards, position)
        count = 1
    if fallen_here & ~target:
        fallen |= placed(value_at(lane.cards, position + 1), count)
        count += 1
        remove_creature(lane, position + 1)
    if fallen_here & target:
        remove_creature(lane, position)
    if fallen_across:
        fallen |= placed(value_at(beside.cards, position), count)
        count += 1
        remove_creature(beside, position)
    return fallen, count


@jit
def hit(match: Match, lane: Lane, hits: int, damage: int, by_incantation: bool) -> int:
    """Do the damage of one source to a set of creatures of a lane; return the set of those that it destroys."""
    abilities = abilities_in(lane)
    harmed = hits & ~absorbing(match, lane, abilities, by_incantation)
    lane.damages += times(harmed, damage)
    lane.marks |= (hits & counting(match, abilities, by_incantation)) << _STRUCK_BIT
    return harmed & at_least(lane.damages, lane.healths)


@jit
def would_fall(match: Match, lane: Lane, damage: int, by_incantation: bool) -> int:
    """Return the set of a lane's creatures that one source of `damage` would destroy (R12, R24, R25)."""
    spared = absorbing(match, lane, abilities_in(lane), by_incantation)
    return occupied(lane) & ~spared & at_least(lane.damages + all_of(lane.damages, damage), lane.healths)


@jit
def absorbing(match: Match, lane: Lane, abilities: int, by_incantation: bool) -> int:
    """Return the set of creatures that take nothing: Indestructible (R25), or Protection not yet used (R24)."""
    protected = with_bit(abilities, PROTECTION_BIT) & ~with_bit(lane.marks, _STRUCK_BIT)
    if not by_incantation:
        return protected
    ignoring = with_bit(abilities, INDESTRUCTIBLE_BIT)
    return ignoring | protected if match.protection_against_incantations else ignoring


@jit
def counting(match: Match, abilities: int, by_incantation: bool) -> int:
    """Return the set of creatures whose first source of the turn this would be (R24 and its two switches)."""
    if not by_incantation:
        return every(abilities)
    if not match.protection_against_incantations:
        return like(abilities, 0)
    if match.ignored_uses_protection:
        return every(abilities)
    return every(abilities) & ~with_bit(abilities, INDESTRUCTIBLE_BIT)


@jit
def add_creature(match: Match, lane: Lane, card: int, marks: int) -> None:
    """Put a creature at the back of a lane (R5)."""
    face = match.cards[card]
    place = placed_in(lane.cards, 1, lane.length)
    lane.cards |= times(place, card)
    lane.costs |= times(place, face.cost)
    lane.attacks |= times(place, face.attack)
    lane.healths |= times(place, face.health)
    lane.abilities |= times(place, face.abilities)
    lane.auras |= times(place, face.auras)
    lane.marks |= times(place, marks)
    lane.length += 1


@jit
def remove_creature(lane: Lane, position: int) -> None:
    """Take a destroyed creature out of its lane; those behind close up (R12). Summoned again it is a new creature."""
    lane.cards = without(lane.cards, position)
    lane.costs = without(lane.costs, position)
    lane.attacks = without(lane.attacks, position)
    lane.healths = without(lane.healths, position)
    lane.damages = without(lane.damages, position)
    lane.abilities = without(lane.abilities, position)
    lane.auras = without(lane.auras, position)
    lane.marks = without(lane.marks, position)
    lane.length -= 1


@jit
def move_to_front(lane: Lane, position: int) -> None:
    """Move a creature to the front of its lane, past those before it (R27)."""
    lane.cards = moved_to_start(lane.cards, position)
    lane.costs = moved_to_start(lane.costs, position)
    lane.attacks = moved_to_start(lane.attacks, position)
    lane.healths = moved_to_start(lane.healths, position)
    lane.damages = moved_to_start(lane.damages, position)
    lane.abilities = moved_to_start(lane.abilities, position)
    lane.auras = moved_to_start(lane.auras, position)
    lane.marks = moved_to_start(lane.marks, position)
