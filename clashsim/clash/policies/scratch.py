"""The scratch memory of policies that look ahead: states on the way, what has been seen, the plan of the turn."""

from typing import TypeAlias

import numpy as np

from clashsim.clash.core.events import LOG, SOLO_LOG
from clashsim.clash.core.jit import jit
from clashsim.clash.core.match import MATCH
from clashsim.clash.core.state import SIDES, SOLO_STATE, STATE, record, wide_record

DEPTH = 48  # plays in a turn, far more than mana and cards allow
PLAN_ROOM = 96  # plays and "go on"s of a turn
MOST_MOVES = 384  # 8 cards on 2 lanes; 8 cards on 45 targets, with the orders in which own creatures return
SMALL_TABLE = 1 << 14  # places of the table of positions met: one that stays in the cache of the processor,
LARGE_TABLE = 1 << 20  # and one for the few searches that fill it
MOST_LINES = 16  # ways to play a turn that are kept for a closer look
HISTORY = 128  # own turns that are remembered

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
        ("in_assault", np.int64),  # SUMMONING or ASSAULTING (lookahead/positions.py)
        ("length", np.int64),  # of the path to it
        ("next", np.int64),
        ("count", np.int64),
        ("moves", np.int64, MOST_MOVES),  # packed, as in search.py
    ]
)


def _line_fields(state: np.dtype) -> list[tuple]:
    """Return the fields of a way to play a turn, and where it leads."""
    return [
        ("value", np.float64),
        ("length", np.int64),
        ("actions", np.int64, PLAN_ROOM),
        ("key", np.uint64),  # of the position at the turn's end
        ("end", state),  # that position
        ("leaf", state),  # the position after the enemy's assault
    ]


def _search_fields(state: np.dtype, line: np.dtype, log: np.dtype) -> list[tuple]:
    return [
        ("plans", PLAN, SIDES),
        ("turns", np.int64, SIDES),  # that each side has planned in this game
        ("history", np.uint64, (SIDES, HISTORY)),  # keys of the positions at the ends of these turns
        ("in_assault", np.int64),  # 1 if it is in the assault phase that the unit is asked
        ("fault", np.int64),  # what a user's policy did and may not (policies/users/decide.py), 0 = nothing
        ("answer", np.int64),  # and its answer
        ("me", np.int64),  # the side that thinks
        ("most_leaves", np.int64),  # whole turns that may be evaluated where no win is in sight
        ("most_leaves_for_a_win", np.int64),  # and where one is not excluded
        ("wanted", np.int64),  # lines to keep, at most MOST_LINES
        ("repeats_matter", np.int64),  # 1 to shun positions of the own history
        ("count", np.int64),  # lines kept
        ("lines", line, MOST_LINES),
        ("candidates", line, MOST_LINES),  # lines of the real turn, while others are searched
        ("path", np.int64, PLAN_ROOM),
        ("won", np.int64),  # 1 once a win this turn is found
        ("leaves", np.int64),  # whole turns evaluated
        ("sprint", np.int64),  # 1 if an own card gives Sprint to its neighbours
        ("stamp", np.int64),  # of this search's entries in the tables
        ("entries", np.int64, 2),  # of each table
        ("small_stamps", np.int64, SMALL_TABLE),
        ("small_keys", np.uint64, SMALL_TABLE),
        ("large_stamps", np.int64, LARGE_TABLE),
        ("large_keys", np.uint64, LARGE_TABLE),
        ("match", MATCH),  # as the side imagines it
        ("states", state, DEPTH),
        ("frames", FRAME, DEPTH),
        ("end", state),  # of the turn that is being evaluated
        ("imagined", state),  # a game that goes on in the planner's mind
        ("log", log),  # closed: nothing imagined is recorded
    ]


LINE = record(_line_fields(STATE))
SEARCH = record(_search_fields(STATE, LINE, LOG))
SOLO_LINE = wide_record(_line_fields(SOLO_STATE))
SOLO_SEARCH = wide_record(_search_fields(SOLO_STATE, SOLO_LINE, SOLO_LOG))

Search: TypeAlias = np.record  # for annotations
Frame: TypeAlias = np.record
Line: TypeAlias = np.record


def new_search(search_type: np.dtype = SEARCH) -> np.ndarray:
    """Return an array of one SEARCH, or SOLO_SEARCH; its memory is not touched before a policy looks ahead."""
    return np.zeros(1, search_type)


@jit
def forget(search: Search) -> None:
    """Forget plans, positions and the fault of the game before."""
    search.fault = 0
    for side_number in range(SIDES):
        search.plans[side_number].turn = 0
        search.turns[side_number] = 0
