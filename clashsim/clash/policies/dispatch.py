"""The questions the core asks a policy, by its number: the next action of the side to move, the order of the destroyed (R14)."""

from clashsim.clash.core.jit import jit
from clashsim.clash.policies import GREEDY, RANDOM, WILD, greedy, random, wild


@jit
def next_play(state, match, side, enemy):
    """Ask for the next action of the summon phase."""
    policy = match.policies[state.active]
    if policy == GREEDY:
        return greedy.next_play(state, match, side, enemy)
    if policy == RANDOM:
        return random.next_play(state, match, side)
    return wild.next_play(state, match, side)


@jit
def casts_in_assault(policy):
    """Tell whether a policy ever casts in the assault phase; one that doesn't is not asked."""
    return policy == WILD


@jit
def next_assault_cast(state, match, side):
    """Ask for a cast between the activations of the assault, or STOP (R8, R9)."""
    return wild.next_assault_cast(state, match, side)


@jit
def return_order(state, match, owner, fallen, count):
    """Ask the owner of creatures destroyed together for their order (R14); by default target, behind, beside."""
    if match.policies[owner] == WILD:
        return wild.return_order(state, owner, fallen, count)
    return fallen
