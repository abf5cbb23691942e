"""The commands `clashsim policies …`."""

import typer

from clashsim.cli import policies_new

app = typer.Typer(help="Policies: a template for your own.", no_args_is_help=True, rich_markup_mode=None)
app.command("new", epilog=policies_new.EXAMPLES)(policies_new.new_policy)
