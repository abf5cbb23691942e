"""Counts of games with drafted decks: by who took which card, and when."""

import numpy as np

from clashsim.clash.core.drafting import (
    FIRST_OF_FOUR,
    GAMES_OF_A_DRAFT,
    LEFTOVER,
    OFFER,
    ONE_OF_PAIR,
    OTHER_OF_PAIR,
    ROUNDS,
    drafted_slots,
    first_drafter,
)
from clashsim.clash.core.jit import cold, kernel
from clashsim.clash.core.state import DECK_SIZE, FIRST_CARD, SIDES

FIRST_PICK, PAIR_PICK, LAST_PICK = range(3)  # one of four, two of three, the leftover
PICKS = 3
_WON, _DREW, _LOST = range(3)


@kernel
def count_draft_games(
    picks: np.ndarray,
    results: np.ndarray,
    played: np.ndarray,
    first_game: int,
    by_seats: np.ndarray,
    by_pick: np.ndarray,
    playing: np.ndarray,
    seen: np.ndarray,
    taken: np.ndarray,
    over: np.ndarray,
    products: np.ndarray,
    scores: np.ndarray,
) -> None:
    """Count duels between drafted decks.

    Parameters
    ----------
    picks, results, played
        Of every game: slots of the kit, shape (games, ROUNDS, OFFER), in the order of taking; how it ended for side 0
        (0 won, 1 drew, 2 lost); bits of the cards that were played.
    first_game
        Number of the first game.
    by_seats
        Games (side that drafted first, side that started, blocks, results of side 0), added to like all others. A block
        has the drafts of which it is the number, modulo the number of blocks.
    by_pick
        Games (side, kit, PICKS, blocks, results), by the card that the side took, when it took it, and how the game
        ended for it.
    playing
        Games (side, kit, results) in which it played it.
    seen, taken
        Drafts (side, kit, PICKS) in which the side had the card before it at this kind of pick, and took it. They are
        counted in even games only: the next one has the same draft.
    over
        Drafts (side, kit, kit) in which the side took a card and left the other.
    products, scores
        Sums (blocks, kit, kit) of the products of x, and (blocks, kit) of x and the result of side 0 (1 won, -1 lost):
        x of a card is 1 if side 0 has it, -1 if the other side has it.
    """
    blocks = by_seats.shape[2]
    slots = np.zeros((SIDES, DECK_SIZE), np.int64)
    for index in range(len(picks)):
        game = first_game + index
        block = (game // GAMES_OF_A_DRAFT) % blocks
        result = results[index]
        by_seats[first_drafter(game), game & 1, block, result] += 1
        for number in range(ROUNDS):
            first = first_drafter(game) ^ (number & 1)
            own, others = (result, _LOST - result) if first == 0 else (_LOST - result, result)
            card = picks[index, number]
            by_pick[first, card[FIRST_OF_FOUR], FIRST_PICK, block, own] += 1
            by_pick[first, card[LEFTOVER], LAST_PICK, block, own] += 1
            for place in (ONE_OF_PAIR, OTHER_OF_PAIR):
                by_pick[1 - first, card[place], PAIR_PICK, block, others] += 1
            if game & 1 == 0:
                _count_picks(card, first, seen, taken, over)
        drafted_slots(picks[index], game, slots)
        _count_played(slots, result, played[index], playing)
        _add_products(slots, result, products[block], scores[block])


@cold
def _count_picks(card: np.ndarray, first: int, seen: np.ndarray, taken: np.ndarray, over: np.ndarray) -> None:
    """Count the picks of a round, each from the view of the side that takes."""
    second = 1 - first
    taken[first, card[FIRST_OF_FOUR], FIRST_PICK] += 1
    for place in range(OFFER):
        seen[first, card[place], FIRST_PICK] += 1
        if place != FIRST_OF_FOUR:
            seen[second, card[place], PAIR_PICK] += 1
            over[first, card[FIRST_OF_FOUR], card[place]] += 1
    for place in (ONE_OF_PAIR, OTHER_OF_PAIR):
        taken[second, card[place], PAIR_PICK] += 1
        over[second, card[place], card[LEFTOVER]] += 1
    seen[first, card[LEFTOVER], LAST_PICK] += 1
    taken[first, card[LEFTOVER], LAST_PICK] += 1


@cold
def _count_played(slots: np.ndarray, result: int, played: int, playing: np.ndarray) -> None:
    for side in range(SIDES):
        own = result if side == 0 else _LOST - result
        for place in range(DECK_SIZE):
            if (played >> (FIRST_CARD[side] + place)) & 1:
                playing[side, slots[side, place], own] += 1


@cold
def _add_products(slots: np.ndarray, result: int, products: np.ndarray, scores: np.ndarray) -> None:
    score = 1 - result  # 1 won, 0 drew, -1 lost
    for side in range(SIDES):
        sign = 1 - 2 * side
        for place in range(DECK_SIZE):
            card = slots[side, place]
            scores[card] += sign * score
            for other_side in range(SIDES):
                for other_place in range(DECK_SIZE):
                    products[card, slots[other_side, other_place]] += sign * (1 - 2 * other_side)


@kernel
def count_solo_drafts(
    picks: np.ndarray,
    results: np.ndarray,
    first_game: int,
    by_card: np.ndarray,
    seen: np.ndarray,
    taken: np.ndarray,
    over: np.ndarray,
    products: np.ndarray,
    scores: np.ndarray,
) -> None:
    """Count solo games with drafted decks.

    Parameters
    ----------
    picks, results
        Of every game: slots of the kit, shape (games, DECK_SIZE, OFFER), the player's first; how it ended for it.
    first_game
        Number of the first game.
    by_card
        Games (kit, blocks, results) by the card that the player took, added to like all others.
    seen, taken, over
        Drafts (kit,) in which the card was turned up, and taken; (kit, kit) taken where the other was turned up too.
    products, scores
        Sums (blocks, kit, kit) of the products of x, and (blocks, kit) of x in games won: x of a card is 1 if the
        player has it.
    """
    blocks = by_card.shape[1]
    for index in range(len(picks)):
        block = (first_game + index) % blocks
        result = results[index]
        for number in range(DECK_SIZE):
            card = picks[index, number, 0]
            taken[card] += 1
            by_card[card, block, result] += 1
            scores[block, card] += result == _WON
            for place in range(OFFER):
                seen[picks[index, number, place]] += 1
                if place > 0:
                    over[card, picks[index, number, place]] += 1
            for other in range(DECK_SIZE):
                products[block, card, picks[index, other, 0]] += 1
