"""Games with drafted decks, of duels (R40) and against the AI (R42), counted by who took which card when."""

import json
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from clashsim.clash.core.dealing import RELATIONS, RESULTS, count_cards
from clashsim.clash.core.draft_counts import PICKS, count_draft_games, count_solo_drafts
from clashsim.clash.core.drafting import DRAFTED_CARDS, OFFER, ROUNDS, draft_games, draft_solo_games
from clashsim.clash.core.match import BY_DRAFT, put_kit
from clashsim.clash.core.state import DECK_SIZE, MOST_KIT_CARDS, SIDES
from clashsim.clash.dealt import KitDuel
from clashsim.clash.drafting import Drafter, Worths, check_draft_kit
from clashsim.clash.duels import Tally, results_of
from clashsim.clash.policies import Policy
from clashsim.clash.solos import BLOCKS, Solo
from clashsim.errors import InputError


@dataclass(frozen=True)
class DraftDuel(KitDuel):
    """Everything that decides a game between drafted decks but its number (R40).

    Games 4k to 4k + 3 have the same cards turned up: side 0 drafts first in the first two of them, side 1 in the
    others; side 0 takes the first turn in even games.

    Attributes
    ----------
    drafters : tuple of two Drafters

    Raises
    ------
    InputError
        The card set has too few or too many cards.
    """

    drafters: tuple[Drafter, Drafter] = field(kw_only=True)

    names: ClassVar[tuple[str, str]] = ("drafted A", "drafted B")

    def __post_init__(self) -> None:
        size = len(self.cards.cards)
        if not DRAFTED_CARDS <= size <= MOST_KIT_CARDS:
            raise InputError(
                f"card set {self.cards.name} has {size} cards; expected {DRAFTED_CARDS} to {MOST_KIT_CARDS} for a "
                "draft (R40)"
            )

    def picks_of(self, first_game: int, n_games: int) -> np.ndarray:
        """Return what was taken: slots of the kit, shape (n_games, 4 rounds, 4), in the order of taking.

        Who goes first in a round takes the first and the last of the four cards, the other side those between.
        """
        picks = np.zeros((n_games, ROUNDS, OFFER), np.int64)
        with np.errstate(over="ignore"):
            draft_games(self._match, first_game, picks)
        return picks

    def tally(self, first_game: int, n_games: int) -> Tally:
        """Play games and count them.

        Returns
        -------
        dict of integer arrays
            - results (2, 2, BLOCKS, 3): games by who drafted first, who started, block of drafts, and how they ended
              for side 0: won, drew, lost
            - by_pick (2, kit, PICKS, BLOCKS, 3): by side, card it took, kind of pick, and how they ended for it
            - playing (2, kit, 3): by side and card it took and played
            - seen, taken (2, kit, PICKS), over (2, kit, kit): drafts, by side; see `core.draft_counts`
            - products (BLOCKS, kit, kit), scores (BLOCKS, kit): what a fit of the results by the cards needs
            - holding (kit, 2, 3), pairs (kit, kit, 3, 3): see `core.dealing.count_cards`
        """
        outcomes, picks = self.outcomes(first_game, n_games), self.picks_of(first_game, n_games)
        results = results_of(outcomes["winner"])
        kit = len(self.kit)
        counts = {
            "results": np.zeros((SIDES, SIDES, BLOCKS, RESULTS), np.int64),
            "by_pick": np.zeros((SIDES, kit, PICKS, BLOCKS, RESULTS), np.int64),
            "playing": np.zeros((SIDES, kit, RESULTS), np.int64),
            "seen": np.zeros((SIDES, kit, PICKS), np.int64),
            "taken": np.zeros((SIDES, kit, PICKS), np.int64),
            "over": np.zeros((SIDES, kit, kit), np.int64),
            "products": np.zeros((BLOCKS, kit, kit), np.int64),
            "scores": np.zeros((BLOCKS, kit), np.int64),
            "holding": np.zeros((kit, SIDES, RESULTS), np.int64),
            "pairs": np.zeros((kit, kit, RELATIONS, RESULTS), np.int64),
        }
        *drafted, holding, pairs = counts.values()
        count_draft_games(picks, results, outcomes["played"], first_game, *drafted)
        slots, unused = self.decks_of(first_game, n_games), np.zeros_like(holding)
        count_cards(slots, results, outcomes["played"], first_game, holding, unused, pairs)
        return counts

    def by(self, worths: Worths) -> "DraftDuel":
        """Return the same condition with a table of worths for those who go by one."""
        one, other = self.drafters
        return replace(self, drafters=(one.by(worths), other.by(worths)))

    def _own_group(self) -> str:
        return json.dumps(["draft"])

    def _choose_from_kit(self, match: np.ndarray) -> None:
        put_kit(match, self.kit, BY_DRAFT)
        for side, drafter in enumerate(self.drafters):
            drafter.put(match, side, self.kit)


@dataclass(frozen=True)
class DraftSolo:
    """Solo games with a drafted deck (R42).

    Attributes
    ----------
    solo : Solo
        Its deck is a Drafter.
    """

    solo: Solo

    def __post_init__(self) -> None:
        check_draft_kit(self.solo.cards)

    @property
    def policies(self) -> tuple[Policy]:
        """The player's policy."""
        return self.solo.policies

    def picks_of(self, first_game: int, n_games: int) -> np.ndarray:
        """Return what was turned up: slots of the kit, shape (n_games, 8, 4), the card that the player took first."""
        picks = np.zeros((n_games, DECK_SIZE, OFFER), np.int64)
        with np.errstate(over="ignore"):
            draft_solo_games(self.solo.match, first_game, picks)
        return picks

    def tally(self, first_game: int, n_games: int) -> Tally:
        """Play games and count them.

        Returns
        -------
        dict of integer arrays
            - results (BLOCKS, 3): games that the player won, drew, lost
            - by_card (kit, BLOCKS, 3): the same, by card that the player took
            - seen, taken (kit,), over (kit, kit), products (BLOCKS, kit, kit), scores (BLOCKS, kit): see
              `core.draft_counts`
        """
        outcomes, _ = self.solo.outcomes(first_game, n_games)
        picks = self.picks_of(first_game, n_games)
        results = results_of(outcomes["winner"])
        kit = len(self.solo.cards.cards)
        counts = {
            "by_card": np.zeros((kit, BLOCKS, RESULTS), np.int64),
            "seen": np.zeros(kit, np.int64),
            "taken": np.zeros(kit, np.int64),
            "over": np.zeros((kit, kit), np.int64),
            "products": np.zeros((BLOCKS, kit, kit), np.int64),
            "scores": np.zeros((BLOCKS, kit), np.int64),
        }
        count_solo_drafts(picks, results, first_game, *counts.values())
        block = np.arange(first_game, first_game + n_games) % BLOCKS
        by_block = np.bincount(block * RESULTS + results, minlength=BLOCKS * RESULTS)
        return {"results": by_block.reshape(BLOCKS, RESULTS).astype(np.int64), **counts}

    def by(self, worths: Worths) -> "DraftSolo":
        """Return the same condition with a table of worths for a drafter who goes by one."""
        drafter = self.solo.deck
        assert isinstance(drafter, Drafter)
        return DraftSolo(replace(self.solo, deck=drafter.by(worths)))
