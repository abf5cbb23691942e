"""What the core asks a policy, by its number: the next action, the order of the destroyed (R14)."""

from clashsim.clash.core.jit import jit
from clashsim.clash.core.match import Match
from clashsim.clash.core.state import Side, State
from clashsim.clash.policies import GREEDY, RANDOM, WILD, greedy, random, wild
from clashsim.clash.policies.action import Action


@jit
def next_play(state: State, match: Match, side: Side, enemy: Side) -> Action:
    """Ask for the next action of the summon phase."""
    policy = match.policies[state.active]
    if policy == GREEDY:
        return greedy.next_play(state, match, side, enemy)
    if policy == RANDOM:
        return random.next_play(state, match, side)
    return wild.next_play(state, match, side)


@jit
def casts_in_assault(policy: int) -> bool:
    """Tell whether a policy ever casts in the assault phase; one that doesn't is not asked."""
    return policy == WILD


@jit
def draws_numbers(policy: int) -> bool:
    """Tell whether a policy ever draws a random number; for one that doesn't no stream is prepared."""
    return policy != GREEDY


@jit
def next_assault_cast(state: State, match: Match, side: Side) -> Action:
    """Ask for a cast between the activations of the assault, or STOP (R8, R9)."""
    return wild.next_assault_cast(state, match, side)


@jit
def return_order(state: State, match: Match, owner: int, fallen: int, count: int) -> int:
    """Ask the owner of creatures destroyed together for their order (R14); by default target, behind, beside."""
    if match.policies[owner] == WILD:
        return wild.return_order(state, owner, fallen, count)
    return fallen
