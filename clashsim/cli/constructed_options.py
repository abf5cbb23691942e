"""The options that both commands of the constructed format share."""

from typing import Annotated

import typer

from clashsim.cli.options import MOST_GAMES, whole_number


def parse_value_games(value: str | int | None) -> int | None:
    """Read a number of games that measure card values."""
    if value is None:
        return None
    return whole_number(str(value), "--value-games", 1, MOST_GAMES, multipliers=True)


BansOption = Annotated[
    str,
    typer.Option(
        "--bans",
        metavar="HOW",
        help="How both sides remove cards: value (the card of the highest worth) or random (any).",
    ),
]
ValuesOption = Annotated[
    str | None,
    typer.Option(
        "--values",
        metavar="FILE",
        show_default="measured first, in random decks",
        help="CSV file of card values with the columns card and value, such as the card_values.csv of a run.",
    ),
]
ValueGamesOption = Annotated[
    int | None,
    typer.Option(
        "--value-games",
        metavar="N",
        parser=str,
        callback=parse_value_games,
        show_default="200000; 20000 where a policy searches",
        help="Games that measure card values, where no --values are given.",
    ),
]
