"""`tactician`: searches its whole turn and plays the way that looks best after the enemy's attack."""

from typing import Any

from numba import carray

from clashsim.clash.core.jit import cold
from clashsim.clash.core.match import Match
from clashsim.clash.core.state import State
from clashsim.clash.policies.lookahead.search import search_turn
from clashsim.clash.policies.scratch import Search


@cold
def plan_turn(state: State, match: Match, search: Search) -> None:
    """Search the turn that has begun and write down the best way to play it."""
    search_turn(state, match, search)
    plan = search.plans[state.active]
    plan.next = 0
    plan.length = search.best_length
    for index in range(search.best_length):
        plan.actions[index] = search.best[index]


def plan_turn_at(state: Any, match: Any, search: Any) -> None:
    """Do the same, given pointers: what the core calls."""
    plan_turn(carray(state, 1)[0], carray(match, 1)[0], carray(search, 1)[0])
