"""`clashsim matchups`: decks against each other."""

import sys
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING

import typer

from clashsim.cli.options import (
    CardsOption,
    DecksOption,
    Format,
    FormatOption,
    GamesOption,
    JobsOption,
    OutOption,
    PolicyOption,
    RuleOption,
    SeedOption,
    VsPolicyOption,
    YesOption,
    examples,
)

if TYPE_CHECKING:
    from clashsim.experiments.matchups import Matchups
    from clashsim.experiments.result import Findings

EXAMPLES = examples(
    "clashsim matchups --games 100000 --out reports/matchups",
    "clashsim matchups --decks 1,3 --policy greedy --vs-policy random",
    "clashsim matchups --decks 1,my-deck.toml --rule first_mana=7 --format csv",
)


def play_matchups(
    context: typer.Context,
    decks: DecksOption = None,
    games: GamesOption = 20_000,
    policy: PolicyOption = "greedy",
    vs_policy: VsPolicyOption = None,
    seed: SeedOption = 1,
    rule: RuleOption = None,
    cards: CardsOption = "starter-kit",
    out: OutOption = None,
    jobs: JobsOption = None,
    output_format: FormatOption = None,
    yes: YesOption = False,
) -> None:
    """Play every pairing of the decks and every mirror: scores, verdicts, going first, health.

    With one policy each pairing is played once and shown from both sides; with two different ones every
    ordered pair is played. --out writes CSV tables, plots, report.md and a manifest.
    """
    from clashsim.clash.rules import parse_rules
    from clashsim.cli.compiling import announce_compiling
    from clashsim.experiments.matchups import plan_matchups
    from clashsim.reporting.files import open_folder
    from clashsim.reporting.manifest import build_manifest, check_replaceable
    from clashsim.running import Progress

    plan = plan_matchups(
        decks,
        games=games,
        policy=policy,
        vs_policy=vs_policy,
        seed=seed,
        rules=parse_rules(rule or []),
        cards=cards,
    )
    command = ["clashsim", *context.find_root().obj]
    folder = open_folder(out) if out is not None else None
    if folder and not yes:
        check_replaceable(
            folder, build_manifest(command, seed, plan.plan, plan.details, datetime.now(UTC), 0.0)
        )
    if games % 2:
        print(
            f"--games {games:,} rounded up to {games + 1:,}: half are started by each side.", file=sys.stderr
        )
    announce_compiling()
    started, clock = datetime.now(UTC), perf_counter()
    result = plan.run(jobs=jobs, progress=Progress())
    findings = result.findings()
    seconds = perf_counter() - clock
    try:
        _show(result, findings, output_format)
    finally:  # whatever becomes of the output, such as a reader of a pipe that goes away
        if folder:
            from clashsim.reporting.publish import write_report

            manifest = build_manifest(command, seed, result.plan, result.details, started, seconds)
            write_report(findings, folder, manifest)
            print(f"Report: {folder / 'report.md'}", file=sys.stderr)


def _show(result: "Matchups", findings: "Findings", output_format: Format | None) -> None:
    if output_format == "table" or (output_format is None and sys.stdout.isatty()):
        from clashsim.reporting.console import show as show_findings

        show_findings(findings)
    else:
        from clashsim.cli.output import show

        show(result.matchups, output_format)
