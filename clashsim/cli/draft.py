"""`clashsim draft`: which cards to take in a draft, and what drafting first and starting decide."""

from typing import Annotated, Any

import typer

from clashsim.cli.conduct import Conduct, conduct
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
    precision_option,
    tell_rounding,
    values_option,
)
from clashsim.errors import InputError

EXAMPLES = examples(
    "clashsim draft --out reports/draft",
    "clashsim draft --drafter value --vs-drafter random --games 400000 --out reports/value-against-random",
    "clashsim draft --drafter value,denial --policy greedy,tactician --cards my-set.toml --format csv",
)


def parse_drafters(value: str | list[str]) -> list[str]:
    """Split --drafter at its commas."""
    names = [name.strip() for name in (value.split(",") if isinstance(value, str) else value)]
    if "" in names:
        raise InputError(
            "--drafter has an empty entry; expected drafters separated by commas, such as value,random"
        )
    return names


GamesOption = Annotated[
    int | None,
    games_option(
        "200000; 20000 where a policy searches; with --precision 10M",
        "Games per pair of drafters and policy, 160 to 10^12; 100k and 2M work too. Every draft is played four times: "
        "either side drafts first, and either starts. With --precision it is the most that a pair gets.",
    ),
]
TableGamesOption = Annotated[
    int | None,
    typer.Option(
        "--table-games",
        metavar="N",
        parser=str,
        callback=games_reader("--table-games"),
        show_default="400000; 40000 where a policy searches",
        help="Games of each of at most six iterations of the table of worths that value, fit and denial draft by.",
    ),
]
DrafterOption = Annotated[
    str,
    typer.Option(
        "--drafter",
        metavar="NAME,NAME",
        help="Who drafts: value (takes the card of the highest worth, which is measured first), fit (and weighs how a "
        "card goes with those it has), denial (and weighs what the opponent would take), dearest, random. Several, "
        "separated by commas, meet each other.",
    ),
]
VsDrafterOption = Annotated[
    str | None,
    typer.Option(
        "--vs-drafter",
        metavar="NAME",
        show_default="every one of --drafter",
        help="The drafter that all of --drafter meet.",
    ),
]
ValuesOption = Annotated[str | None, values_option("measured first, in drafts")]
ScorePrecisionOption = Annotated[
    float | None,
    precision_option(
        "Play until the half-width of the 95% interval of every pair's score is at most this many percentage points."
    ),
]


def draft_decks(
    context: typer.Context,
    drafter: DrafterOption = "value,denial,random",
    vs_drafter: VsDrafterOption = None,
    games: GamesOption = None,
    table_games: TableGamesOption = None,
    values: ValuesOption = None,
    policy: PoliciesOption = "tactician",
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
    """Draft decks (R40) and let them play: which card to take when, what cards are worth, who drafts best.

    What cards are worth is measured first, from drafts by chance, and refined until drafting by the table and measuring
    from these drafts agree. tactician plays unless you say otherwise: it uses what cards can do, and plays the many
    games that a table takes in a minute or two; planner takes about nine times as long. --out writes tables, plots,
    report.md and a manifest.
    """
    from clashsim.experiments.draft import plan_from_options

    options: dict[str, Any] = {
        "drafter": parse_drafters(drafter),
        "vs_drafter": vs_drafter,
        "games": games,
        "table_games": table_games,
        "values": values,
        "policy": parse_policies(policy),
        "seed": seed,
        "rule": rule or [],
        "cards": cards,
        "precision": precision,
    }
    plan = plan_from_options(options)
    played = int(plan.plan["games"].iloc[-1])
    tell_rounding("--games", games, played, ": every draft is played four times.")
    tables = plan.plan["games"][plan.plan["iteration"] >= 0]
    measured = None if tables.empty else int(tables.iloc[0])
    tell_rounding(
        "--table-games", table_games, measured or table_games or 0, ": every draft is played four times."
    )
    how = Conduct(
        ["clashsim", *context.find_root().obj], out, None, jobs, output_format, resume, dry_run, yes
    )
    conduct("draft", options | {"games": played, "table_games": measured or table_games}, plan, how)
