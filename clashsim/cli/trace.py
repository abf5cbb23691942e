"""The command `clashsim trace`."""

from typing import Annotated

import typer

from clashsim.cli.compiling import announce_compiling
from clashsim.cli.games import PairOption, PolicyOption, VsPolicyOption, load_duel
from clashsim.cli.options import (
    MOST_GAMES,
    CardsOption,
    RuleOption,
    SeedOption,
    YesOption,
    examples,
    parse_games,
    whole_number,
)

TRACE_EXAMPLES = examples(
    "clashsim trace --decks 1,2 --games 1000 --out games.jsonl",
    "clashsim trace --decks 1,2 --policy greedy --seed 7 --first-game 12 | jq .result",
    "clashsim replay games.jsonl --game 3",
)


def parse_first_game(value: str | int) -> int:
    """Read the number of the first game."""
    return whole_number(str(value), "--first-game", 0, MOST_GAMES)


def trace_games(
    decks: PairOption,
    policy: PolicyOption = "greedy",
    vs_policy: VsPolicyOption = None,
    seed: SeedOption = 1,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            parser=str,
            callback=parse_games,
            help="How many games, 1 to 10^12; 100k and 2M work too.",
        ),
    ] = 1,
    first_game: Annotated[
        int,
        typer.Option(
            "--first-game",
            metavar="N",
            parser=str,
            callback=parse_first_game,
            help="Number of the first of them. A takes the first turn of even games, B of odd ones.",
        ),
    ] = 0,
    rules: RuleOption = None,
    card_set: CardsOption = "starter-kit",
    out: Annotated[
        str,
        typer.Option(
            "--out",
            metavar="FILE",
            show_default="standard output",
            help="Write to this file, such as games.jsonl; - is standard output.",
        ),
    ] = "-",
    yes: YesOption = False,
) -> None:
    """Play games and write every step of them, with the state after it, as JSON: one game a line."""
    duel = load_duel(decks, policy, vs_policy, seed, rules, card_set)
    from clashsim.clash.trace import Tracer
    from clashsim.clash.trace_files import new_trace_file
    from clashsim.running import Progress

    lines = Tracer(duel).lines(first_game, games)
    if out == "-":
        announce_compiling()
        for line in lines:
            print(line)
        return
    with new_trace_file(out, overwrite=yes) as file:
        announce_compiling()
        progress = Progress()
        progress.start(games)
        try:
            for line in lines:
                print(line, file=file)
                progress.advance(1)
        finally:
            progress.finish()
