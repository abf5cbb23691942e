"""Constructed games: ten cards a side, of which the other side removes two (R41)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import ClassVar

import numpy as np

from clashsim.clash.cards import Card, CardSet, Deck, load_deck
from clashsim.clash.core.dealing import RESULTS
from clashsim.clash.core.drafting import TEN
from clashsim.clash.core.match import AFTER_BANS, put_kit
from clashsim.clash.core.state import SIDES
from clashsim.clash.dealt import KitDuel
from clashsim.clash.drafting import CONSTRUCTED_SIZE, Drafter, Worths
from clashsim.clash.duels import Tally, results_of


def load_ten(spec: str | PathLike[str] | Sequence[str] | Deck, cards: CardSet) -> Deck:
    """Load and check a constructed deck: as `load_deck`, with ten cards (R41)."""
    return load_deck(spec, cards, size=CONSTRUCTED_SIZE)


@dataclass(frozen=True)
class TensDuel(KitDuel):
    """Everything that decides a constructed game but its number (R41).

    Attributes
    ----------
    tens : tuple of two Decks
        Ten cards each, of the card set; the two may share cards.
    banners : tuple of two Drafters
        Who removes cards of the other side: by chance, or the one of the highest worth, by their places in the set.
    """

    tens: tuple[Deck, Deck] = field(kw_only=True)
    banners: tuple[Drafter, Drafter] = field(kw_only=True)

    names: ClassVar[tuple[str, str]] = ("constructed A", "constructed B")

    @property
    def kit(self) -> Sequence[Card]:
        """The cards of both tens, side 0's first."""
        return (*self.tens[0].cards, *self.tens[1].cards)

    def tally(self, first_game: int, n_games: int) -> Tally:
        """Play games and count them.

        Returns
        -------
        dict of integer arrays
            - results (2, 3): games that side 0, and that side 1 started, by how they ended for side 0: won, drew, lost
            - banned (2, 10, 2, 3): games in which a card of a side's ten was removed, by who started, and how they
              ended for side 0
        """
        outcomes, slots = self.outcomes(first_game, n_games), self.decks_of(first_game, n_games)
        starter = np.arange(first_game, first_game + n_games) & 1
        cell = starter * RESULTS + results_of(outcomes["winner"])
        left = np.zeros((n_games, SIDES * TEN), np.bool_)
        np.put_along_axis(left, slots.reshape(n_games, -1), True, axis=1)
        cells = (cell[:, np.newaxis] == np.arange(SIDES * RESULTS)).astype(np.int64)
        banned = (~left).astype(np.int64).T @ cells
        return {
            "results": cells.sum(axis=0).reshape(SIDES, RESULTS),
            "banned": banned.reshape(SIDES, TEN, SIDES, RESULTS),
        }

    def _own_group(self) -> str:
        return json.dumps(["constructed", *(ten.name for ten in self.tens)])

    def _choose_from_kit(self, match: np.ndarray) -> None:
        put_kit(match, self.kit, AFTER_BANS)
        places = {card.name: place for place, card in enumerate(self.cards.cards)}
        for side, banner in enumerate(self.banners):
            if banner.worths:
                ranks = ban_ranks(banner.worths)
                banner = banner.by(Worths(tuple(-ranks[places[card.name]] / 1e6 for card in self.kit)))
            banner.put(match, side, self.kit)


def ban_ranks(worths: Worths) -> list[int]:
    """Return each card's rank, 0 for the one that is banned first: by worth, ties by the place in the set.

    So it does not matter in which order a ten has its cards.
    """
    order = sorted(range(len(worths.cards)), key=lambda place: (-worths.cards[place], place))
    return [order.index(place) for place in range(len(order))]
