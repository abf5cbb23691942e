"""`clashsim card-values`: what each card is worth, in random decks."""

from typing import Annotated, Any

import typer

from clashsim.clash.policies import DEFAULT
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

EXAMPLES = examples(
    "clashsim card-values --games 2000000 --policy greedy --out reports/cards",
    "clashsim card-values --policy greedy,tactician --games 100k --out reports/cards-by-skill",
    "clashsim card-values --policy tactician --precision 0.5 --cards my-set.toml --format csv",
)

GamesOption = Annotated[
    int | None,
    games_option(
        "1M; 20000 where a policy searches; with --precision 10M",
        "Games per policy, 1 to 10^12; 100k and 2M work too. Half are started by each side. With --precision it "
        "is the most that a policy gets.",
    ),
]
ValuesPrecisionOption = Annotated[
    float | None,
    precision_option(
        "Play until the half-width of every card's 95% interval is at most this many percentage points.",
    ),
]
TwoKitsOption = Annotated[
    bool,
    typer.Option(
        "--two-kits",
        help="Deal each side from a kit of its own, so that both may have a card; else none is there twice.",
    ),
]


def value_cards(
    context: typer.Context,
    games: GamesOption = None,
    policy: PoliciesOption = DEFAULT,
    two_kits: TwoKitsOption = False,
    seed: SeedOption = 1,
    rule: RuleOption = None,
    cards: CardsOption = "starter-kit",
    precision: ValuesPrecisionOption = None,
    out: OutOption = None,
    resume: ResumeOption = False,
    jobs: JobsOption = None,
    output_format: FormatOption = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Play random decks against each other: what each card, and each pair of cards, is worth to a deck.

    Chance decides who has a card, so what decks with it score more than decks without it is what it does. --out writes
    tables (also of pairs, and of swaps that promise most), plots, report.md and a manifest.
    """
    from clashsim.experiments.card_values import plan_from_options

    options: dict[str, Any] = {
        "games": games,
        "policy": parse_policies(policy),
        "seed": seed,
        "rule": rule or [],
        "cards": cards,
        "two_kits": two_kits,
        "precision": precision,
    }
    plan = plan_from_options(options)
    played = int(plan.plan["games"].max())
    tell_rounding("--games", games, played, ": half are started by each side.")
    how = Conduct(
        ["clashsim", *context.find_root().obj], out, None, jobs, output_format, resume, dry_run, yes
    )
    conduct("card-values", options | {"games": played}, plan, how)
