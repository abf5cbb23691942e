"""What a user's policy sees: one record with what the rules let the side to move know (R43), and no more.

Its fields are a promise (VIEW_VERSION): they do not depend on how the core keeps a game. Places that are not
in use are 0. Everything is seen from the player: `mine`, `theirs`.
"""

from typing import TypeAlias

import numpy as np

from clashsim.clash.core.combat import abilities_in
from clashsim.clash.core.hand import castable_slots, summonable_slots, targets_in_play
from clashsim.clash.core.jit import cold
from clashsim.clash.core.lists import placed, value_at
from clashsim.clash.core.match import INCANTATION_PRICE, Match
from clashsim.clash.core.rng import subkey
from clashsim.clash.core.state import (
    ACTIVATED,
    ARRIVED,
    DECK_SIZE,
    FIRST_CARD,
    LANES,
    SIDES,
    STRUCK,
    Lane,
    Side,
    State,
    record,
)
from clashsim.clash.policies.users.answers import STOP, cast, summon

VIEW_VERSION = 1

SUMMON_PHASE, ASSAULT_PHASE = 0, 1
MOST_ACTIONS = 64  # 57 at most: 7 Incantations in hand on 8 creatures, stopping

CARD_VIEW = record(
    [
        ("card", np.int64),  # 1-8: my deck, in its order; 9-16: theirs; 0: no card, or not known which
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
        ("abilities", np.int64),  # bits: printed ones and those that neighbours' Auras give it now (R29)
        ("auras", np.int64),  # bits: what it gives to both neighbours
        ("arrived", np.bool_),  # this turn (R10)
        ("activated", np.bool_),  # has had its activation this turn (R9)
        ("struck", np.bool_),  # a source of damage has hit it this turn: Protection is used up (R24)
    ]
)

LANE_VIEW = record([("length", np.int64), ("creatures", CREATURE_VIEW, DECK_SIZE)])  # from the front

SIDE_VIEW = record(
    [
        ("bastion", np.bool_),  # True while the Bastion side is up
        ("life", np.int64),  # cards to the right of the fortress: damage that makes it fall (R15-R17)
        ("fortress", np.int64),  # cards to the left of the fortress
        ("hand_size", np.int64),  # the fortress not counted
        ("hand", CARD_VIEW, DECK_SIZE),  # from the left; theirs: card is 0 where it is not known
        ("n_unseen", np.int64),  # cards that have never been played: the leftmost of the hand
        ("unseen", CARD_VIEW, DECK_SIZE),  # these, in the order of the deck: which stands where is not told
        ("lanes", LANE_VIEW, LANES),  # UPPER, LOWER
    ]
)

VIEW = record(
    [
        ("turn", np.int64),  # from 1, both sides counted
        ("turn_limit", np.int64),  # R31
        ("phase", np.int64),  # SUMMON_PHASE or ASSAULT_PHASE
        ("mana", np.int64),  # what is left of it this turn
        ("window", np.int64),  # so many of the leftmost cards can be reached (R4)
        ("self_breach", np.bool_),  # a play that breaches one's own fortress is legal (R19)
        ("random", np.float64),  # from 0 up to 1, below it: another in each decision of a game
        ("hand", CARD_VIEW, DECK_SIZE),  # mine, from the left, without the fortress
        ("mine", SIDE_VIEW),
        ("theirs", SIDE_VIEW),
        ("n_actions", np.int64),
        ("actions", np.int64, MOST_ACTIONS),  # all that is legal now, STOP first
    ]
)

View: TypeAlias = np.record  # for annotations

_TOP_BITS = np.uint64(11)  # leaves the 53 bits of a float
_UNIT = 2.0**-53


@cold
def fill_view(state: State, match: Match, in_assault: int, view: View) -> None:
    """Fill an empty view for the side to move."""
    me = state.active
    side = state.sides[me]
    summonable = 0 if in_assault else summonable_slots(state, match, side)
    castable = castable_slots(state, match, side) if targets_in_play(state) else 0
    view.turn = state.turn
    view.turn_limit = match.turn_limit
    view.phase = in_assault
    view.mana = state.mana
    view.window = match.window
    view.self_breach = match.self_breach != 0
    view.random = np.float64(subkey(state.turn_stream, side.decisions) >> _TOP_BITS) * _UNIT
    _fill_side(match, side, me, True, view.mine)
    _fill_side(match, state.sides[1 - me], 1 - me, False, view.theirs)
    for slot in range(side.hand_size):
        view.mine.hand[slot].playable = (summonable | castable) & placed(1, slot) != 0
        view.hand[slot] = view.mine.hand[slot]
    _list_actions(state, summonable, castable, view)


@cold
def _fill_side(match: Match, side: Side, number: int, is_mine: bool, seen: np.record) -> None:
    """Fill in a side; of the enemy's hand the unseen cards as a set only (R43)."""
    shift = (1 if is_mine else DECK_SIZE + 1) - FIRST_CARD[number]
    seen.bastion = side.bastion != 0
    seen.life = side.hand_size - side.fortress
    seen.fortress = side.fortress
    seen.hand_size = side.hand_size
    seen.n_unseen = side.unseen
    held = 0
    for slot in range(side.hand_size):
        card = value_at(side.hand, slot)
        if is_mine or slot >= side.unseen:
            _fill_card(match, card, shift, seen.hand[slot])
        if slot < side.unseen:
            held |= 1 << card
    place = 0
    for card in range(FIRST_CARD[number], FIRST_CARD[number] + DECK_SIZE):
        if held >> card & 1:
            _fill_card(match, card, shift, seen.unseen[place])
            place += 1
    for lane in range(LANES):
        _fill_lane(side.lanes[lane], shift, seen.lanes[lane])


@cold
def _fill_card(match: Match, card: int, shift: int, seen: np.record) -> None:
    face = match.cards[card]
    seen.card = card + shift
    seen.cost = face.cost
    seen.attack = face.attack
    seen.health = face.health
    seen.abilities = face.abilities
    seen.auras = face.auras
    seen.is_incantation = face.price >= INCANTATION_PRICE


@cold
def _fill_lane(lane: Lane, shift: int, seen: np.record) -> None:
    seen.length = lane.length
    abilities = abilities_in(lane)
    for position in range(lane.length):
        creature = seen.creatures[position]
        marks = value_at(lane.marks, position)
        creature.card = value_at(lane.cards, position) + shift
        creature.cost = value_at(lane.costs, position)
        creature.attack = value_at(lane.attacks, position)
        creature.health = value_at(lane.healths, position)
        creature.damage = value_at(lane.damages, position)
        creature.abilities = value_at(abilities, position)
        creature.auras = value_at(lane.auras, position)
        creature.arrived = marks & ARRIVED != 0
        creature.activated = marks & ACTIVATED != 0
        creature.struck = marks & STRUCK != 0


@cold
def _list_actions(state: State, summonable: int, castable: int, view: View) -> None:
    """List STOP, the summons slot by slot, the casts slot by slot; the own side and the upper lane first."""
    view.actions[0] = STOP
    count = 1
    for slot in range(DECK_SIZE):
        for lane in range(LANES if summonable & placed(1, slot) else 0):
            view.actions[count] = summon(slot, lane)
            count += 1
    for slot in range(DECK_SIZE):
        for side in range(SIDES if castable & placed(1, slot) else 0):
            for lane in range(LANES):
                for position in range(state.sides[state.active ^ side].lanes[lane].length):
                    view.actions[count] = cast(slot, side, lane, position)
                    count += 1
    view.n_actions = count
