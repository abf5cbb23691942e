"""What the commands that show single games share: their options, the duel they name, the drawing."""

import sys
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from clashsim.cli.options import MOST_GAMES, POLICY_NAMES, parse_decks, whole_number
from clashsim.errors import InputError

if TYPE_CHECKING:
    from clashsim.clash.duels import Duel

NARROWEST, WIDEST = 60, 100  # columns of a drawing on a terminal
PIPE_WIDTH = 80


def parse_pair(value: list[str]) -> list[str]:
    """Read --decks of a single duel: two decks."""
    decks = parse_decks(value) or []
    if len(decks) != 2:
        raise InputError(f"--decks names {len(decks)} decks; expected exactly two, such as 1,2")
    return decks


def parse_some_pair(value: list[str] | None) -> list[str] | None:
    """Read two decks; None stands for any."""
    return parse_pair(value) if value else None


def parse_game(value: str | int | None) -> int | None:
    """Read the number of a game."""
    return None if value is None else whole_number(str(value), "--game", 0, MOST_GAMES)


SomePairOption = Annotated[
    list[str] | None,
    typer.Option(
        "--decks",
        metavar="DECK,DECK",
        callback=parse_some_pair,
        show_default=False,
        help="The decks of A and B, in the order of the run (in its table, a row that is not derived): "
        "labels of the card set or paths of .toml files.",
    ),
]
PolicyOption = Annotated[
    str,
    typer.Option(
        "--policy",
        metavar="NAME",
        help=f"Policy that plays A's deck, or the player's: {POLICY_NAMES}.",
    ),
]
VsPolicyOption = Annotated[
    str | None,
    typer.Option(
        "--vs-policy", metavar="NAME", show_default="as --policy", help="Policy that plays B's deck."
    ),
]


def load_duel(
    decks: list[str],
    policy: str,
    vs_policy: str | None,
    seed: int,
    rules: list[str] | None,
    card_set: str,
) -> "Duel":
    """Return the condition that the options name; side 0 is A."""
    from clashsim.clash.cards import load_cards, load_deck
    from clashsim.clash.policy_files import load_policy
    from clashsim.clash.rules import parse_rules

    cards = load_cards(card_set)
    first, second = (load_deck(deck, cards) for deck in decks)
    policies = load_policy(policy), load_policy(policy if vs_policy is None else vs_policy)
    settings = parse_rules(rules or [])
    from clashsim.clash.duels import Duel  # compiled: only once all input is known to be right

    return Duel((first, second), policies, settings, seed)


def show_game(trace: dict[str, Any], file: TextIO | None = None) -> None:
    """Print the drawing of a game, on standard output by default: in colour on a terminal, else plain text."""
    from rich.console import Console

    from clashsim.clash.board import render

    console = Console(file=file or sys.stdout, highlight=False)
    width = min(max(console.width, NARROWEST), WIDEST) if console.is_terminal else PIPE_WIDTH
    for line in render(trace, width):
        console.print(line, soft_wrap=True)
