"""`clashsim solo` and `clashsim solo-sweep`: a deck against the AI, and the price audit of all settings."""

from typing import Annotated, Any

import typer

from clashsim.clash.policies import DEFAULT
from clashsim.cli.conduct import Conduct, conduct
from clashsim.cli.options import (
    POLICY_NAMES,
    CardsOption,
    DryRunOption,
    FormatOption,
    JobsOption,
    OutOption,
    PrecisionOption,
    ResumeOption,
    RuleOption,
    SeedOption,
    YesOption,
    examples,
    games_option,
    parse_policies,
    tell_rounding,
)
from clashsim.cli.solo_options import (
    LEVEL_NAMES,
    AbilityOption,
    BastionOption,
    FirstOption,
    FixedOption,
    PresetOption,
    ResistanceOption,
    VariableOption,
)
from clashsim.errors import InputError

EXAMPLES = examples(
    "clashsim solo --preset quick --deck 1",
    "clashsim solo --variable 2 --fixed 8 --first ai --no-bastion --resistance --ability rage --deck draft",
    "clashsim solo --level hard --deck 2 --policy tactician --out reports/hard",
    "clashsim solo --points 0 --deck 1,3,my-deck.toml --policy random,greedy,tactician --format csv",
)
SWEEP_EXAMPLES = examples(
    "clashsim solo-sweep --games 1000 --deck all --out reports/solo",
    "clashsim solo-sweep --games 200 --deck 1 --policy greedy,tactician --out reports/solo-skill",
    "clashsim solo-sweep --rule no_bastion_points=1 --rule resistance_reading=to_one --out reports/solo-other",
)


def parse_player_decks(value: list[str] | None) -> list[str] | None:
    """Split the values of --deck at their commas; None stands for every deck of the card set."""
    if not value:
        return None
    decks = [deck.strip() for text in value for deck in text.split(",")]
    if "" in decks:
        raise InputError(
            "--deck has an empty entry; expected labels or .toml files, such as 1,draft,my-deck.toml"
        )
    return decks


def parse_points(value: str | int | None) -> int | None:
    """Read a price in difficulty points, which may be below 0."""
    if value is None:
        return None
    text = str(value).strip()
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 3:
        raise InputError(f"--points is {text[:40]!r}; expected a whole number, such as -1 or 3 (R38)")
    return int(text)


PlayerDecksOption = Annotated[
    list[str] | None,
    typer.Option(
        "--deck",
        metavar="DECK,DECK",
        callback=parse_player_decks,
        show_default="all",
        help="The player's deck; the AI has all other cards. A label of the card set, the path of a .toml file, draft "
        "(of four cards turned up the player takes the dearest, eight times), draft:random, or all for every deck of "
        "the card set; several separated by commas.",
    ),
]
LevelOption = Annotated[
    str | None,
    typer.Option(
        "--level",
        metavar="NAME",
        show_default=False,
        help=f"Play every setting of a level: {LEVEL_NAMES}.",
    ),
]
PointsOption = Annotated[
    int | None,
    typer.Option(
        "--points",
        metavar="N",
        parser=str,
        callback=parse_points,
        show_default=False,
        help="Play every setting of a price in difficulty points, -1 to 10.",
    ),
]


def _games_option(default: str, least: str) -> Any:
    return games_option(
        default,
        f"Games per deck, policy and setting, {least} to 10^12; 100k and 2M work too. With --precision it is the most "
        "that each gets.",
    )


SoloGamesOption = Annotated[
    int | None, _games_option("20000; 2000 where a policy searches; with --precision 10M", "1")
]
SweepGamesOption = Annotated[int | None, _games_option("1000; with --precision 10M", "40")]
PlayersOption = Annotated[
    str,
    typer.Option(
        "--policy",
        metavar="NAME,NAME",
        help=f"Policy that plays the player: {POLICY_NAMES}. Several, separated by commas and the weakest first, show "
        "what changes with skill.",
    ),
]


def play_solo(
    context: typer.Context,
    deck: PlayerDecksOption = None,
    preset: PresetOption = "quick",
    variable: VariableOption = None,
    fixed: FixedOption = None,
    first: FirstOption = None,
    bastion: BastionOption = None,
    resistance: ResistanceOption = None,
    ability: AbilityOption = None,
    level: LevelOption = None,
    points: PointsOption = None,
    games: SoloGamesOption = None,
    policy: PlayersOption = DEFAULT,
    seed: SeedOption = 1,
    rule: RuleOption = None,
    cards: CardsOption = "starter-kit",
    precision: PrecisionOption = None,
    out: OutOption = None,
    resume: ResumeOption = False,
    jobs: JobsOption = None,
    output_format: FormatOption = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Play a deck against the AI: win rate, length, and how many cards the AI had left.

    One setting, or with --level or --points all settings of a price (with options those that have them). The same
    game has the same shuffles under all settings and policies. --out writes tables, plots, report.md and a manifest.
    """
    from clashsim.experiments.solo import plan_from_options

    options: dict[str, Any] = {
        "deck": deck,
        "preset": preset,
        "variable": variable,
        "fixed": fixed,
        "first": first,
        "bastion": bastion,
        "resistance": resistance,
        "ability": ability,
        "level": level,
        "points": points,
        "games": games,
        "policy": parse_policies(policy),
        "seed": seed,
        "rule": rule or [],
        "cards": cards,
        "precision": precision,
    }
    plan = plan_from_options(options)
    how = Conduct(_command(context), out, None, jobs, output_format, resume, dry_run, yes)
    _conduct("solo", options, plan, how)


def sweep_solo(
    context: typer.Context,
    deck: PlayerDecksOption = None,
    games: SweepGamesOption = None,
    policy: PlayersOption = "tactician",
    seed: SeedOption = 1,
    rule: RuleOption = None,
    cards: CardsOption = "starter-kit",
    precision: PrecisionOption = None,
    out: OutOption = None,
    resume: ResumeOption = False,
    jobs: JobsOption = None,
    output_format: FormatOption = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Play all 480 settings of the AI: is each level harder than the one below, is each option worth its points?

    tactician plays by default: weaker policies win too seldom to tell settings apart, and planner takes far longer.
    The same game has the same shuffles under all settings and policies. --out writes tables, plots, report.md and a
    manifest.
    """
    from clashsim.experiments.solo import sweep_from_options

    options: dict[str, Any] = {
        "deck": deck,
        "games": games,
        "policy": parse_policies(policy),
        "seed": seed,
        "rule": rule or [],
        "cards": cards,
        "precision": precision,
    }
    plan = sweep_from_options(options)
    how = Conduct(_command(context), out, None, jobs, output_format, resume, dry_run, yes)
    _conduct("solo-sweep", options, plan, how)


def _command(context: typer.Context) -> list[str]:
    return ["clashsim", *context.find_root().obj]


def _conduct(experiment: str, options: dict[str, Any], plan: Any, how: Conduct) -> None:
    played = int(plan.plan["games"].max())
    tell_rounding("--games", options["games"], played, ": games are dealt out by twos.")
    conduct(experiment, options | {"games": played}, plan, how)
