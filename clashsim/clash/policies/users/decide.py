"""The unit that asks a user's function for every single decision, and stops the game at what it may not do."""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic

from clashsim.clash.core.jit import cold, is_compiled
from clashsim.clash.core.match import Match
from clashsim.clash.core.state import STOPPED, State
from clashsim.clash.policies.action import packed
from clashsim.clash.policies.scratch import Search
from clashsim.clash.policies.users.answers import STOP, kind_of, lane_of, position_of, side_of, slot_of
from clashsim.clash.policies.users.seeing import fill_view
from clashsim.clash.policies.users.view import View, new_view

ILLEGAL, RAISED = 1, 2  # Search.fault
NO_ANSWER = -(2**63)  # what the caller of a user's function returns if it raises

uncompiled: list[Callable[[View], int]] = []
"""With the compiler switched off a chooser's address is a place in this list, plus one."""


@intrinsic
def _call(typing_context: Any, address: Any, view: Any) -> Any:
    """Call a function of a pointer to a view at an address; it returns an integer."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        function = ir.FunctionType(ir.IntType(64), [pointer]).as_pointer()
        target = builder.inttoptr(arguments[0], function)
        return builder.call(target, [builder.bitcast(arguments[1], pointer)])

    return types.int64(types.int64, view), codegen


def _choose(address: int, view: View) -> int:
    """Ask the function at an address."""
    return _call(address, view)  # type: ignore[call-arg]  # the typing context is numba's


def _choose_uncompiled(number: int, view: View) -> int:
    """Ask the function with a number."""
    try:
        return int(uncompiled[number - 1](view))
    except Exception:
        return NO_ANSWER


choose: Callable = (
    numba.njit(nogil=True, error_model="numpy")(_choose) if is_compiled() else _choose_uncompiled
)


@cold
def plan_turn(state: State, match: Match, search: Search) -> None:
    """Plan the next action only, as the user's function wants it."""
    _decide(state, match, search, new_view(state))


@cold
def _decide(state: State, match: Match, search: Search, views: np.ndarray) -> None:
    """Do so with an empty view. Its array is the caller's to keep: numba's records do not keep theirs alive."""
    me = state.active
    plan = search.plans[me]
    plan.turn = 0  # so that it is asked again
    plan.next = 0
    plan.length = 0
    view = views[0]
    fill_view(state, match, search.in_assault, view)
    if view.n_actions == 1:
        return
    legal = view.actions.copy()  # the user's function may write into its view
    count = view.n_actions
    answer = choose(match.choosers[me], view)
    if not _is_in(answer, legal, count):
        search.fault = RAISED if answer == NO_ANSWER else ILLEGAL
        search.answer = answer
        state.winner = STOPPED
        return
    state.sides[me].decisions += 1
    if answer != STOP:
        side = me ^ side_of(answer)
        plan.actions[0] = packed(
            kind_of(answer), slot_of(answer), side, lane_of(answer), position_of(answer), 0
        )
        plan.length = 1


@cold
def _is_in(answer: int, actions: np.ndarray, count: int) -> bool:
    """Tell whether an answer is one of the first `count` actions."""
    for index in range(count):  # noqa: SIM110  # any() of a generator is not compiled
        if actions[index] == answer:
            return True
    return False


def plan_turn_at(state: Any, match: Any, search: Any) -> None:
    """Do the same, given pointers: what the core calls."""
    plan_turn(carray(state, 1)[0], carray(match, 1)[0], carray(search, 1)[0])
