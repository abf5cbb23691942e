"""`clashsim policies`: the ladder of policies as shipped, and the commands that measure and improve it."""

import sys

import typer

from clashsim.cli import policies_ladder, policies_new, policies_tune
from clashsim.cli.options import FormatOption, examples

EXAMPLES = examples(
    "clashsim policies",
    "clashsim policies ladder --games 10000 --out reports/ladder",
    "clashsim policies tune tactician --evaluations 2000 --out my.toml",
    "clashsim policies tune tactician --solo --out my-solo.toml",
)

app = typer.Typer(rich_markup_mode=None, epilog=EXAMPLES)


@app.callback(invoke_without_command=True)
def list_policies(context: typer.Context, output_format: FormatOption = None) -> None:
    """Show the policies that play: rating, score against the rung below, speed, and what each does.

    The figures were recorded with `clashsim policies ladder`; speeds are those of the machine that recorded them, so
    compare their ratios only. They are about duels; in solo games the policies that search have weights of their own.
    """
    if context.invoked_subcommand is not None:
        return
    from clashsim.experiments.ladder_record import policies_findings, policies_table

    if output_format == "table" or (output_format is None and sys.stdout.isatty()):
        from clashsim.reporting.console import show as show_findings

        show_findings(policies_findings())
    else:
        from clashsim.cli.output import show

        show(policies_table(), output_format)


app.command("ladder", epilog=policies_ladder.EXAMPLES)(policies_ladder.play_ladder)
app.command("new", epilog=policies_new.EXAMPLES)(policies_new.new_policy)
app.command("tune", epilog=policies_tune.EXAMPLES)(policies_tune.tune_policy)
