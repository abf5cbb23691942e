"""How cards are chosen (R40-R42), written to be read: no speed, no cleverness, every way to choose looked at.

A judge has a worth for every card, and one for every pair of cards that a deck has, beyond the sum.
"""

from itertools import combinations

ORDER_OF_BANS = ("B", "A", "A", "B")  # R41: who removes a card of the other's


def worth_of(cards, deck, worths, pairs):
    """What some cards add to a deck."""
    together = sum(worths[card] for card in cards)
    with_deck = sum(pairs[card][other] for card in cards for other in deck)
    among_them = sum(pairs[one][other] for one, other in combinations(cards, 2))
    return together + with_deck + among_them


def choices_of_first(offer):
    """The ways to take one of four."""
    return [(card,) for card in offer]


def choices_of_second(left):
    """The ways to take two of three; those that leave the last card come first."""
    return [tuple(card for card in left if card != leave) for leave in reversed(left)]


def pick_first(offer, mine, theirs, kind, worths, pairs):
    """Take one of four."""
    if kind in ("value", "fit"):
        pairs = none(pairs) if kind == "value" else pairs
        return max(choices_of_first(offer), key=lambda taken: worth_of(taken, mine, worths, pairs))[0]

    def gain(taken):
        rest = [card for card in offer if card not in taken]
        reply = max(choices_of_second(rest), key=lambda two: worth_of(two, theirs, worths, pairs))
        (last,) = (card for card in rest if card not in reply)
        return worth_of((*taken, last), mine, worths, pairs) - worth_of(reply, theirs, worths, pairs)

    return max(choices_of_first(offer), key=gain)[0]


def pick_second(left, mine, theirs, kind, worths, pairs):
    """Take two of three; `theirs` is the deck of who has gone first, with its first card of this round."""
    if kind == "value":
        pairs = none(pairs)

    def gain(two):
        (last,) = (card for card in left if card not in two)
        denied = worth_of((last,), theirs, worths, pairs) if kind == "denial" else 0
        return worth_of(two, mine, worths, pairs) - denied

    return max(choices_of_second(left), key=gain)


def draft(kit, first, kinds, worths, pairs):
    """Draft (R40): who took what in every round, in the order of taking; and both decks."""
    decks = {0: [], 1: []}
    picks = []
    for number in range(4):
        offer = kit[4 * number : 4 * number + 4]
        one = first if number % 2 == 0 else 1 - first
        other = 1 - one
        taken = pick_first(offer, decks[one], decks[other], kinds[one], worths, pairs)
        decks[one].append(taken)
        left = [card for card in offer if card != taken]
        two = pick_second(left, decks[other], decks[one], kinds[other], worths, pairs)
        (last,) = (card for card in left if card not in two)
        decks[other] += two
        decks[one].append(last)
        picks.append([taken, *two, last])
    return picks, decks


def none(pairs):
    """No worths of pairs."""
    return [[0] * len(row) for row in pairs]


def bans_by_worth(tens, worths):
    """What is left of two tens after the bans (R41), if each ban removes the card of the highest worth."""
    left = {"A": list(tens[0]), "B": list(tens[1])}
    for banner in ORDER_OF_BANS:
        other = "A" if banner == "B" else "B"
        left[other].remove(max(left[other], key=lambda card: worths[card]))
    return left["A"], left["B"]
