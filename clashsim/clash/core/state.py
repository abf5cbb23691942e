"""What is known of a game while it runs: one record, copied in one assignment.

The fortress is not stored among the cards of a hand. `fortress` counts the cards to its left:

    hand  [a, b, BASTION, c]   ->   hand = (a, b, c), hand_size = 3, fortress = 2

so the fortress is rightmost exactly when `fortress == hand_size` (R16, R17), and damage n makes `fortress` n
larger (R15).

A lane is a row of creatures from the front (next to the Bridge) to the back. What is asked of them stands
beside each other in lists (lists.py), place 0 the front:

    lane  front [OGRE (2 damage), GRRR] back   ->   length = 2, cards = (OGRE, GRRR), healths = (4, 3),
    damages = (2, 0), …

Cards are numbers: FIRST_CARD[side] + slot of the deck; 0 is no card. The records of a solo game are the same with wide
lists, and with what the AI has.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numba.extending import overload

from clashsim.clash.core.jit import INLINE, is_compiled, jit
from clashsim.clash.core.wide import WIDE_FIELD, WIDE_PLACES, WideRecord, by_width

SIDES = 2
LANES = 2
UPPER, LOWER = 0, 1
DECK_SIZE = 8
FIRST_CARD = (1, 9)
FIRST_SOLO_CARD = (1, 40)  # by slot of the kit
SHORT_LANE = 7  # creatures in a lane of narrow lists: as many as a player has at most (R7)
MOST_AI_CARDS = WIDE_PLACES - 1  # a lane may hold all of them, and be moved one place beyond its end
CARD_NUMBERS = (
    80  # cards of both sides and the 0; in a solo game a kit twice: the player's cards, and the AI's
)
FIRST_KIT_CARD = 17  # of a duel between decks that are dealt anew for every game: by slot of the kit
MOST_KIT_CARDS = CARD_NUMBERS - FIRST_KIT_CARD

NO_WINNER = -1
STOPPED = 2  # winner of a game that ends because a policy of a user's did what it may not
TOO_LONG = 3  # and of one that breaks off because a lane has no room for another creature (solo.py)

# What is remembered of a creature until the turn ends, in Lane.marks.
ARRIVED = 1  # summoned this turn (R5, R10)
STRUCK = 2  # a source of damage has hit it (R24)
ACTIVATED = 4  # has had its activation in this assault (R9)


def record(fields: list[tuple]) -> np.dtype:
    """Return an aligned record type whose fields are attributes, compiled or not."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


def wide_record(fields: list[tuple]) -> np.dtype:
    """Return a record type that holds wide numbers (wide.py): all its fields are words or bytes, none needs padding."""
    return np.dtype((WideRecord, np.dtype(fields)))


def _lane_fields(values: Any) -> list[tuple]:
    return [
        ("length", np.int64),
        ("cards", values),
        ("costs", values),
        ("attacks", values),  # printed
        ("healths", values),  # printed
        ("damages", values),  # of this turn (R12, R13)
        ("abilities", values),  # printed, bits
        ("auras", values),  # bits: what both neighbours get (R29)
        ("marks", values),  # ARRIVED, STRUCK, ACTIVATED
    ]


def _side_fields(lane: np.dtype) -> list[tuple]:
    return [
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
        ("lanes", lane, LANES),
    ]


def _state_fields(side: np.dtype) -> list[tuple]:
    return [
        ("turn", np.int64),  # number of the running turn, from 1, both sides counted
        ("active", np.int64),  # the side whose turn it is
        ("mana", np.int64),  # what is left of it this turn
        ("winner", np.int64),  # NO_WINNER while the game runs
        ("upper_is_over", np.int64),  # 1 once the lower lane has attacked in this assault (R9)
        ("turn_stream", np.uint64),  # key of the active side's random numbers in this turn (rng.py)
        ("events", np.int64),  # events noted so far (events.py)
        ("sides", side, SIDES),
    ]


LANE = record(_lane_fields(np.int64))
SIDE = record(_side_fields(LANE))
STATE = record(_state_fields(SIDE))

# A solo game: side 0 is the player, side 1 the AI, who has no hand but a face-down deck and a discard pile (R32, R35).
PLAYER, AI = 0, 1


def _solo_side_fields(lane: np.dtype) -> list[tuple]:
    return [
        *_side_fields(lane),
        ("deck_size", np.int64),
        ("deck", np.uint8, WIDE_PLACES),  # the last one is on top
        ("discard_size", np.int64),
        ("discard", np.uint8, WIDE_PLACES),  # the newest last
    ]


def _solo_state_fields(side: np.dtype) -> list[tuple]:
    return [
        *_state_fields(side),
        ("last_turn", np.int64),  # with whose end the player has won, 0 while the AI has cards (R36)
    ]


SOLO_LANE = wide_record(_lane_fields(WIDE_FIELD))
SOLO_SIDE = wide_record(_solo_side_fields(SOLO_LANE))
SOLO_STATE = wide_record(_solo_state_fields(SOLO_SIDE))

# The same with the lanes of a duel, for the many games in which no lane of the AI grows longer: they are faster.
SHORT_SOLO_SIDE = record(_solo_side_fields(LANE))
SHORT_SOLO_STATE = record(_solo_state_fields(SHORT_SOLO_SIDE))


# For annotations: numpy has one type for the elements of all record arrays.
State: TypeAlias = np.record
Side: TypeAlias = np.record
Lane: TypeAlias = np.record


def one_record(dtype: np.dtype) -> np.ndarray:
    """Return an array of one empty record, on cache lines of its own: other threads' records slow it down on them."""
    return np.zeros(3, dtype)[1:2]


def new_state() -> np.ndarray:
    """Return an array of one empty state of a duel; its element is what compiled code works on."""
    return one_record(STATE)


def by_mode(duel: Any, solo: Any) -> Any:
    """Return a function that is one of two, by the type of the state that is its first argument."""

    def chosen(state: Any, *others: Any) -> Any:
        return (solo if "last_turn" in state.dtype.names else duel)(state, *others)

    if is_compiled():

        @overload(chosen, strict=False, jit_options=INLINE)
        def choose(state: Any, *others: Any) -> Callable:
            return (solo if "last_turn" in state.fields else duel).py_func

    return chosen


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
def _short_room(values: int) -> int:
    return SHORT_LANE


@jit
def _long_room(values: int) -> int:
    return MOST_AI_CARDS


_room_of = by_width(_short_room, _long_room)


@jit
def has_room(lane: Lane) -> bool:
    """Tell whether another creature fits into a lane's lists; in a duel it always does (R7)."""
    return lane.length < _room_of(lane.cards)


@jit
def clear_lane(lane: Lane) -> None:
    """Empty a lane."""
    lane.length = 0
    lane.cards = lane.cards & 0
    lane.costs = lane.cards
    lane.attacks = lane.cards
    lane.healths = lane.cards
    lane.damages = lane.cards
    lane.abilities = lane.cards
    lane.auras = lane.cards
    lane.marks = lane.cards


@jit
def clear_turn(state: State) -> None:
    """Forget what holds for one turn only: damage, arrivals, used-up Protection, activations (R9, R10, R13, R24)."""
    for side_number in range(SIDES):
        for lane_number in range(LANES):
            lane = lane_of(side_of(state, side_number), lane_number)
            lane.damages = 0
            lane.marks = 0
