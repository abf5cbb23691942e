"""What a policy answers: the next action of the side to move."""

from typing import NamedTuple

STOP, SUMMON, CAST = range(3)


class Action(NamedTuple):
    """One decision. A summon uses slot and lane, a cast slot and the three coordinates of its target."""

    kind: int  # STOP, SUMMON or CAST
    slot: int  # place in the hand from the left, the fortress not counted
    side: int
    lane: int
    position: int


NOTHING = Action(STOP, 0, 0, 0, 0)
