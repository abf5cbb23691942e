"""What is known of a game while it runs: one record, copied in one assignment.

The fortress is not stored among the cards of a hand. `fortress` counts the cards to its left:

    hand  [a, b, BASTION, c]   ->   hand = (a, b, c), hand_size = 3, fortress = 2

so the fortress is rightmost exactly when `fortress == hand_size` (R16, R17), and damage n makes `fortress` n
larger (R15).

A lane is a row of creatures from the front (next to the Bridge) to the back. What is asked of them stands
beside each other in lists (lists.py), place 0 the front:

    lane  front [OGRE (2 damage), GRRR] back   ->   length = 2, cards = (OGRE, GRRR), healths = (4, 3),
    damages = (2, 0), …

Cards are numbers: FIRST_CARD[side] + slot of the deck. 0 is no card.
"""

from typing import TypeAlias

import numpy as np

from clashsim.clash.core.jit import jit

SIDES = 2
LANES = 2
UPPER, LOWER = 0, 1
DECK_SIZE = 8
FIRST_CARD = (1, 9)
CARD_NUMBERS = 40  # cards of both sides and the 0, with room for a solo game's 32

NO_WINNER = -1
STOPPED = 2  # winner of a game that ends because a policy of a user's did what it may not

# What is remembered of a creature until the turn ends, in Lane.marks.
ARRIVED = 1  # summoned this turn (R5, R10)
STRUCK = 2  # a source of damage has hit it (R24)
ACTIVATED = 4  # has had its activation in this assault (R9)


def record(fields: list[tuple]) -> np.dtype:
    """Return an aligned record type whose fields are attributes, compiled or not."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


LANE = record(
    [
        ("length", np.int64),
        ("cards", np.int64),
        ("costs", np.int64),
        ("attacks", np.int64),  # printed
        ("healths", np.int64),  # printed
        ("damages", np.int64),  # of this turn (R12, R13)
        ("abilities", np.int64),  # printed, bits
        ("auras", np.int64),  # bits: what both neighbours get (R29)
        ("marks", np.int64),  # ARRIVED, STRUCK, ACTIVATED
    ]
)

SIDE = record(
    [
        ("hand", np.int64),  # cards from the left, without the fortress
        ("prices", np.int64),  # their costs, + INCANTATION_PRICE for Incantations (match.py)
        ("hand_size", np.int64),
        ("fortress", np.int64),  # cards to the left of the fortress
        ("bastion", np.int64),  # 1 Bastion side up, 0 Fort side up
        ("bastion_fell", np.int64),  # turn in which the Bastion was destroyed, 0 if it stands
        ("stream", np.uint64),  # key of this side's random numbers in this game (rng.py)
        ("decisions", np.int64),  # numbers drawn this turn
        ("unseen", np.int64),  # cards never played, the leftmost of the hand: in secret order (R43)
        ("order", np.int64),  # number of the order in which own creatures destroyed together go home (R14)
        ("lanes", LANE, LANES),
    ]
)

STATE = record(
    [
        ("turn", np.int64),  # number of the running turn, from 1, both sides counted
        ("active", np.int64),  # the side whose turn it is
        ("mana", np.int64),  # what is left of it this turn
        ("winner", np.int64),  # NO_WINNER while the game runs
        ("upper_is_over", np.int64),  # 1 once the lower lane has attacked in this assault (R9)
        ("turn_stream", np.uint64),  # key of the active side's random numbers in this turn (rng.py)
        ("events", np.int64),  # events noted so far (events.py)
        ("sides", SIDE, SIDES),
    ]
)


# For annotations: numpy has one type for the elements of all record arrays.
State: TypeAlias = np.record
Side: TypeAlias = np.record
Lane: TypeAlias = np.record


def one_record(dtype: np.dtype) -> np.ndarray:
    """Return an array of one empty record, on cache lines of its own: other threads' records slow it down on them."""
    return np.zeros(3, dtype)[1:2]


def new_state() -> np.ndarray:
    """Return an array of one empty state; its element is what compiled code works on."""
    return one_record(STATE)


# The masks in the next two tell the compiler that a number is never negative: it then drops the test for it.


@jit
def side_of(state: State, number: int) -> Side:
    """Return the record of side 0 or 1."""
    return state.sides[number & 1]


@jit
def lane_of(side: Side, number: int) -> Lane:
    """Return the record of a side's upper (0) or lower (1) lane."""
    return side.lanes[number & 1]


@jit
def clear_lane(lane: Lane) -> None:
    """Empty a lane."""
    lane.length = 0
    lane.cards = 0
    lane.costs = 0
    lane.attacks = 0
    lane.healths = 0
    lane.damages = 0
    lane.abilities = 0
    lane.auras = 0
    lane.marks = 0


@jit
def clear_turn(state: State) -> None:
    """Forget what holds for one turn only: damage, arrivals, used-up Protection, activations (R9, R10, R13, R24)."""
    for side_number in range(SIDES):
        for lane_number in range(LANES):
            lane = lane_of(side_of(state, side_number), lane_number)
            lane.damages = 0
            lane.marks = 0
