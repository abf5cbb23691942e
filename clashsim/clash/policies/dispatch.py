"""What the core asks a policy, by its number: the next action in the summon phase and in the assault."""

from clashsim.clash.core.jit import jit
from clashsim.clash.core.match import Match
from clashsim.clash.core.state import Side, State
from clashsim.clash.policies import GREEDY, RANDOM, WILD, greedy, planned, random, wild
from clashsim.clash.policies.action import Action
from clashsim.clash.policies.scratch import Search


@jit
def next_play(state: State, match: Match, search: Search, side: Side, enemy: Side) -> Action:
    """Ask for the next action of the summon phase."""
    policy = match.policies[state.active]
    if policy == GREEDY:
        return greedy.next_play(state, match, side, enemy)
    if policy == RANDOM:
        return random.next_play(state, match, side)
    if policy == WILD:
        return wild.next_play(state, match, side)
    return planned.next_play(state, match, search)


@jit
def casts_in_assault(policy: int) -> bool:
    """Tell whether a policy ever casts in the assault phase; one that doesn't is not asked."""
    return policy >= WILD


@jit
def next_assault_cast(state: State, match: Match, search: Search, side: Side) -> Action:
    """Ask for a cast between the activations of the assault, or STOP (R8, R9)."""
    if match.policies[state.active] == WILD:
        return wild.next_assault_cast(state, match, side)
    return planned.next_assault_cast(state, match, search)
