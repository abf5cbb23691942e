"""`clashsim matchups`: decks against each other."""

from typing import Any

import typer

from clashsim.clash.policies import DEFAULT
from clashsim.cli.conduct import Conduct, conduct
from clashsim.cli.options import (
    CardsOption,
    DecksOption,
    DryRunOption,
    FormatOption,
    GamesAtMostOption,
    GamesOutOption,
    JobsOption,
    OutOption,
    PoliciesOption,
    PrecisionOption,
    ResumeOption,
    RuleOption,
    SeedOption,
    UntilDecidedOption,
    VsPolicyOption,
    YesOption,
    examples,
    parse_policies,
    tell_rounding,
)

EXAMPLES = examples(
    "clashsim matchups --out reports/matchups",
    "clashsim matchups --games 10k --out reports/matchups --resume",
    "clashsim matchups --decks 1,3 --policy greedy --vs-policy random --precision 0.5",
    "clashsim matchups --policy random,greedy,tactician --games 2000 --out reports/skill",
    "clashsim matchups --decks 1,my-deck.toml --rule first_mana=7 --until-decided --format csv",
)


def play_matchups(
    context: typer.Context,
    decks: DecksOption = None,
    games: GamesAtMostOption = None,
    policy: PoliciesOption = DEFAULT,
    vs_policy: VsPolicyOption = None,
    seed: SeedOption = 1,
    rule: RuleOption = None,
    cards: CardsOption = "starter-kit",
    precision: PrecisionOption = None,
    until_decided: UntilDecidedOption = False,
    out: OutOption = None,
    games_out: GamesOutOption = None,
    resume: ResumeOption = False,
    jobs: JobsOption = None,
    output_format: FormatOption = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Play every pairing of the decks and every mirror: scores, verdicts, ratings, going first, health.

    With one policy each pairing is played once and shown from both sides; with two different ones every
    ordered pair is played. Several policies play
    one after another, and are compared. --out writes tables, plots, report.md and a manifest.
    """
    from clashsim.experiments.matchups import plan_from_options

    options: dict[str, Any] = {
        "decks": decks,
        "games": games,
        "policy": parse_policies(policy),
        "vs_policy": vs_policy,
        "seed": seed,
        "rule": rule or [],
        "cards": cards,
        "precision": precision,
        "until_decided": until_decided,
    }
    plan = plan_from_options(options)
    played = int(plan.plan["games"].max())
    tell_rounding("--games", games, played, ": half are started by each side.")
    command = ["clashsim", *context.find_root().obj]
    conduct(
        "matchups",
        options | {"games": played},
        plan,
        Conduct(command, out, games_out, jobs, output_format, resume, dry_run, yes),
    )
