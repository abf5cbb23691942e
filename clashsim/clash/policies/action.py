"""What a policy answers: the next action of the side to move."""

from typing import NamedTuple

from clashsim.clash.core.jit import jit

STOP, SUMMON, CAST = range(3)


class Action(NamedTuple):
    """One decision. A summon uses slot and lane, a cast slot and the three coordinates of its target."""

    kind: int  # STOP, SUMMON or CAST
    slot: int  # place in the hand from the left, the fortress not counted
    side: int
    lane: int
    position: int


NOTHING = Action(STOP, 0, 0, 0, 0)

# An action in one word.
_SLOT, _SIDE, _LANE, _POSITION, _ORDER = 2, 5, 6, 7, 12


@jit
def packed(kind: int, slot: int, side: int, lane: int, position: int, order: int) -> int:
    """Return an action as one word."""
    return kind | slot << _SLOT | side << _SIDE | lane << _LANE | position << _POSITION | order << _ORDER


@jit
def unpacked(word: int) -> tuple[Action, int]:
    """Return an action that is one word, and its order of return."""
    action = Action(
        word & (1 << _SLOT) - 1,
        word >> _SLOT & (1 << _SIDE - _SLOT) - 1,
        word >> _SIDE & 1,
        word >> _LANE & 1,
        word >> _POSITION & (1 << _ORDER - _POSITION) - 1,
    )
    return action, word >> _ORDER
