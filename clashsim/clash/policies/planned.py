"""Policies that plan their whole turn when it begins: the plan is asked for once and then played step by step.

A unit that wants to be asked for every single decision leaves its plan's turn at 0.
"""

from clashsim.clash.core.jit import jit
from clashsim.clash.core.match import Match
from clashsim.clash.core.state import State, side_of
from clashsim.clash.policies.action import NOTHING, Action, unpacked
from clashsim.clash.policies.scratch import Search
from clashsim.clash.policies.units import ask


@jit
def next_play(state: State, match: Match, search: Search) -> Action:
    """Return the next play of the plan of this turn, which is made when it is first asked for."""
    _make_plan(state, match, search, 0)
    return _next_planned(state, search)


@jit
def next_assault_cast(state: State, match: Match, search: Search) -> Action:
    """Return the next cast of the plan between two activations, or STOP."""
    _make_plan(state, match, search, 1)
    return _next_planned(state, search)


@jit
def _make_plan(state: State, match: Match, search: Search, in_assault: int) -> None:
    """Let the unit plan, unless it has planned this turn."""
    if search.plans[state.active].turn != state.turn:
        search.plans[state.active].turn = state.turn
        search.in_assault = in_assault
        ask(match.planners[state.active], state, match, search)


@jit
def _next_planned(state: State, search: Search) -> Action:
    """Return the next action of the plan, and tell the core the order in which own creatures come home by it."""
    plan = search.plans[state.active]
    side = side_of(state, state.active)
    side.order = 0
    if plan.next >= plan.length:
        return NOTHING
    action, side.order = unpacked(plan.actions[plan.next])
    plan.next += 1
    return action
