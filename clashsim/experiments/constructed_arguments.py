"""What both commands of the constructed format (R41) share: who bans, and the table of card values that bans go by."""

import hashlib
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from clashsim.analysis.presence import value_of
from clashsim.clash.cards import CardSet
from clashsim.clash.core.state import DECK_SIZE, MOST_KIT_CARDS, SIDES
from clashsim.clash.dealt import DealtDuel
from clashsim.clash.drafting import CONSTRUCTED_SIZE, DRAFTERS, JUDGES, Drafter, Worths
from clashsim.clash.rules import Rules
from clashsim.clash.worth_files import load_worths
from clashsim.errors import InputError, nearest
from clashsim.experiments import matchup_arguments as arguments
from clashsim.running import Tally
from clashsim.running.chunks import even

BANNERS = {"random": DRAFTERS["random"], "value": JUDGES["value"]}
"""Who may remove cards of the other side's ten, by how they choose."""

DEFAULT_BANS = "value"
VALUE_GAMES = 200_000
VALUE_GAMES_OF_SEARCHERS = 20_000  # good for one point

ValuesFile = str | PathLike[str] | None


def check_bans(name: str, value: Any) -> Drafter:
    """Return the one who bans in the way that an argument names."""
    if not isinstance(value, str) or value not in BANNERS:
        words = " or ".join(BANNERS)
        raise InputError(
            f"{name} is {str(value)[:40]!r}; expected {words}.{nearest(str(value)[:40], BANNERS)}"
        )
    return BANNERS[value]


def check_ten_kit(cards: CardSet, least: int = CONSTRUCTED_SIZE) -> CardSet:
    """Make sure that tens can be made of a card set, or that there are several to choose from.

    Raises
    ------
    InputError
        It has too few cards.
    """
    size = len(cards.cards)
    if size < CONSTRUCTED_SIZE:
        raise InputError(
            f"card set {cards.name} has {size} cards; expected at least {CONSTRUCTED_SIZE} for constructed decks (R41)"
        )
    if size < least:
        raise InputError(
            f"card set {cards.name} has {size} cards, of which only one ten can be made (R41); expected at least "
            f"{least} to search among"
        )
    return cards


def check_value_games(games: int | None, rungs: Sequence[arguments.Players]) -> int:
    """Return the number of games that measure the card values, an even one; None stands for the default."""
    if games is None:
        searches = any(policy.searches for players in rungs for policy in players)
        return VALUE_GAMES_OF_SEARCHERS if searches else VALUE_GAMES
    return even(arguments.check_whole("value_games", games, 1, arguments.MOST_GAMES))


def load_values(values: ValuesFile, cards: CardSet, players: arguments.Players) -> Worths | None:
    """Return the card values of a file for those who play; None: they are to be measured."""
    if values is None:
        return None
    if not isinstance(values, str | PathLike):
        raise InputError(f"values is {values!r}; expected the path of a .csv file")
    return load_worths(values, cards, players[0].name)


def values_files(values: ValuesFile) -> dict[str, Path]:
    """Return the file of card values, by how it is named."""
    return {} if values is None else {str(values): Path(values)}


def values_duel(cards: CardSet, players: arguments.Players, rules: Rules, seed: int) -> DealtDuel:
    """Return the games that measure card values: of random decks, each from a kit of its own where cards are few."""
    size = len(cards.cards)
    if size > MOST_KIT_CARDS:
        raise InputError(
            f"card set {cards.name} has {size} cards; expected at most {MOST_KIT_CARDS} to measure what they are "
            "worth, or their values in a file (--values)"
        )
    return DealtDuel(cards, players, rules, seed, two_kits=len(cards.cards) < SIDES * DECK_SIZE)


def measured_worths(tally: Tally) -> Worths:
    """Return what the cards are worth by the games of `values_duel`."""
    return Worths(tuple(value_of(tally["holding"]).value.tolist()))


def no_worths(cards: CardSet) -> Worths:
    """Return a table in which all cards are alike: for trials, before one is measured."""
    return Worths((0.0,) * len(cards.cards))


def digest_of(worths: Worths | None) -> str | None:
    """Return 16 hexadecimal digits of a table of card values, for the manifest."""
    return None if worths is None else hashlib.sha256(repr(worths.likings()).encode()).hexdigest()[:16]
