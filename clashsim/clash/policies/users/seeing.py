"""Filling in what a user's policy sees (view.py), from the state of a game and as far as its player knows it (R43)."""

import numpy as np

from clashsim.clash.core.combat import abilities_in
from clashsim.clash.core.hand import castable_slots, summonable_slots, targets_in_play
from clashsim.clash.core.jit import cold
from clashsim.clash.core.lists import placed, value_at
from clashsim.clash.core.match import INCANTATION_PRICE, NO_DRAFT, Match
from clashsim.clash.core.rng import subkey
from clashsim.clash.core.state import (
    ACTIVATED,
    AI,
    ARRIVED,
    CARD_NUMBERS,
    DECK_SIZE,
    FIRST_CARD,
    FIRST_SOLO_CARD,
    LANES,
    PLAYER,
    SIDES,
    STRUCK,
    Lane,
    Side,
    State,
    by_mode,
)
from clashsim.clash.policies.users.answers import STOP, cast, summon
from clashsim.clash.policies.users.view import View

_FIRST_OF_MINE, _FIRST_OF_THEIRS = 1, DECK_SIZE + 1
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
    numbers = card_numbers(state, match)
    _fill_side(match, side, numbers, True, view.mine)
    fill_enemy(state, match, numbers, view)
    for slot in range(side.hand_size):
        view.mine.hand[slot].playable = (summonable | castable) & placed(1, slot) != 0
        view.hand[slot] = view.mine.hand[slot]
    _list_actions(state, summonable, castable, view)


@cold
def _duel_numbers(state: State, match: Match) -> np.ndarray:
    numbers = np.zeros(CARD_NUMBERS, np.int64)
    for slot in range(DECK_SIZE):
        numbers[FIRST_CARD[state.active] + slot] = _FIRST_OF_MINE + slot
        numbers[FIRST_CARD[1 - state.active] + slot] = _FIRST_OF_THEIRS + slot
    return numbers


@cold
def _solo_numbers(state: State, match: Match) -> np.ndarray:
    numbers = np.zeros(CARD_NUMBERS, np.int64)
    if match.drafters[PLAYER] == NO_DRAFT:
        for place in range(DECK_SIZE):
            numbers[FIRST_SOLO_CARD[PLAYER] + match.solo.deck[place]] = _FIRST_OF_MINE + place
    else:
        _number_drafted(state.sides[PLAYER], numbers)
    number = _FIRST_OF_THEIRS
    for slot in range(FIRST_SOLO_CARD[AI] - FIRST_SOLO_CARD[PLAYER]):
        if numbers[FIRST_SOLO_CARD[PLAYER] + slot] == 0:
            numbers[FIRST_SOLO_CARD[AI] + slot] = number
            number += 1
    return numbers


card_numbers = by_mode(_duel_numbers, _solo_numbers)
"""Return, by the core's number of a card, the view's: my deck in its order, then theirs, or the AI's as in the set."""


@cold
def _number_drafted(player: Side, numbers: np.ndarray) -> None:
    """Number a drafted deck in the order of the card set: its cards are all in hand or in play."""
    for slot in range(player.hand_size):
        numbers[value_at(player.hand, slot)] = 1
    for lane_number in range(LANES):
        lane = player.lanes[lane_number]
        for position in range(lane.length):
            numbers[value_at(lane.cards, position)] = 1
    number = _FIRST_OF_MINE
    for card in range(numbers.size):
        if numbers[card]:
            numbers[card] = number
            number += 1


@cold
def _see_player(state: State, match: Match, numbers: np.ndarray, view: View) -> None:
    _fill_side(match, state.sides[1 - state.active], numbers, False, view.theirs)


@cold
def _see_ai(state: State, match: Match, numbers: np.ndarray, view: View) -> None:
    ai, seen, settings = state.sides[AI], view.theirs, match.solo
    view.solo = True
    view.last_turn = state.last_turn
    view.fixed_mana = settings.fixed
    view.variable_mana = settings.variable
    view.resistance = settings.resistance
    seen.bastion = ai.bastion != 0
    seen.life = ai.deck_size
    seen.deck_size = ai.deck_size
    seen.discard_size = ai.discard_size
    for place in range(ai.discard_size):
        _fill_card(match, np.int64(ai.discard[place]), numbers, seen.discard[place])
    is_in_deck = np.zeros(CARD_NUMBERS, np.bool_)
    for place in range(ai.deck_size):
        is_in_deck[ai.deck[place]] = True
    place = 0
    for card in range(CARD_NUMBERS):
        if is_in_deck[card]:
            _fill_card(match, card, numbers, seen.deck[place])
            place += 1
    for lane in range(LANES):
        _fill_lane(ai.lanes[lane], numbers, seen.lanes[lane])


fill_enemy = by_mode(_see_player, _see_ai)
"""Fill in the other side of a view: an enemy with a hand, or the AI."""


@cold
def _fill_side(match: Match, side: Side, numbers: np.ndarray, is_mine: bool, seen: np.record) -> None:
    """Fill in a side with a hand; of the enemy's the unseen cards as a set only (R43)."""
    seen.bastion = side.bastion != 0
    seen.life = side.hand_size - side.fortress
    seen.fortress = side.fortress
    seen.hand_size = side.hand_size
    seen.n_unseen = side.unseen
    for slot in range(side.hand_size):
        if is_mine or slot >= side.unseen:
            _fill_card(match, value_at(side.hand, slot), numbers, seen.hand[slot])
    _fill_unseen(match, side, numbers, seen)
    for lane in range(LANES):
        _fill_lane(side.lanes[lane], numbers, seen.lanes[lane])


@cold
def _fill_unseen(match: Match, side: Side, numbers: np.ndarray, seen: np.record) -> None:
    """Fill in the unseen cards of a hand, each at the place that its number has among theirs."""
    for slot in range(side.unseen):
        card = value_at(side.hand, slot)
        place = 0
        for other in range(side.unseen):
            place += numbers[value_at(side.hand, other)] < numbers[card]
        _fill_card(match, card, numbers, seen.unseen[place])


@cold
def _fill_card(match: Match, card: int, numbers: np.ndarray, seen: np.record) -> None:
    face = match.cards[card]
    seen.card = numbers[card]
    seen.cost = face.cost
    seen.attack = face.attack
    seen.health = face.health
    seen.abilities = face.abilities
    seen.auras = face.auras
    seen.is_incantation = face.price >= INCANTATION_PRICE


@cold
def _fill_lane(lane: Lane, numbers: np.ndarray, seen: np.record) -> None:
    seen.length = lane.length
    abilities = abilities_in(lane)
    for position in range(lane.length):
        creature = seen.creatures[position]
        marks = value_at(lane.marks, position)
        creature.card = numbers[value_at(lane.cards, position)]
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
