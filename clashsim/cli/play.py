"""The command `clashsim play`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from clashsim.clash.policies import DEFAULT
from clashsim.cli.compiling import announce_compiling
from clashsim.cli.games import (
    PairOption,
    PolicyOption,
    VsPolicyOption,
    load_duel,
    parse_game,
    show_game,
)
from clashsim.cli.options import CardsOption, RuleOption, SeedOption, YesOption, examples

PLAY_EXAMPLES = examples(
    "clashsim play --decks 1,2",
    "clashsim play --decks 1,2 --policy greedy --vs-policy random --seed 7 --game 12",
    "clashsim play --decks 3,my-deck.toml --rule window=5 | less",
)


def play_game(
    decks: PairOption,
    policy: PolicyOption = DEFAULT,
    vs_policy: VsPolicyOption = None,
    seed: SeedOption = 1,
    game: Annotated[
        int,
        typer.Option(
            "--game",
            metavar="N",
            parser=str,
            callback=parse_game,
            help="Number of the game, from 0: the game of this number in a run with this seed. "
            "A takes the first turn of even games, B of odd ones.",
        ),
    ] = 0,
    rules: RuleOption = None,
    card_set: CardsOption = "starter-kit",
    trace_file: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            metavar="FILE",
            show_default=False,
            help="Also write the game's trace (one line of JSON) to this file.",
        ),
    ] = None,
    yes: YesOption = False,
) -> None:
    """Play one game between two decks and show it turn by turn."""
    duel = load_duel(decks, policy, vs_policy, seed, rules, card_set)
    from clashsim.clash.trace import Tracer
    from clashsim.clash.trace_files import new_trace_file
    from clashsim.cli.faults import keeping_stopped_games

    tracer = Tracer(duel)
    with keeping_stopped_games():
        if trace_file is None:
            announce_compiling(duel.policies)
            trace = tracer.game(game)
        else:
            with new_trace_file(trace_file, overwrite=yes) as file:
                announce_compiling(duel.policies)
                (line,) = tracer.lines(game, 1)
                print(line, file=file)
            trace = json.loads(line)
    show_game(trace)
