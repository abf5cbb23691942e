"""`greedy`: the Incantation that destroys most, else the dearest creature.

A yardstick that other implementations are compared with: what it does never changes.
"""

from clashsim.clash.core.combat import occupied, would_fall
from clashsim.clash.core.hand import breaching_slot, castable_slots, summonable_slots
from clashsim.clash.core.jit import jit
from clashsim.clash.core.lists import (
    BYTE,
    PLACES,
    all_of,
    at_least,
    greatest,
    nth_place,
    only,
    total,
    value_at,
)
from clashsim.clash.core.match import PERFORATION_BIT, SPLASH_BIT, Match
from clashsim.clash.core.state import LOWER, UPPER, Lane, Side, State, lane_of
from clashsim.clash.policies.action import CAST, NOTHING, SUMMON, Action

SLOT_BITS = 3
SLOTS_FROM_RIGHT = 0x0001020304050607


@jit
def next_play(state: State, match: Match, side: Side, enemy: Side) -> Action:
    """Cast what destroys enemy creatures of the highest total cost; else summon the dearest creature; else stop."""
    castable = castable_slots(state, match, side)
    if castable:
        action = _best_cast(state, match, side, enemy, castable)
        if action.kind == CAST:
            return action
    summonable = summonable_slots(state, match, side) & ~breaching_slot(side)
    if summonable:
        slot = _dearest(side.prices, summonable)
        return Action(SUMMON, slot, state.active, _weaker_lane(side, enemy), 0)
    return NOTHING


@jit
def _best_cast(state: State, match: Match, side: Side, enemy: Side, castable: int) -> Action:
    """Return the cast with the highest total cost destroyed; ties: lowest slot, upper lane, lowest position.

    NOTHING if no cast destroys anything that costs something.
    """
    best = 0
    action = NOTHING
    upper = lane_of(enemy, UPPER)
    lower = lane_of(enemy, LOWER)
    for nth in range(total(castable)):
        slot = nth_place(castable, nth)
        incantation = match.cards[value_at(side.hand, slot)]
        upper_spoils = only(upper.costs, would_fall(match, upper, incantation.attack, True))
        lower_spoils = only(lower.costs, would_fall(match, lower, incantation.attack, True))
        if upper_spoils | lower_spoils == 0:
            continue
        upper_totals = _totals(upper, upper_spoils, lower_spoils, incantation.abilities)
        lower_totals = _totals(lower, lower_spoils, upper_spoils, incantation.abilities)
        in_upper = greatest(upper_totals)
        in_lower = greatest(lower_totals)
        if max(in_upper, in_lower) > best:
            best = max(in_upper, in_lower)
            lane = UPPER if in_upper >= in_lower else LOWER
            totals = upper_totals if in_upper >= in_lower else lower_totals
            position = nth_place(at_least(totals, all_of(totals, best)), 0)
            action = Action(CAST, slot, 1 - state.active, lane, position)
    return action


@jit
def _totals(lane: Lane, spoils: int, beside: int, abilities: int) -> int:
    """Return, by position of the target, the total cost destroyed: of the target, the one behind and the one beside."""
    totals = spoils
    if (abilities >> PERFORATION_BIT) & 1:
        totals += spoils >> BYTE
    if (abilities >> SPLASH_BIT) & 1:
        totals += beside
    return only(totals, occupied(lane))


@jit
def _dearest(prices: int, summonable: int) -> int:
    """Return the slot of the highest price; ties: the leftmost."""
    # The cost takes four bits of a byte; the other three tell the slot, counted from the right.
    ranks = (only(prices, summonable) << SLOT_BITS) + only(SLOTS_FROM_RIGHT, summonable)
    return PLACES - 1 - (greatest(ranks) & (PLACES - 1))


@jit
def _weaker_lane(side: Side, enemy: Side) -> int:
    """Return the lane in which the enemy's printed attack exceeds the own one by more; ties: the upper."""
    upper = total(lane_of(enemy, UPPER).attacks) - total(lane_of(side, UPPER).attacks)
    lower = total(lane_of(enemy, LOWER).attacks) - total(lane_of(side, LOWER).attacks)
    return LOWER if lower > upper else UPPER
