"""How good a position is: a weighted sum of what both sides have, seen between two turns.

Each feature counts once for the side itself and once for its enemy, with a weight of its own. Only what a
player may know goes in (R43): of the enemy's hand its size and where the fortress stands. Features and weights:
features.py.
"""

import numpy as np

from clashsim.clash.core.combat import abilities_in, occupied
from clashsim.clash.core.jit import cold, jit
from clashsim.clash.core.lists import List, total
from clashsim.clash.core.match import Match
from clashsim.clash.core.state import AI, LANES, Side, State, by_mode, lane_of, side_of
from clashsim.clash.core.wide import by_width, ones
from clashsim.clash.policies.lookahead.features import FEATURES

_FEATURES = len(FEATURES)


@cold
def evaluate(state: State, match: Match, me: int) -> float:
    """Return the value of a position for a side, between the enemy's turn and its own."""
    side = side_of(state, me)
    enemy = side_of(state, 1 - me)
    weights = match.weights[me]
    own = _weighted(state, me, side, enemy, weights, 0)
    return own + _weighted(state, 1 - me, enemy, side, weights, _FEATURES)


@jit
def _resources(state: State, number: int, side: Side) -> tuple[int, int, int]:
    """Return a side's life, reserve and hand."""
    return side.hand_size - side.fortress, side.bastion * side.hand_size, side.hand_size


@jit
def _resources_solo(state: State, number: int, side: Side) -> tuple[int, int, int]:
    if number == AI:  # its deck is its life, its discard pile what the Fort will have (R36)
        return side.deck_size, side.bastion * side.discard_size, 0
    return _resources(state, number, side)


resources = by_mode(_resources, _resources_solo)


@jit
def _weighted(state: State, number: int, side: Side, other: Side, weights: np.ndarray, first: int) -> float:
    life, reserve, hand = resources(state, number, side)
    attack = 0
    open_attack = 0
    creatures = 0
    health = 0
    cost = 0
    abilities = 0
    for lane_number in range(LANES):
        lane = lane_of(side, lane_number)
        here = total(lane.attacks)
        attack += here
        if lane_of(other, lane_number).length == 0:
            open_attack += here
        creatures += lane.length
        health += total(lane.healths)
        cost += total(lane.costs)
        abilities += _count_bits(abilities_in(lane) & _whole(occupied(lane)))
    return (
        weights[first] * life
        + weights[first + 1] * side.bastion
        + weights[first + 2] * reserve
        + weights[first + 3] * hand
        + weights[first + 4] * creatures
        + weights[first + 5] * attack
        + weights[first + 6] * health
        + weights[first + 7] * cost
        + weights[first + 8] * open_attack
        + weights[first + 9] * abilities
        + weights[first + 10] / (1.0 + life)
    )


@jit
def _whole(places: List) -> List:
    """Return all seven bits of the places of a set."""
    return (places << 7) - places


@jit
def _count_narrow(values: int) -> int:
    pairs = values - ((values >> 1) & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + ((pairs >> 2) & 0x3333333333333333)
    return total((fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0F)


@jit
def _count_wide(values: List) -> int:
    return ones(values)


_count_bits = by_width(_count_narrow, _count_wide)
"""Return the number of bits in a list of seven-bit values."""
