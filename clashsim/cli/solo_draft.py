"""`clashsim solo-draft`: which cards to take against the AI, and which against which setting."""

from typing import Annotated, Any

import typer

from clashsim.cli.conduct import Conduct, conduct
from clashsim.cli.draft import ValuesOption, parse_drafters
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
    games_reader,
    parse_policies,
    tell_rounding,
)
from clashsim.cli.solo import LevelOption, PointsOption
from clashsim.cli.solo_options import (
    AbilityOption,
    BastionOption,
    FirstOption,
    FixedOption,
    ResistanceOption,
    VariableOption,
)

EXAMPLES = examples(
    "clashsim solo-draft --out reports/solo-draft",
    "clashsim solo-draft --fixed 8 --ability protection --games 50000",
    "clashsim solo-draft --drafter value,dearest,random --policy greedy --format csv",
)

GamesOption = Annotated[
    int | None,
    games_option("10000", "Games per setting, drafter and policy, 40 to 10^12; 100k and 2M work too."),
]
TableGamesOption = Annotated[
    int | None,
    typer.Option(
        "--table-games",
        metavar="N",
        parser=str,
        callback=games_reader("--table-games"),
        show_default="10000",
        help="Games of each of at most six iterations of a setting's table of worths.",
    ),
]
DrafterOption = Annotated[
    str,
    typer.Option(
        "--drafter",
        metavar="NAME,NAME",
        help="Who drafts: value (takes the card of the highest worth, which is measured first), dearest, random; "
        "several are separated by commas, and compared with the last.",
    ),
]


def draft_solo_decks(
    context: typer.Context,
    drafter: DrafterOption = "value,random",
    variable: VariableOption = None,
    fixed: FixedOption = None,
    first: FirstOption = None,
    bastion: BastionOption = None,
    resistance: ResistanceOption = None,
    ability: AbilityOption = None,
    level: LevelOption = None,
    points: PointsOption = None,
    games: GamesOption = None,
    table_games: TableGamesOption = None,
    values: ValuesOption = None,
    policy: PoliciesOption = "tactician",
    seed: SeedOption = 1,
    rule: RuleOption = None,
    cards: CardsOption = "starter-kit",
    out: OutOption = None,
    resume: ResumeOption = False,
    jobs: JobsOption = None,
    output_format: FormatOption = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Draft decks against the AI (R42): which card to take, what it is worth, and against which setting.

    Without options of a setting, the quick game and every other option alone are played. tactician plays unless you say
    otherwise: weaker policies win too seldom to tell cards apart, and planner takes about eight times as long. --out
    writes tables, plots, report.md and a manifest.
    """
    from clashsim.experiments.solo_draft import plan_from_options

    options: dict[str, Any] = {
        "drafter": parse_drafters(drafter),
        "variable": variable,
        "fixed": fixed,
        "first": first,
        "bastion": bastion,
        "resistance": resistance,
        "ability": ability,
        "level": level,
        "points": points,
        "games": games,
        "table_games": table_games,
        "values": values,
        "policy": parse_policies(policy),
        "seed": seed,
        "rule": rule or [],
        "cards": cards,
    }
    plan = plan_from_options(options)
    played, measured = int(plan.plan["games"].iloc[-1]), int(plan.plan["games"].iloc[0])
    for option, given, rounded in (("--games", games, played), ("--table-games", table_games, measured)):
        tell_rounding(option, given, rounded, ": games are dealt out by twos.")
    how = Conduct(
        ["clashsim", *context.find_root().obj], out, None, jobs, output_format, resume, dry_run, yes
    )
    conduct("solo-draft", options | {"games": played, "table_games": measured}, plan, how)
