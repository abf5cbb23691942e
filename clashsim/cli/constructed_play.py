"""`clashsim constructed play`: two tens against each other."""

from typing import Annotated, Any

import typer

from clashsim.clash.policies import DEFAULT
from clashsim.cli.conduct import Conduct, conduct
from clashsim.cli.constructed_options import BansOption, ValueGamesOption, ValuesOption
from clashsim.cli.options import (
    CardsOption,
    DryRunOption,
    FormatOption,
    JobsOption,
    OutOption,
    PoliciesOption,
    ResumeOption,
    RuleOption,
    SeedOption,
    YesOption,
    examples,
    games_option,
    parse_policies,
    precision_option,
    tell_rounding,
)

EXAMPLES = examples(
    "clashsim constructed play one.toml other.toml --bans value --games 100000 --policy greedy",
    "clashsim constructed play one.toml other.toml --bans random --policy tactician --out reports/tens",
    "clashsim constructed play one.toml other.toml --values reports/cards/card_values.csv --precision 1",
)

DeckArgument = Annotated[
    str,
    typer.Argument(
        metavar="DECK", help="TOML file with name and the names of ten cards.", show_default=False
    ),
]
VsBansOption = Annotated[
    str | None,
    typer.Option(
        "--vs-bans", metavar="HOW", show_default="as --bans", help="How side B removes cards of side A."
    ),
]
GamesOption = Annotated[
    int | None,
    games_option(
        "20000; 2000 where a policy searches; with --precision 10M",
        "Games per policy, 1 to 10^12; 100k and 2M work too. Half are started by each side. With --precision it is "
        "the most that a policy gets.",
    ),
]
ScorePrecisionOption = Annotated[
    float | None,
    precision_option(
        "Play until the half-width of the score's 95% interval is at most this many percentage points."
    ),
]


def play_constructed(
    context: typer.Context,
    deck_a: DeckArgument,
    deck_b: DeckArgument,
    bans: BansOption = "value",
    vs_bans: VsBansOption = None,
    values: ValuesOption = None,
    value_games: ValueGamesOption = None,
    games: GamesOption = None,
    policy: PoliciesOption = DEFAULT,
    seed: SeedOption = 1,
    rule: RuleOption = None,
    cards: CardsOption = "starter-kit",
    precision: ScorePrecisionOption = None,
    out: OutOption = None,
    resume: ResumeOption = False,
    jobs: JobsOption = None,
    output_format: FormatOption = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Play two decks of ten cards, of which the other side removes two (R41): scores, and what the bans are worth.

    Values that bans go by are measured first, in random decks, unless --values has them. --out writes tables, plots,
    report.md and a manifest.
    """
    from clashsim.experiments.constructed_play import plan_from_options

    options: dict[str, Any] = {
        "deck_a": deck_a,
        "deck_b": deck_b,
        "bans": bans,
        "vs_bans": vs_bans,
        "values": values,
        "value_games": value_games,
        "games": games,
        "policy": parse_policies(policy),
        "seed": seed,
        "rule": rule or [],
        "cards": cards,
        "precision": precision,
    }
    plan = plan_from_options(options)
    played = int(plan.plan["games"].iloc[-1])
    tell_rounding("--games", games, played, ": half are started by each side.")
    how = Conduct(
        ["clashsim", *context.find_root().obj], out, None, jobs, output_format, resume, dry_run, yes
    )
    conduct("constructed", options | {"games": played}, plan, how)
