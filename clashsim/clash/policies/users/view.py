"""What a user's policy sees: one record with what the rules let the side to move know (R43), and no more.

Its fields are a promise (VIEW_VERSION): they do not depend on how the core keeps a game. Places that are not
in use are 0. Everything is seen from the player: `mine`, `theirs`. How it is filled: seeing.py.

The view of a solo game has the same fields with more room, so that a function reads both.
"""

from typing import TypeAlias

import numpy as np

from clashsim.clash.core.jit import cold
from clashsim.clash.core.state import DECK_SIZE, LANES, MOST_AI_CARDS, State, by_mode, record

VIEW_VERSION = 1

SUMMON_PHASE, ASSAULT_PHASE = 0, 1

CARD_VIEW = record(
    [
        ("card", np.int64),  # 1-8: my deck, in its order; from 9: theirs; 0: no card, or not known which
        ("cost", np.int64),
        ("attack", np.int64),  # of an Incantation: its damage
        ("health", np.int64),
        ("abilities", np.int64),  # bits: SPLASH, ...
        ("auras", np.int64),  # bits: what it gives to both neighbours in play (R29)
        ("is_incantation", np.bool_),
        ("playable", np.bool_),  # mine only: can be played now
    ]
)

CREATURE_VIEW = record(
    [
        ("card", np.int64),  # as above
        ("cost", np.int64),
        ("attack", np.int64),  # printed
        ("health", np.int64),  # printed
        ("damage", np.int64),  # taken this turn (R12, R13)
        ("abilities", np.int64),  # bits: own ones and those that neighbours' Auras give it now (R29)
        ("auras", np.int64),  # bits: what it gives to both neighbours
        ("arrived", np.bool_),  # this turn (R10)
        ("activated", np.bool_),  # has had its activation this turn (R9)
        ("struck", np.bool_),  # a source of damage has hit it this turn: Protection is used up (R24)
    ]
)


def _lane_view(most: int) -> np.dtype:
    return record([("length", np.int64), ("creatures", CREATURE_VIEW, most)])  # from the front


def _side_view(lane: np.dtype, most_in_pile: int) -> np.dtype:
    return record(
        [
            ("bastion", np.bool_),  # True while the Bastion side is up
            ("life", np.int64),  # cards to the right of the fortress: damage that makes it fall (R15-R17)
            ("fortress", np.int64),  # cards to the left of the fortress
            ("hand_size", np.int64),  # the fortress not counted
            ("hand", CARD_VIEW, DECK_SIZE),  # from the left; theirs: card is 0 where it is not known
            ("n_unseen", np.int64),  # cards that have never been played: the leftmost of the hand
            (
                "unseen",
                CARD_VIEW,
                DECK_SIZE,
            ),  # these, in the order of the deck: which stands where is not told
            ("lanes", lane, LANES),  # UPPER, LOWER
            # Of the AI in a solo game only:
            ("deck_size", np.int64),
            ("deck", CARD_VIEW, most_in_pile),  # in the order of the card set: which is on top is not told
            ("discard_size", np.int64),
            ("discard", CARD_VIEW, most_in_pile),  # the newest last
        ]
    )


def _view(side: np.dtype, most_actions: int) -> np.dtype:
    return record(
        [
            ("turn", np.int64),  # from 1, both sides counted
            ("turn_limit", np.int64),  # R31
            ("phase", np.int64),  # SUMMON_PHASE or ASSAULT_PHASE
            ("mana", np.int64),  # what is left of it this turn
            ("window", np.int64),  # so many of the leftmost cards can be reached (R4)
            ("self_breach", np.bool_),  # a play that breaches one's own fortress is legal (R19)
            ("random", np.float64),  # from 0 up to 1, below it: another in each decision of a game
            ("hand", CARD_VIEW, DECK_SIZE),  # mine, from the left, without the fortress
            ("mine", side),
            ("theirs", side),
            ("n_actions", np.int64),
            ("actions", np.int64, most_actions),  # all that is legal now, STOP first
            ("solo", np.bool_),  # the enemy is the AI
            # Of a solo game only:
            ("last_turn", np.int64),  # the AI's last turn by its number, 0 while it is not known (R36)
            ("fixed_mana", np.int64),  # of the AI in each of its turns (R33)
            ("variable_mana", np.int64),  # and for each of my creatures in play
            ("resistance", np.int64),  # NO_RESISTANCE, MINUS_ONE, TO_ONE (R38)
        ]
    )


# In a duel 57 actions at most: 7 Incantations in hand on 8 creatures, stopping.
LANE_VIEW = _lane_view(DECK_SIZE)
SIDE_VIEW = _side_view(LANE_VIEW, 1)
VIEW = _view(SIDE_VIEW, 64)
# In a solo game 249: 8 Incantations in hand on 31 creatures, stopping.
SOLO_VIEW = _view(_side_view(_lane_view(MOST_AI_CARDS), MOST_AI_CARDS), 256)

View: TypeAlias = np.record  # for annotations


@cold
def _duel_view(state: State) -> np.ndarray:
    return np.zeros(1, VIEW)


@cold
def _solo_view(state: State) -> np.ndarray:
    return np.zeros(1, SOLO_VIEW)


new_view = by_mode(_duel_view, _solo_view)
"""Return an array of one empty VIEW, or SOLO_VIEW, for a state."""
