"""Duels between decks that are chosen anew for every game: dealt by chance, drafted, or what bans leave."""

import numpy as np

from clashsim.clash.core.drafting import OFFER, ROUNDS, ban_cards, draft_duel, drafted_slots
from clashsim.clash.core.jit import cold, kernel
from clashsim.clash.core.match import AFTER_BANS, BY_DRAFT, FROM_TWO_KITS, NOTHING_HELD, Match
from clashsim.clash.core.rng import DEALER, subkey, uniform
from clashsim.clash.core.state import DECK_SIZE, FIRST_CARD, FIRST_KIT_CARD, SIDES


@kernel
def deal_games(match: np.ndarray, first_game: int, slots: np.ndarray) -> None:
    """Draw the decks of games first_game, first_game + 1, … .

    Parameters
    ----------
    match
        An array of one MATCH with a kit.
    first_game
        Number of the first game.
    slots
        Slots of the kit, shape (games, SIDES, DECK_SIZE), filled.
    """
    for index in range(len(slots)):
        _choose_slots(match[0], first_game + index, slots[index])


@cold
def take_from_kit(match: Match, game: int) -> None:
    """Put the cards that a game is played with in the places of both decks."""
    slots = np.zeros((SIDES, DECK_SIZE), np.int64)
    _choose_slots(match, game, slots)
    for side_number in range(SIDES):
        for slot in range(DECK_SIZE):
            card = FIRST_KIT_CARD + slots[side_number, slot]
            match.cards[FIRST_CARD[side_number] + slot] = match.cards[card]


@cold
def _choose_slots(match: Match, game: int, slots: np.ndarray) -> None:
    """Choose eight cards of the kit for either side."""
    if match.dealing == BY_DRAFT:
        picks = np.zeros((ROUNDS, OFFER), np.int64)
        draft_duel(match, game, picks)
        drafted_slots(picks, game, slots)
    elif match.dealing == AFTER_BANS:
        ban_cards(match, subkey(match.key, game), slots)
    else:
        _deal_slots(match, subkey(match.key, game), slots)


@cold
def _deal_slots(match: Match, game_key: np.uint64, slots: np.ndarray) -> None:
    """Draw eight cards of the kit for either side: of those that are left, or with two kits of all of them."""
    stream = subkey(game_key, DEALER)
    kit = np.arange(match.kit_size)
    taken = 0
    for side_number in range(SIDES):
        if side_number > 0 and match.dealing == FROM_TWO_KITS:
            kit = np.arange(match.kit_size)
            taken = 0
        for slot in range(DECK_SIZE):
            place = taken + uniform(stream, side_number * DECK_SIZE + slot, match.kit_size - taken)
            if side_number == 0 and slot == 0 and match.held != NOTHING_HELD:
                place = match.held
            kit[taken], kit[place] = kit[place], kit[taken]
            slots[side_number, slot] = kit[taken]
            taken += 1


# How another card stands to one that a side has and the other side has not.
WITH_IT, AGAINST_IT, ON_BOTH_SIDES = range(3)
RELATIONS = 3
RESULTS = 3  # won, drew, lost


@kernel
def count_cards(
    slots: np.ndarray,
    results: np.ndarray,
    played: np.ndarray,
    first_game: int,
    holding: np.ndarray,
    playing: np.ndarray,
    pairs: np.ndarray,
) -> None:
    """Count games by the cards in them, each from the view of the side that has a card which the other has not.

    Parameters
    ----------
    slots, results, played
        Of every game: slots of the kit, shape (games, SIDES, DECK_SIZE); how it ended for side 0 (0 won, 1 drew, 2
        lost); bits of the cards that were played, by their numbers in the duel.
    first_game
        Number of the first game.
    holding, playing
        Counts (kit, 2, RESULTS), added to: games that a side with the card started, and that the other side started, by
        how they ended for the side with the card; of all, and of those in which it played the card.
    pairs
        Counts (kit, kit, RELATIONS, RESULTS), added to: the same games, by another card in them and whose it is.
    """
    kit = len(holding)
    has = np.zeros((SIDES, kit), np.bool_)
    for index in range(len(slots)):
        has[:] = False
        for side in range(SIDES):
            for place in range(DECK_SIZE):
                has[side, slots[index, side, place]] = True
        for side in range(SIDES):
            other = 1 - side
            result = results[index] if side == 0 else RESULTS - 1 - results[index]
            second = ((first_game + index) & 1) ^ side
            for place in range(DECK_SIZE):
                card = slots[index, side, place]
                if has[other, card]:
                    continue
                holding[card, second, result] += 1
                playing[card, second, result] += (played[index] >> (FIRST_CARD[side] + place)) & 1
                for place_2 in range(DECK_SIZE):
                    friend, foe = slots[index, side, place_2], slots[index, other, place_2]
                    if friend != card:
                        pairs[card, friend, ON_BOTH_SIDES if has[other, friend] else WITH_IT, result] += 1
                    if not has[side, foe]:
                        pairs[card, foe, AGAINST_IT, result] += 1
