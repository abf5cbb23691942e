"""`wild`: random over every freedom the rules give, for tests of the rules: not a player to draw conclusions
from.

It also breaches its own fortress (R19), casts between the attacks of its assault (R8, R9) and chooses the
order in which its destroyed creatures return (R14).
"""

from clashsim.clash.core.hand import castable_slots, summonable_slots
from clashsim.clash.core.jit import cold
from clashsim.clash.core.lists import placed, value_at, without
from clashsim.clash.core.match import Match
from clashsim.clash.core.state import Side, State
from clashsim.clash.policies.action import Action
from clashsim.clash.policies.random import choose, draw


@cold
def next_play(state: State, match: Match, side: Side) -> Action:
    """Choose one of all legal plays, or "stop"."""
    return choose(state, summonable_slots(state, match, side), castable_slots(state, match, side))


@cold
def next_assault_cast(state: State, match: Match, side: Side) -> Action:
    """Choose one of the legal casts, or "stop"."""
    return choose(state, 0, castable_slots(state, match, side))


@cold
def return_order(state: State, owner: int, fallen: int, count: int) -> int:
    """Return the destroyed cards in a random order: each next one is drawn from those left."""
    ordered = 0
    for place in range(count):
        left = count - place
        choice = draw(state, owner, left) if left > 1 else 0
        ordered |= placed(value_at(fallen, choice), place)
        fallen = without(fallen, choice)
    return ordered
