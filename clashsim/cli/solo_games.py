"""What the commands that show single games need for solo games: their options, and the condition they name."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clashsim.clash.solo_settings import PRESETS, SoloSettings, settings_from
from clashsim.errors import InputError

if TYPE_CHECKING:
    from clashsim.clash.solos import Solo

QUICK = "quick"

SoloOption = Annotated[
    bool,
    typer.Option("--solo", help="A solo game: a player with --deck against the AI with all other cards."),
]
SoloDeckOption = Annotated[
    str | None,
    typer.Option(
        "--deck",
        metavar="DECK",
        show_default=False,
        help="With --solo: the player's deck. A label of the card set, the path of a .toml file, draft (of four cards "
        "turned up the player takes the dearest, eight times) or draft:random.",
    ),
]
SomePresetOption = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="NAME",
        show_default=QUICK,
        help=f"With --solo: settings to start from: {', '.join(PRESETS)} (R33).",
    ),
]


def settings_of(preset: str | None = None, **options: Any) -> SoloSettings:
    """Return the settings that the options name: those of a preset, changed by all options that are not None.

    Raises
    ------
    InputError
        For an unknown preset, or a value outside the rulebook.
    """
    given = {name: value for name, value in options.items() if value is not None}
    return settings_from(given, QUICK if preset is None else preset)


def refuse_mixture(solo: bool, of_solo: Mapping[str, object], of_duels: Mapping[str, object]) -> None:
    """Make sure that options of solo games, and of duels, come with their kind only; None stands for not given."""
    given = [f"--{name}" for name, value in (of_duels if solo else of_solo).items() if value is not None]
    if given and solo:
        raise InputError(f"{given[0]} and --solo are given; expected one of them: {given[0]} is for duels")
    if given:
        raise InputError(f"{given[0]} is for solo games; expected --solo as well, or no {given[0]}")


def load_solo(
    deck: str | None,
    policy: str,
    settings: SoloSettings,
    seed: int,
    rules: list[str] | None,
    card_set: str,
) -> "Solo":
    """Return the condition that the options name."""
    if deck is None:
        raise InputError("Missing option '--deck'; expected the player's deck, such as 1 or draft")
    from clashsim.clash.cards import load_cards
    from clashsim.clash.drafting import load_solo_deck
    from clashsim.clash.policy_files import load_policy
    from clashsim.clash.rules import parse_rules

    cards = load_cards(card_set)
    player = load_solo_deck(deck, cards)
    switches = parse_rules(rules or [], solo=True)
    chosen = load_policy(policy)
    from clashsim.clash.solos import Solo  # compiled: only once all input is known to be right

    return Solo(cards, player, chosen, settings, switches, seed)
