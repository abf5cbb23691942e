"""The options that name a setting of solo games (R38): of `solo`, and of `play` and `trace` with --solo."""

from typing import Annotated, Any

import typer

from clashsim.clash.solo_settings import LEVELS, PRICES

_NOT_SHOWN = "as in the preset"  # instead of a default


def parse_setting(name: str) -> Any:
    """Return the reader of an option that is a whole number of the rulebook."""

    def parse(value: str | int | None) -> int | None:
        from clashsim.clash.solo_settings import settings_from
        from clashsim.errors import InputError

        if value is None:
            return None
        text = str(value).strip()
        if not text.isascii() or not text.isdigit() or len(text) > 3:
            allowed = [str(each) for each in PRICES[name]]
            raise InputError(
                f"--{name} is {text[:40]!r}; expected {', '.join(allowed[:-1])} or {allowed[-1]} (R38)"
            )
        settings_from({name: int(text)})
        return int(text)

    return parse


PresetOption = Annotated[
    str,
    typer.Option(
        "--preset",
        metavar="NAME",
        help="Settings to start from: quick (R33), which has AI mana 6 + 1 per "
        "creature, the player first, a Bastion, no resistance and no ability.",
    ),
]
VariableOption = Annotated[
    int | None,
    typer.Option(
        "--variable",
        metavar="N",
        parser=str,
        callback=parse_setting("variable"),
        show_default=_NOT_SHOWN,
        help="AI mana for each of the player's creatures in play: 1, or 2 (+2 points).",
    ),
]
FixedOption = Annotated[
    int | None,
    typer.Option(
        "--fixed",
        metavar="N",
        parser=str,
        callback=parse_setting("fixed"),
        show_default=_NOT_SHOWN,
        help="AI mana in any case: 6, 7 (+1), 8 (+2), 9 (+3) or 10 (+4).",
    ),
]
FirstOption = Annotated[
    str | None,
    typer.Option(
        "--first",
        metavar="WHO",
        show_default=_NOT_SHOWN,
        help="Who takes the first turn: player, or ai (+1).",
    ),
]
BastionOption = Annotated[
    bool | None,
    typer.Option(
        "--bastion/--no-bastion",
        show_default=_NOT_SHOWN,
        help="Whether the AI starts with its Bastion, or on the Fort (-1).",
    ),
]
ResistanceOption = Annotated[
    bool | None,
    typer.Option(
        "--resistance/--no-resistance",
        show_default=_NOT_SHOWN,
        help="Whether attacks on the AI's deck are reduced by 1 (+2).",
    ),
]
AbilityOption = Annotated[
    str | None,
    typer.Option(
        "--ability",
        metavar="NAME",
        show_default=_NOT_SHOWN,
        help=f"Ability of every AI creature: {', '.join(PRICES['ability'])} (all but none +1).",
    ),
]
LEVEL_NAMES = ", ".join(f"{name} ({points} point{'s' * (points != 1)})" for name, points in LEVELS.items())
