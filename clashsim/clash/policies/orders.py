"""What the rules ask of a side besides its plays: whether it draws numbers, and the order of its destroyed (R14)."""

from clashsim.clash.core.jit import jit
from clashsim.clash.core.lists import placed, value_at, without
from clashsim.clash.core.match import Match
from clashsim.clash.core.state import State, side_of
from clashsim.clash.policies import GREEDY, WILD, wild


@jit
def draws_numbers(policy: int) -> bool:
    """Tell whether a policy ever draws a random number; for one that doesn't no stream is prepared."""
    return policy != GREEDY


@jit
def return_order(state: State, match: Match, owner: int, fallen: int, count: int) -> int:
    """Ask the owner of creatures destroyed together for their order (R14); by default target, behind, beside."""
    if match.policies[owner] == WILD:
        return wild.return_order(state, owner, fallen, count)
    return arranged(fallen, count, side_of(state, owner).order)


@jit
def arranged(fallen: int, count: int, order: int) -> int:
    """Return a list of `count` cards in order number `order`, 0 to count! - 1; 0 leaves it as it is."""
    if order == 0:
        return fallen
    ordered = 0
    for place in range(count):
        left = count - place
        choice = order % left
        order //= left
        ordered |= placed(value_at(fallen, choice), place)
        fallen = without(fallen, choice)
    return ordered
