"""`random`: any legal play with equal chances, "stop" among them.

A yardstick that other implementations are compared with: what it does never changes.
"""

from clashsim.clash.core.hand import breaching_slot, castable_slots, summonable_slots, targets_in_play
from clashsim.clash.core.jit import jit
from clashsim.clash.core.lists import nth_place, total
from clashsim.clash.core.match import Match
from clashsim.clash.core.rng import subkey, uniform
from clashsim.clash.core.state import LANES, Side, State, lane_of, side_of
from clashsim.clash.policies.action import CAST, NOTHING, SUMMON, Action


@jit
def next_play(state: State, match: Match, side: Side) -> Action:
    """Choose one of the legal plays, but for those that breach the own fortress (R19), or "stop"."""
    summonable = summonable_slots(state, match, side) & ~breaching_slot(side)
    return choose(state, summonable, castable_slots(state, match, side))


@jit
def choose(state: State, summonable: int, castable: int) -> Action:
    """Choose uniformly among the summons (slot by slot, upper lane first), the casts (slot by slot) and
    "stop", in this order.

    Without anything to choose from no number is drawn.
    """
    targets = targets_in_play(state)
    summons = LANES * total(summonable)
    casts = targets * total(castable)
    if summons + casts == 0:
        return NOTHING
    choice = draw(state, state.active, summons + casts + 1)
    if choice < summons:
        return Action(SUMMON, nth_place(summonable, choice // LANES), state.active, choice % LANES, 0)
    choice -= summons
    if choice == casts:
        return NOTHING
    return _cast(state, castable, choice, targets)


@jit
def draw(state: State, side_number: int, n: int) -> int:
    """Draw the next number of a side's stream of this turn, uniform on 0 … n-1."""
    side = side_of(state, side_number)
    stream = state.turn_stream if side_number == state.active else subkey(side.stream, state.turn)
    number = uniform(stream, side.decisions, n)
    side.decisions += 1
    return number


@jit
def _cast(state: State, castable: int, choice: int, targets: int) -> Action:
    """Return cast number `choice`: per slot first the own lanes, then the enemy's, upper first, from the front."""
    nth = 0
    while choice >= targets:
        choice -= targets
        nth += 1
    side_number = state.active
    lane = 0
    while choice >= lane_of(side_of(state, side_number), lane).length:
        choice -= lane_of(side_of(state, side_number), lane).length
        side_number ^= lane
        lane ^= 1
    return Action(CAST, nth_place(castable, nth), side_number, lane, choice)
