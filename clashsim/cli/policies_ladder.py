"""`clashsim policies ladder`: all pairs of policies over all decks."""

from typing import Annotated, Any

import typer

from clashsim.cli.conduct import Conduct, conduct
from clashsim.cli.options import (
    POLICY_NAMES,
    CardsOption,
    DecksOption,
    DryRunOption,
    FormatOption,
    JobsOption,
    OutOption,
    ResumeOption,
    RuleOption,
    SeedOption,
    YesOption,
    examples,
    parse_games,
    parse_policies,
    tell_rounding,
)

EXAMPLES = examples(
    "clashsim policies ladder --games 10000 --out reports/ladder",
    "clashsim policies ladder --policy greedy,tactician,tactician:my.toml --games 4000",
    "clashsim policies ladder --policy greedy,my_policy.py:choose",
    "clashsim policies ladder --decks 1,3 --policy random,greedy --format csv",
)


PoliciesOption = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="NAME,NAME",
        show_default="the shipped ladder",
        help=f"Policies, at least two, separated by commas: {POLICY_NAMES}.",
    ),
]
PairGamesOption = Annotated[
    int,
    typer.Option(
        "--games",
        metavar="N",
        parser=str,
        callback=parse_games,
        help="Games of each pair of policies in all, 1 to 10^12; 100k and 2M work too. They are spread evenly over "
        "the ordered pairs of decks, an even number for each.",
    ),
]


def play_ladder(
    context: typer.Context,
    policy: PoliciesOption = None,
    games: PairGamesOption = 10_000,
    decks: DecksOption = None,
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
    """Let all pairs of policies play over all decks: ratings, whether each rung beats the one below, speed.

    All pairs of policies share their shuffles. --out writes tables, plots, report.md and a manifest.
    """
    from clashsim.experiments.ladder import plan_from_options

    options: dict[str, Any] = {
        "policy": None if policy is None else parse_policies(policy),
        "decks": decks,
        "games": games,
        "seed": seed,
        "rule": rule or [],
        "cards": cards,
    }
    plan = plan_from_options(options)
    why = " per pair of policies: an even number for each pair of decks."
    tell_rounding("--games", games, plan.games_per_pair, why)
    command = ["clashsim", *context.find_root().obj]
    how = Conduct(command, out, None, jobs, output_format, resume, dry_run, yes)
    conduct("ladder", options | {"games": plan.games_per_pair}, plan, how)
