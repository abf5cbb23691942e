"""Choosing cards: the player's deck in solo games, and who drafts it (R32, R42)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike

from clashsim.clash.card_checks import DeckSizeError
from clashsim.clash.cards import Card, CardSet, Deck, load_deck
from clashsim.clash.core.match import BY_CHANCE, BY_LIKING
from clashsim.errors import InputError, nearest

DRAFT = "draft"
DRAFT_KIT = 32  # cards that a solo draft needs (R42)
CONSTRUCTED_SIZE = 10  # cards of a constructed deck, before the bans (R41)


@dataclass(frozen=True)
class Drafter:
    """Someone who takes one of four cards, eight times.

    Attributes
    ----------
    name : str
    summary : str
    number : int
        By which the core knows it.
    liking : callable
        What it thinks of a card: it takes the one it likes best, of several the first turned up.
    """

    name: str
    summary: str
    number: int
    liking: Callable[[Card], int] = lambda card: 0


DRAFTERS = {
    drafter.name: drafter
    for drafter in (
        Drafter("dearest", "takes the card of the highest cost", BY_LIKING, lambda card: card.cost),
        Drafter("random", "takes any card with equal chances", BY_CHANCE),
    )
}
"""The first is the default."""


def is_draft(spec: object) -> bool:
    """Tell whether the player's deck is to be drafted: "draft", or "draft:" and the name of a drafter."""
    return isinstance(spec, str) and spec.partition(":")[0] == DRAFT


def find_drafter(spec: str, cards: CardSet) -> Drafter:
    """Return the drafter that "draft" or "draft:NAME" names.

    Raises
    ------
    InputError
        There is none of this name, or the card set is none to draft from.
    """
    name = spec.partition(":")[2] if ":" in spec else next(iter(DRAFTERS))
    if name not in DRAFTERS:
        raise InputError(
            f"unknown drafter {name!r}; expected {' or '.join(DRAFTERS)}.{nearest(name, DRAFTERS)}"
        )
    check_draft_kit(cards)
    return DRAFTERS[name]


def check_draft_kit(cards: CardSet) -> None:
    """Make sure that a card set can be drafted from.

    Raises
    ------
    InputError
        It has too few or too many cards.
    """
    if len(cards.cards) != DRAFT_KIT:
        raise InputError(
            f"card set {cards.name} has {len(cards.cards)} cards; expected {DRAFT_KIT} for a solo draft (R42)"
        )


def load_solo_deck(
    spec: str | int | PathLike[str] | Sequence[str] | Deck, cards: CardSet, also: Sequence[str] = ()
) -> Deck | Drafter:
    """Return the player's deck as it is named: as `load_deck` takes it, or a drafter's name behind "draft:".

    Raises
    ------
    InputError
        As `load_deck` and `find_drafter`; a constructed deck is none for solo games (R39).
    """
    if isinstance(spec, str) and is_draft(spec):
        return find_drafter(spec, cards)
    try:
        return load_deck(spec, cards, [DRAFT, *(f"{DRAFT}:{name}" for name in DRAFTERS), *also])
    except DeckSizeError as error:
        if error.size != CONSTRUCTED_SIZE:
            raise
        raise DeckSizeError(f"{error}: solo games have no constructed format (R39)", error.size) from None
