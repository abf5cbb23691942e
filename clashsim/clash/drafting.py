"""Choosing cards: who drafts (R40, R42) and bans (R41), and the player's deck in solo games (R32)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os import PathLike

import numpy as np

from clashsim.clash.card_checks import DeckSizeError
from clashsim.clash.cards import Card, CardSet, Deck, load_deck
from clashsim.clash.core.match import (
    BY_CHANCE,
    BY_DENIAL,
    BY_FIT,
    BY_LIKING,
    put_drafter,
    put_fits,
)
from clashsim.errors import InputError, nearest

DRAFT = "draft"
DRAFT_KIT = 32  # cards that a solo draft needs (R42)
LEAST_DRAFT_KIT = 16  # cards that a duel's draft needs (R40)
CONSTRUCTED_SIZE = 10  # cards of a constructed deck, before the bans (R41)
LIKINGS_PER_POINT = 10_000  # the core counts worths in whole numbers, of a percentage point's ten-thousandths


@dataclass(frozen=True)
class Worths:
    """What the cards of a set are worth to a deck, by their places in the set, in fractions of score.

    Attributes
    ----------
    cards : tuple of float
    pairs : tuple of tuple of float
        What two cards do beyond the sum for a deck with both; empty: nothing.
    """

    cards: tuple[float, ...]
    pairs: tuple[tuple[float, ...], ...] = ()

    def likings(self) -> list[int]:
        """Return the worths of the cards as the core counts them."""
        return [round(100 * worth * LIKINGS_PER_POINT) for worth in self.cards]

    def fits(self) -> np.ndarray:
        """Return those of the pairs as the core counts them."""
        size = len(self.cards)
        pairs = np.asarray(self.pairs, np.float64) if self.pairs else np.zeros((size, size))
        return np.rint(100 * pairs * LIKINGS_PER_POINT).astype(np.int64)


@dataclass(frozen=True)
class Drafter:
    """Someone who chooses cards for a deck.

    Attributes
    ----------
    name : str
    summary : str
    number : int
        By which the core knows it.
    liking : callable, optional
        What it thinks of a card: it takes the one it likes best, of several the first turned up. None for one that
        goes by a table of worths.
    worths : Worths, optional
        That table.
    """

    name: str
    summary: str
    number: int
    liking: Callable[[Card], int] | None = None
    worths: Worths | None = None

    @property
    def needs_worths(self) -> bool:
        """Whether it goes by a table of worths."""
        return self.number != BY_CHANCE and self.liking is None

    def by(self, worths: Worths) -> "Drafter":
        """Return the drafter with a table of worths, if it goes by one."""
        return replace(self, worths=worths) if self.needs_worths else self

    def put(self, match: np.ndarray, side: int, kit: Sequence[Card]) -> None:
        """Let it choose for a side of an array of one MATCH."""
        if self.needs_worths and self.worths is None:
            raise ValueError(f"drafter {self.name} has no table of worths")
        likings = [self.liking(card) for card in kit] if self.liking else []
        if self.worths:
            likings = self.worths.likings()
            put_fits(match, self.worths.fits())
        put_drafter(match, side, self.number, likings)


DRAFTERS = {
    drafter.name: drafter
    for drafter in (
        Drafter("dearest", "takes the card of the highest cost", BY_LIKING, lambda card: card.cost),
        Drafter("random", "takes any card with equal chances", BY_CHANCE),
    )
}
"""Those that need to know nothing but a card; the first is the default in solo games."""

JUDGES = {
    drafter.name: drafter
    for drafter in (
        Drafter("value", "takes the card of the highest worth", BY_LIKING),
        Drafter("fit", "the same, and weighs how a card goes with those that it has", BY_FIT),
        Drafter("denial", "the same, and weighs what the opponent would take", BY_DENIAL),
    )
}
"""Those that go by a table of what cards are worth, which is measured."""

ALL_DRAFTERS = DRAFTERS | JUDGES


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
