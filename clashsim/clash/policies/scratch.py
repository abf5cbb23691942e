"""The scratch memory of policies that look ahead: states on the way, what has been seen, the plan of the turn."""

from typing import TypeAlias

import numpy as np

from clashsim.clash.core.events import LOG
from clashsim.clash.core.jit import jit
from clashsim.clash.core.match import MATCH
from clashsim.clash.core.state import SIDES, STATE, record

DEPTH = 48  # plays in a turn, far more than mana and cards allow
PLAN_ROOM = 96  # plays and "go on"s of a turn
MOST_MOVES = 192  # 8 cards on 2 lanes; 8 cards on 14 targets, with the orders in which own creatures return
TABLE_BITS = 14
TABLE = 1 << TABLE_BITS

PLAN = record(
    [
        ("turn", np.int64),  # which turn it is for; 0 = none
        ("next", np.int64),
        ("length", np.int64),
        ("actions", np.int64, PLAN_ROOM),  # packed, as in search.py
    ]
)

# A position on the way, with what can be done there.
FRAME = record(
    [
        ("in_assault", np.int64),  # 0 in the summon phase, 1 in the assault
        ("length", np.int64),  # of the path to it
        ("next", np.int64),
        ("count", np.int64),
        ("moves", np.int64, MOST_MOVES),  # packed, as in search.py
    ]
)

SEARCH = record(
    [
        ("plans", PLAN, SIDES),
        ("me", np.int64),  # the side that thinks
        ("best_value", np.float64),
        ("best_length", np.int64),
        ("best", np.int64, PLAN_ROOM),
        ("path", np.int64, PLAN_ROOM),
        ("won", np.int64),  # 1 once a win this turn is found
        ("leaves", np.int64),  # whole turns evaluated
        ("sprint", np.int64),  # 1 if an own card gives Sprint to its neighbours
        ("stamp", np.int64),  # of this search's entries in the table
        ("entries", np.int64),
        ("stamps", np.int64, TABLE),
        ("keys", np.uint64, TABLE),
        ("match", MATCH),  # as the side imagines it
        ("states", STATE, DEPTH),
        ("frames", FRAME, DEPTH),
        ("log", LOG),  # closed: nothing imagined is recorded
    ]
)

Search: TypeAlias = np.record  # for annotations
Frame: TypeAlias = np.record


def new_search() -> np.ndarray:
    """Return an array of one SEARCH; its memory is not touched before a policy looks ahead."""
    return np.zeros(1, SEARCH)


@jit
def forget(search: Search) -> None:
    """Forget the plans of the game before."""
    for side_number in range(SIDES):
        search.plans[side_number].turn = 0
