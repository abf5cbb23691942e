"""`clashsim abilities`: what abilities are worth, alone and together, on a body of a given size."""

import sys
from typing import Annotated, Any

import typer

from clashsim.cli.compiling import announce_compiling
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
    parse_decks,
    parse_policies,
    whole_number,
)
from clashsim.errors import InputError

EXAMPLES = examples(
    "clashsim abilities --out reports/abilities",
    "clashsim abilities --body 3/3 --cost 4 --decks 1,3 --policy greedy,tactician",
    "clashsim abilities --incantation 3 --cost 5",
    "clashsim abilities --body 2/5,6/2 --card TROLL --games 20k --format csv",
)
MOST = 15  # of a number on a card


def parse_bodies(value: list[str] | None) -> list[str] | None:
    """Split the values of --body at their commas; None stands for those that are tried where none is named."""
    if not value:
        return None
    bodies = [body.strip() for text in value for body in text.split(",")]
    if "" in bodies:
        raise InputError(
            "--body has an empty entry; expected ATTACK/HEALTH, such as 3/3, or several: 1/2,6/6"
        )
    return bodies


def parse_screening(value: str | int | None) -> int | None:
    """Read a number of games that has a default of its own."""
    return None if value is None else whole_number(str(value), "--screening", 1, 10**12, multipliers=True)


def parse_number(option: str) -> Any:
    """Return the reader of a number that stands on a card."""

    def parse(value: str | int | None) -> int | None:
        return None if value is None else whole_number(str(value), option, 0, MOST)

    return parse


BodyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--body",
        metavar="ATTACK/HEALTH",
        callback=parse_bodies,
        show_default="1/2, 3/3 and 6/6, and an Incantation of 3 damage",
        help="Creatures that are tried, such as 3/3; several separated by commas.",
    ),
]
IncantationOption = Annotated[
    int | None,
    typer.Option(
        "--incantation",
        metavar="DAMAGE",
        parser=str,
        callback=parse_number("--incantation"),
        show_default=False,
        help="Try an Incantation of this damage; creatures besides only with --body.",
    ),
]
CostOption = Annotated[
    int | None,
    typer.Option(
        "--cost",
        metavar="MANA",
        parser=str,
        callback=parse_number("--cost"),
        show_default="by the formula, with abilities of a typical price",
        help="What all bodies cost.",
    ),
]
CardOption = Annotated[
    str | None,
    typer.Option(
        "--card",
        metavar="NAME",
        show_default="each card of a deck in turn",
        help="The card whose place is taken.",
    ),
]
DecksOption = Annotated[
    list[str] | None,
    typer.Option(
        "--decks",
        metavar="DECK,DECK",
        callback=parse_decks,
        show_default="all decks of the card set",
        help="Decks that the bodies are tried in: labels of the card set or paths of .toml files, separated by commas. "
        "Opponents are all other decks of the set.",
    ),
]
GamesOption = Annotated[
    int | None,
    games_option(
        "40000; 10000 where a policy searches",
        "Games per body and card as printed, 40 to 10^12, each played with everything that is tried; 100k and 2M work "
        "too. Rounded up so that every place and opponent gets as many.",
    ),
]
ScreeningOption = Annotated[
    int | None,
    typer.Option(
        "--screening",
        metavar="N",
        parser=str,
        callback=parse_screening,
        show_default="4000; 1000 where a policy searches",
        help="Games per body of the first stage, with all sets of abilities; it decides which get --games more.",
    ),
]


def try_abilities(
    context: typer.Context,
    body: BodyOption = None,
    incantation: IncantationOption = None,
    cost: CostOption = None,
    card: CardOption = None,
    decks: DecksOption = None,
    games: GamesOption = None,
    screening: ScreeningOption = None,
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
    """Try every set of abilities, and every aura, on a body in the place of cards: what is each worth for its price?

    Then all printed cards without their abilities, and solo games with each ability that the AI can be given. --out
    writes tables, plots, report.md and a manifest.
    """
    from clashsim.experiments.abilities import plan_from_options

    options: dict[str, Any] = {
        "body": body,
        "incantation": incantation,
        "cost": cost,
        "card": card,
        "decks": decks,
        "games": games,
        "screening": screening,
        "policy": parse_policies(policy),
        "seed": seed,
        "rule": rule or [],
        "cards": cards,
    }
    plan = plan_from_options(options)
    if plan.has_solo:
        announce_compiling(plan.policies, solo=True)
    print(f"About {plan.games_in_all:,} games, each set of abilities counted by itself", file=sys.stderr)
    how = Conduct(
        ["clashsim", *context.find_root().obj], out, None, jobs, output_format, resume, dry_run, yes
    )
    conduct("abilities", options | {"games": plan.games, "screening": plan.screening}, plan, how)
