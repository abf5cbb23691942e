"""What a user's policy answers: an action in one number.

A byte each for the kind, the slot of the hand, the lane, the position and the side of the target, the kind
lowest. Sides are seen from the player: MINE and THEIRS.
"""

from clashsim.clash.core.jit import jit
from clashsim.clash.policies.action import CAST, STOP, SUMMON

__all__ = [
    "CAST",
    "MINE",
    "STOP",
    "SUMMON",
    "THEIRS",
    "cast",
    "kind_of",
    "lane_of",
    "position_of",
    "side_of",
    "slot_of",
    "summon",
]

MINE, THEIRS = 0, 1

_SLOT, _LANE, _POSITION, _SIDE, _END = 8, 16, 24, 32, 40
_BYTE_MASK = 0xFF
NOWHERE = _BYTE_MASK  # a slot, lane, position or side that is out of all bounds


@jit
def summon(slot: int, lane: int) -> int:
    """Return the action: play the creature at a slot of the hand to the back of a lane (R4, R5)."""
    return SUMMON | _byte(slot) << _SLOT | _byte(lane) << _LANE


@jit
def cast(slot: int, side: int, lane: int, position: int) -> int:
    """Return the action: play the Incantation at a slot of the hand on a creature in play (R8)."""
    place = _byte(side) << _SIDE | _byte(lane) << _LANE | _byte(position) << _POSITION
    return CAST | _byte(slot) << _SLOT | place


@jit
def kind_of(action: int) -> int:
    """Return STOP, SUMMON or CAST."""
    return action & _BYTE_MASK


@jit
def slot_of(action: int) -> int:
    """Return the slot of the hand that an action plays."""
    return action >> _SLOT & _BYTE_MASK


@jit
def lane_of(action: int) -> int:
    """Return the lane of a summon, or of a cast's target."""
    return action >> _LANE & _BYTE_MASK


@jit
def position_of(action: int) -> int:
    """Return the position of a cast's target, 0 the front."""
    return action >> _POSITION & _BYTE_MASK


@jit
def side_of(action: int) -> int:
    """Return the side of a cast's target, MINE or THEIRS."""
    return action >> _SIDE & _BYTE_MASK


@jit
def is_action(answer: int) -> bool:
    """Tell whether a number is an action at all, legal or not."""
    return answer == STOP or (0 < answer < 1 << _END and STOP < kind_of(answer) <= CAST)


@jit
def _byte(value: int) -> int:
    return value if 0 <= value < NOWHERE else NOWHERE
