"""`clashsim constructed search`: which ten cards to bring."""

from typing import Annotated, Any

import typer

from clashsim.cli.conduct import Conduct, conduct
from clashsim.cli.constructed_options import BansOption, ValueGamesOption, ValuesOption
from clashsim.cli.options import (
    POLICY_NAMES,
    CardsOption,
    DryRunOption,
    FormatOption,
    JobsOption,
    OutOption,
    ResumeOption,
    RuleOption,
    SeedOption,
    YesOption,
    examples,
    whole_number,
)
from clashsim.errors import InputError

EXAMPLES = examples(
    "clashsim constructed search --generations 30 --out reports/constructed",
    "clashsim constructed search --policy greedy --games 5000 --bans random --format csv",
    "clashsim constructed search --start my-ten.toml --values reports/cards/card_values.csv",
)

MOST_GENERATIONS = MOST_POPULATION = 1_000
LEAST_POPULATION = 4
MOST_GAMES = 1_000_000


def parse_generations(value: str | int) -> int:
    """Read a number of generations."""
    return whole_number(str(value), "--generations", 1, MOST_GENERATIONS)


def parse_population(value: str | int) -> int:
    """Read the size of a generation."""
    return whole_number(str(value), "--population", LEAST_POPULATION, MOST_POPULATION)


def parse_games(value: str | int) -> int:
    """Read the games of the best of a generation."""
    return whole_number(str(value), "--games", 1, MOST_GAMES, multipliers=True)


def parse_single_policy(value: str) -> str:
    """Read the one policy of a search."""
    if "," in value:
        raise InputError(f"--policy {value[:40]}: names several; expected one policy to search with")
    return value


GenerationsOption = Annotated[
    int,
    typer.Option(
        "--generations", metavar="N", parser=str, callback=parse_generations, help="Number of generations."
    ),
]
PopulationOption = Annotated[
    int,
    typer.Option(
        "--population",
        metavar="N",
        parser=str,
        callback=parse_population,
        help="Tens of a generation, 4 to 1000.",
    ),
]
GamesOption = Annotated[
    int,
    typer.Option(
        "--games",
        metavar="N",
        parser=str,
        callback=parse_games,
        help="Games of the best tens of a generation, 1 to 10^6, and of every pair in the final; the weaker ones drop "
        "out after an eighth.",
    ),
]
PolicyOption = Annotated[
    str,
    typer.Option(
        "--policy",
        metavar="NAME",
        callback=parse_single_policy,
        help=f"Policy that plays both sides: {POLICY_NAMES}.",
    ),
]
StartOption = Annotated[
    list[str] | None,
    typer.Option(
        "--start",
        metavar="FILE",
        show_default=False,
        help="TOML file of a ten to start from, besides those that are drawn; may be given several times.",
    ),
]


def search_constructed(
    context: typer.Context,
    generations: GenerationsOption = 20,
    population: PopulationOption = 24,
    games: GamesOption = 400,
    bans: BansOption = "value",
    values: ValuesOption = None,
    value_games: ValueGamesOption = None,
    policy: PolicyOption = "tactician",
    seed: SeedOption = 1,
    rule: RuleOption = None,
    cards: CardsOption = "starter-kit",
    start: StartOption = None,
    out: OutOption = None,
    resume: ResumeOption = False,
    jobs: JobsOption = None,
    output_format: FormatOption = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Search for strong decks of ten cards, of which the opponent removes two (R41), and audit the best.

    Generations of tens race against earlier winners; the best meet in a final of fresh games; then every single swap of
    the winner is tried. --out writes tables, plots, the tens as files for constructed play, report.md and a manifest.
    """
    from clashsim.experiments.constructed_search import plan_from_options

    options: dict[str, Any] = {
        "generations": generations,
        "population": population,
        "games": games,
        "bans": bans,
        "values": values,
        "value_games": value_games,
        "policy": policy,
        "seed": seed,
        "rule": rule or [],
        "cards": cards,
        "start": start,
    }
    how = Conduct(
        ["clashsim", *context.find_root().obj], out, None, jobs, output_format, resume, dry_run, yes
    )
    conduct("constructed-search", options, plan_from_options(options), how)
