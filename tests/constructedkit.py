"""What the tests of the constructed format share: tens, card sets with a planted best ten, tables of values."""

from dataclasses import replace

import clashsim as cs

KIT = cs.load_cards()
NAMES = [card.name for card in KIT.cards]


def few_cards(number):
    """A set of the first cards only."""
    return cs.CardSet("few", tuple(replace(card, deck=None) for card in KIT.cards[:number]))


def ten(name, first=0, cards=KIT):
    """Ten cards of a set, from a place on."""
    return cs.Deck(name, cards.cards[first : first + 10])


def worth_file(path, worths):
    """Write a table of card values."""
    path.write_text("card,value\n" + "".join(f"{name},{worth}\n" for name, worth in worths.items()))
    return path


def ten_file(path, name, cards):
    """Write a ten as `constructed play` takes it."""
    listed = ", ".join(f'"{card}"' for card in cards)
    path.write_text(f'name = "{name}"\ncards = [{listed}]\n')
    return path


def planted(strong, weak):
    """A card set of weak cards, followed by as many that are far stronger, and cheap."""
    plain = replace(KIT["TROLL"], abilities=(), auras=(), deck=None)
    cards = [replace(plain, name=f"WEAK{place}", cost=3, attack=1, health=1) for place in range(weak)]
    cards += [replace(plain, name=f"STRONG{place}", cost=3, attack=3, health=3) for place in range(strong)]
    return cs.CardSet("planted", tuple(cards))
