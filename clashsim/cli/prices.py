"""`clashsim prices`: the cost formula behind the cards against what its terms are worth in games."""

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
    parse_policies,
    precision_option,
    tell_rounding,
)
from clashsim.errors import InputError

EXAMPLES = examples(
    "clashsim prices --out reports/prices",
    "clashsim prices --policy tactician --precision 1 --yes --out reports/prices-precise",
    "clashsim prices --card TROLL,OGRE --games 20k --format csv",
)


def parse_cards(value: list[str] | None) -> list[str] | None:
    """Split the values of --card at their commas; None stands for every card of the set."""
    if not value:
        return None
    names = [name.strip() for text in value for name in text.split(",")]
    if "" in names:
        raise InputError("--card has an empty entry; expected names of cards, such as TROLL,OGRE")
    return names


CardOption = Annotated[
    list[str] | None,
    typer.Option(
        "--card",
        metavar="NAME,NAME",
        callback=parse_cards,
        show_default="all cards of the set",
        help="Vary these cards only; several separated by commas.",
    ),
]
GamesOption = Annotated[
    int | None,
    games_option(
        "20000; 4000 where a policy searches; with --precision 10M",
        "Games per card and policy, 40 to 10^12, each played once as it is and once with every step; 100k and 2M "
        "work too. With --precision it is the most that a card gets.",
    ),
]
StepsPrecisionOption = Annotated[
    float | None,
    precision_option(
        "Play until the half-width of every step's 95% interval is at most this many percentage points.",
    ),
]


def audit_prices(
    context: typer.Context,
    card: CardOption = None,
    games: GamesOption = None,
    policy: PoliciesOption = "greedy,tactician",
    seed: SeedOption = 1,
    rule: RuleOption = None,
    cards: CardsOption = "starter-kit",
    precision: StepsPrecisionOption = None,
    out: OutOption = None,
    resume: ResumeOption = False,
    jobs: JobsOption = None,
    output_format: FormatOption = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Vary cards one step at a time: is each point of attack and health, each ability worth what it costs?

    tactician plays by default, greedy beside it: it can use what cards pay for, and planner takes far longer. --out
    writes tables, plots, report.md and a manifest.
    """
    from clashsim.experiments.prices import plan_from_options

    options: dict[str, Any] = {
        "card": card,
        "games": games,
        "policy": parse_policies(policy),
        "seed": seed,
        "rule": rule or [],
        "cards": cards,
        "precision": precision,
    }
    plan = plan_from_options(options)
    played = int(plan.plan["games"].max())
    tell_rounding("--games", games, played, ": half are started by each side.")
    how = Conduct(
        ["clashsim", *context.find_root().obj], out, None, jobs, output_format, resume, dry_run, yes
    )
    conduct("prices", options | {"games": played}, plan, how)
