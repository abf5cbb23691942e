"""The command `clashsim trace`."""

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from clashsim.clash.policies import DEFAULT
from clashsim.cli.compiling import announce_compiling
from clashsim.cli.games import PolicyOption, SomePairOption, VsPolicyOption, load_duel
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
    from clashsim.clash.solos import Solo
    from clashsim.experiments.game_search import FoundGame, GameSearch, Stretch

LIMIT = 5
MOST_SEARCHED = 1_000_000
OF_A_RUN = {
    "vs_policy": "--vs-policy",
    "seed": "--seed",
    "rules": "--rule",
    "card_set": "--cards",
}

TRACE_EXAMPLES = examples(
    "clashsim trace --decks 1,2 --games 1000 --out games.jsonl",
    "clashsim trace --decks 1,2 --policy greedy --seed 7 --first-game 12 | jq .result",
    "clashsim trace --decks 1,2 --where 'winner=b,turns>60' --limit 3 --out long.jsonl",
    "clashsim trace --run reports/matchups --where 'winner=draw' --out draws.jsonl",
    "clashsim trace --solo --deck 1 --fixed 8 --ability splash --policy greedy --games 1000 --out solo.jsonl",
    "clashsim replay games.jsonl --game 3",
)


def parse_first_game(value: str | int) -> int:
    """Read the number of the first game."""
    return whole_number(str(value), "--first-game", 0, MOST_GAMES)


def parse_some_games(value: str | int | None) -> int | None:
    """Read a number of games; None stands for as many as it takes."""
    return None if value is None else parse_games(value)


def parse_limit(value: str | int | None) -> int | None:
    """Read a number of games to find."""
    return None if value is None else whole_number(str(value), "--limit", 1, MOST_GAMES)


def trace_games(
    context: typer.Context,
    decks: SomePairOption = None,
    policy: PolicyOption = DEFAULT,
    vs_policy: VsPolicyOption = None,
    seed: SeedOption = 1,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            parser=str,
            callback=parse_some_games,
            show_default="1; with --where up to 1M, or all of the run",
            help="How many games of a pair, 1 to 10^12; 100k and 2M work too.",
        ),
    ] = None,
    first_game: Annotated[
        int,
        typer.Option(
            "--first-game",
            metavar="N",
            parser=str,
            callback=parse_first_game,
            help="Number of the first of them. In a duel A takes the first turn of even games, B of odd ones.",
        ),
    ] = 0,
    where: Annotated[
        str | None,
        typer.Option(
            "--where",
            metavar="TEXT",
            show_default=False,
            help="Write only duels such as 'winner=b,turns>60': comparisons that must all hold, with = != < <= > >=. "
            "Names: game, starter (a, b), winner (a, b, draw), reason (fort, turn_limit), turns, and "
            "bastion_a_turn, bastion_b_turn (the turn in which it fell, or none).",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="N",
            parser=str,
            callback=parse_limit,
            show_default=str(LIMIT),
            help="With --where: end the search with the Nth game found. The pairs of a run give equal shares, "
            "N / pairs rounded up; what is then missing comes from those that have more.",
        ),
    ] = None,
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="FOLDER",
            show_default=False,
            help="Games of a run of matchups, by the folder it wrote: its decks, policies, seed, rules and cards; "
            "--decks and --policy choose among them.",
        ),
    ] = None,
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
    """Play games and write every step of them, with the state after it, as JSON: one game a line.

    All games of a pair from --first-game on, or with --where those that fit a description. With --solo games of a
    deck against the AI.
    """
    settings = {"variable": variable, "fixed": fixed, "first": first}
    settings |= {"bastion": bastion, "resistance": resistance, "ability": ability}
    of_duels = {"decks": decks, "vs-policy": vs_policy, "where": where, "limit": limit, "run": run}
    refuse_mixture(solo, {"deck": deck, "preset": preset, **settings}, of_duels)
    if solo:
        condition = load_solo(deck, policy, settings_of(preset, **settings), seed, rules, card_set)
        _write_solo(condition, first_game, games or 1, out, yes)
        return
    if limit is not None and where is None:
        raise InputError("--limit ends a search; expected --where as well")
    if run is not None:
        _refuse_conditions(context)
    elif decks is None:
        expected = "expected two decks, such as 1,2, or --run FOLDER, or --solo with --deck"
        raise InputError(f"Missing option '--decks'; {expected}")
    else:
        duel = load_duel(decks, policy, vs_policy, seed, rules, card_set)
    from clashsim.cli.faults import keeping_stopped_games
    from clashsim.experiments.game_search import GameSearch, Stretch
    from clashsim.experiments.where import Where

    wanted = None if where is None else Where.parse(where)
    if run is not None:
        chosen = policy if _is_given(context, "policy") else None
        stretches = _stretches_of_run(run, decks, chosen, first_game, games if wanted else games or 1)
    else:
        stretches = [Stretch(duel, first_game, games or (MOST_SEARCHED if wanted else 1))]
    search = GameSearch(stretches, wanted, limit or LIMIT) if wanted else None
    with keeping_stopped_games(), _target(out, yes) as file:
        announce_compiling(policy for stretch in stretches for policy in stretch.duel.policies)
        for line in _lines(stretches, search, silent=out == "-" and (search is None or sys.stdout.isatty())):
            print(line, file=file)
    if search:
        print(*search.summary(), sep="\n", file=sys.stderr)
        if search.found and out != "-":
            print(f"To see the first: {_replay(out, search.first_found[0])}", file=sys.stderr)


def _write_solo(condition: "Solo", first_game: int, games: int, out: str, yes: bool) -> None:
    """Write the traces of solo games."""
    from clashsim.clash.trace import Tracer
    from clashsim.cli.faults import keeping_stopped_games

    with keeping_stopped_games(), _target(out, yes) as file:
        announce_compiling(condition.policies, solo=True, stepwise=True)
        for line in _with_progress(Tracer(condition).lines(first_game, games), games, silent=out == "-"):
            print(line, file=file)


def _target(out: str, yes: bool) -> AbstractContextManager[TextIO]:
    from clashsim.clash.trace_files import new_trace_file

    return nullcontext(sys.stdout) if out == "-" else new_trace_file(out, overwrite=yes)


def _lines(stretches: Sequence["Stretch"], search: "GameSearch | None", *, silent: bool) -> Iterator[str]:
    """Yield the traces of all games, or of those that a search finds, telling how far it is."""
    from clashsim.clash.trace import Tracer
    from clashsim.running import Progress

    games = sum(stretch.games for stretch in stretches)
    if not search:
        traced = (Tracer(stretch.duel).lines(stretch.first, stretch.games) for stretch in stretches)
        yield from _with_progress(chain.from_iterable(traced), games, silent=silent)
        return
    progress = None if silent else Progress()
    if progress:
        progress.start(games)
    try:
        for game in search.run(progress):
            yield from Tracer(game.duel).lines(game.number, 1)
    finally:
        if progress:
            progress.finish()


def _with_progress(lines: Iterator[str], games: int, *, silent: bool) -> Iterator[str]:
    """Yield the traces of this many games, telling how far it is."""
    from clashsim.running import Progress

    if silent:
        yield from lines
        return
    progress = Progress()
    progress.start(games)
    try:
        for line in lines:
            yield line
            progress.advance(1)
    finally:
        progress.finish()


def _replay(file: str, game: "FoundGame") -> str:
    """Return the command that shows a game of the file."""
    decks = ",".join(deck.name for deck in game.duel.decks)
    return shlex.join(["clashsim", "replay", file, "--game", str(game.number), "--decks", decks])


def _stretches_of_run(
    folder: str, decks: list[str] | None, policy: str | None, first_game: int, games: int | None
) -> "list[Stretch]":
    from clashsim.experiments.run_games import restricted, stretches_of_run
    from clashsim.reporting.rerun import open_finished

    run = open_finished(folder)
    stretches = restricted(stretches_of_run(run.plan, run.manifest, decks, policy), first_game, games)
    for note in run.changes:
        print(f"clashsim: {note}", file=sys.stderr)
    return stretches


def _refuse_conditions(context: typer.Context) -> None:
    """Make sure that no option is given that a run decides."""
    for name, option in OF_A_RUN.items():
        if _is_given(context, name):
            raise InputError(
                f"{option} and --run are given; expected one of them: the run has its own {option}"
            )


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"
