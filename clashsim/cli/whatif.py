"""`clashsim whatif`: the same games with and without a change of cards, decks or rules."""

from typing import Annotated, Any

import typer

from clashsim.clash.policies import DEFAULT
from clashsim.cli.compiling import announce_compiling
from clashsim.cli.conduct import Conduct, conduct
from clashsim.cli.options import (
    CardsOption,
    DecksOption,
    DryRunOption,
    FormatOption,
    JobsOption,
    OutOption,
    PoliciesOption,
    ResumeOption,
    SeedOption,
    VsPolicyOption,
    YesOption,
    examples,
    games_option,
    parse_policies,
    precision_option,
    tell_rounding,
)
from clashsim.cli.solo import LevelOption, PlayerDecksOption, PointsOption
from clashsim.cli.solo_options import (
    AbilityOption,
    BastionOption,
    FirstOption,
    FixedOption,
    PresetOption,
    ResistanceOption,
    VariableOption,
)
from clashsim.errors import InputError, nearest

EXAMPLES = examples(
    "clashsim whatif --set CYCLONE.cost=6 --set GNOME.health=2 --policy greedy --games 200000",
    "clashsim whatif --set 'TROLL.abilities-=Rage' --policy greedy,tactician --out reports/troll",
    "clashsim whatif --patch patch.toml --in solo --level hard --deck 1",
    "clashsim whatif --rule first_mana=7",
    "clashsim whatif --swap 1:TROLL=OGRE",
    "clashsim whatif --swap '1:*=*' --policy greedy --games 2000",
)

SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="CARD.FIELD=VALUE",
        show_default=False,
        help="A new value of a card: cost, attack, health, abilities or auras, such as CYCLONE.cost=6, "
        "GNOME.health+=1, TROLL.abilities-=Rage, OGRE.abilities=Rage+Sprint; may be given several times.",
    ),
]
PatchOption = Annotated[
    str | None,
    typer.Option(
        "--patch",
        metavar="FILE",
        show_default=False,
        help='Changes from a TOML file: [card.CYCLONE] with cost = 6, [swap.1] with TROLL = "OGRE", [rules] with '
        "first_mana = 7.",
    ),
]
SwapOption = Annotated[
    list[str] | None,
    typer.Option(
        "--swap",
        metavar="DECK:CARD=CARD",
        show_default=False,
        help="Another card in a deck: 1:TROLL=OGRE puts OGRE in the place of TROLL; * stands for any card, one after "
        "the other, and the best is named. Other decks stay as they are.",
    ),
]
ChangedRuleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME=VALUE",
        show_default=False,
        help="Another reading of a rule as the change, such as first_mana=7; may be given several times. "
        "'clashsim rules' lists them.",
    ),
]


def parse_scope(value: str) -> str:
    """Read which games are meant."""
    scopes = ("matchups", "solo")
    if value not in scopes:
        raise InputError(
            f"--in is {value[:40]!r}; expected {' or '.join(scopes)}.{nearest(value.lower(), scopes)}"
        )
    return value


ScopeOption = Annotated[
    str,
    typer.Option(
        "--in",
        callback=parse_scope,
        metavar="WHERE",
        help="Which games: matchups (--decks) or solo (--deck and its settings).",
    ),
]
GamesOption = Annotated[
    int | None,
    games_option(
        "20000; 2000 where a policy searches; with --precision 10M",
        "Games per condition, each played with and without the change, 1 to 10^12; 100k and 2M work too. With "
        "--precision it is the most that each gets.",
    ),
]
DifferenceOption = Annotated[
    float | None,
    precision_option(
        "Play each condition until the half-width of the difference's 95% interval is at most this many "
        "percentage points, such as 0.2.",
    ),
]


def ask_what_if(
    context: typer.Context,
    change: SetOption = None,
    patch: PatchOption = None,
    swap: SwapOption = None,
    rule: ChangedRuleOption = None,
    scope: ScopeOption = "matchups",
    decks: DecksOption = None,
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
    games: GamesOption = None,
    policy: PoliciesOption = DEFAULT,
    vs_policy: VsPolicyOption = None,
    seed: SeedOption = 1,
    cards: CardsOption = "starter-kit",
    precision: DifferenceOption = None,
    out: OutOption = None,
    resume: ResumeOption = False,
    jobs: JobsOption = None,
    output_format: FormatOption = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Play the same games with and without a change of cards, decks or rules: the difference, with its interval.

    Only pairings that the change is about are played; in solo games all are. --out writes tables, plots, report.md, a
    manifest, and traces of games that end otherwise.
    """
    from clashsim.experiments.whatif_options import plan_from_options

    options: dict[str, Any] = {
        "set": change or [],
        "patch": patch,
        "swap": swap or [],
        "rule": rule or [],
        "scope": scope,
        "decks": decks,
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
        "vs_policy": vs_policy,
        "seed": seed,
        "cards": cards,
        "precision": precision,
    }
    plan = plan_from_options(options)
    played = int(plan.plan["games"].max())
    tell_rounding("--games", games, played, ": games are dealt out by twos.")
    how = Conduct(
        ["clashsim", *context.find_root().obj], out, None, jobs, output_format, resume, dry_run, yes
    )
    if out and plan.solo and not dry_run:
        announce_compiling(plan.policies, solo=True, stepwise=True)  # for the traces
    conduct("whatif", options | {"games": played}, plan, how)
