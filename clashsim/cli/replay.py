"""The command `clashsim replay`."""

from pathlib import Path
from typing import Annotated

import typer

from clashsim.cli.games import parse_game, parse_some_pair, show_game
from clashsim.cli.options import examples

REPLAY_EXAMPLES = examples(
    "clashsim replay games.jsonl --game 3",
    "clashsim replay draws.jsonl --game 19 --decks 1,4",
    "clashsim replay one-game.jsonl | less",
)


def replay_game(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="File of traces, as 'clashsim trace' writes them.")
    ],
    game: Annotated[
        int | None,
        typer.Option(
            "--game",
            metavar="N",
            parser=str,
            callback=parse_game,
            show_default="the only one",
            help='Number of the game, its "game" in the file.',
        ),
    ] = None,
    decks: Annotated[
        list[str] | None,
        typer.Option(
            "--decks",
            metavar="A,B",
            callback=parse_some_pair,
            show_default=False,
            help="Names of the decks of A and B, or of the player's and ai, the game's \"decks\" in the file: where "
            "several pairs have a game of this number.",
        ),
    ] = None,
) -> None:
    """Show a game of a trace file turn by turn, from the file alone."""
    from clashsim.clash.trace_files import read_trace

    show_game(read_trace(file, game, decks))
