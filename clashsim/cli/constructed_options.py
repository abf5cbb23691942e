"""The options that both commands of the constructed format share."""

from typing import Annotated

import typer

from clashsim.cli.options import games_reader, values_option

BansOption = Annotated[
    str,
    typer.Option(
        "--bans",
        metavar="HOW",
        help="How both sides remove cards: value (the card of the highest worth) or random (any).",
    ),
]
ValuesOption = Annotated[str | None, values_option("measured first, in random decks")]
ValueGamesOption = Annotated[
    int | None,
    typer.Option(
        "--value-games",
        metavar="N",
        parser=str,
        callback=games_reader("--value-games"),
        show_default="200000; 20000 where a policy searches",
        help="Games that measure card values, where no --values are given.",
    ),
]
