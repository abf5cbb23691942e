"""The command `clashsim play`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clashsim.clash.policies import DEFAULT
from clashsim.cli.compiling import announce_compiling
from clashsim.cli.games import (
    PolicyOption,
    SomePairOption,
    VsPolicyOption,
    load_duel,
    parse_game,
    show_game,
)
from clashsim.cli.options import CardsOption, RuleOption, SeedOption, YesOption, examples
from clashsim.cli.solo_games import (
    SoloDeckOption,
    SoloOption,
    SomePresetOption,
    load_solo,
    refuse_mixture,
    settings_of,
)
from clashsim.cli.solo_options import (
    AbilityOption,
    BastionOption,
    FirstOption,
    FixedOption,
    ResistanceOption,
    VariableOption,
)
from clashsim.errors import InputError

if TYPE_CHECKING:
    from clashsim.clash.duels import Duel
    from clashsim.clash.solos import Solo

PLAY_EXAMPLES = examples(
    "clashsim play --decks 1,2",
    "clashsim play --decks 1,2 --policy greedy --vs-policy random --seed 7 --game 12",
    "clashsim play --decks 3,my-deck.toml --rule window=5 | less",
    "clashsim play --solo --deck draft --fixed 8 --ability rage",
)


def play_game(
    decks: SomePairOption = None,
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
            "In a duel A takes the first turn of even games, B of odd ones.",
        ),
    ] = 0,
    rules: RuleOption = None,
    card_set: CardsOption = "starter-kit",
    solo: SoloOption = False,
    deck: SoloDeckOption = None,
    preset: SomePresetOption = None,
    variable: VariableOption = None,
    fixed: FixedOption = None,
    first: FirstOption = None,
    bastion: BastionOption = None,
    resistance: ResistanceOption = None,
    ability: AbilityOption = None,
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
    """Play one game between two decks, or with --solo against the AI, and show it turn by turn."""
    settings = {"variable": variable, "fixed": fixed, "first": first}
    settings |= {"bastion": bastion, "resistance": resistance, "ability": ability}
    refuse_mixture(
        solo, {"deck": deck, "preset": preset, **settings}, {"decks": decks, "vs-policy": vs_policy}
    )
    condition: Duel | Solo
    if solo:
        condition = load_solo(deck, policy, settings_of(preset, **settings), seed, rules, card_set)
    elif decks is None:
        raise InputError("Missing option '--decks'; expected two decks, such as 1,2, or --solo with --deck")
    else:
        condition = load_duel(decks, policy, vs_policy, seed, rules, card_set)
    from clashsim.clash.trace import Tracer
    from clashsim.clash.trace_files import new_trace_file
    from clashsim.cli.faults import keeping_stopped_games

    tracer = Tracer(condition)
    with keeping_stopped_games():
        if trace_file is None:
            announce_compiling(condition.policies, solo, stepwise=True)
            trace = tracer.game(game)
        else:
            with new_trace_file(trace_file, overwrite=yes) as file:
                announce_compiling(condition.policies, solo, stepwise=True)
                (line,) = tracer.lines(game, 1)
                print(line, file=file)
            trace = json.loads(line)
    show_game(trace)
