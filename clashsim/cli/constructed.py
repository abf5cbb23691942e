"""`clashsim constructed`: decks of ten cards, of which the other side removes two (R41)."""

import typer

from clashsim.cli import constructed_play, constructed_search
from clashsim.cli.options import examples

EXAMPLES = examples(
    "clashsim constructed play one.toml other.toml --bans value --policy tactician",
    "clashsim constructed search --generations 30 --out reports/constructed",
)

app = typer.Typer(rich_markup_mode=None, epilog=EXAMPLES)


@app.callback(invoke_without_command=True)
def constructed(context: typer.Context) -> None:
    """Play constructed decks: ten cards each, of which the other side removes two before the game (R41)."""
    if context.invoked_subcommand is None:
        print(context.get_help())


app.command("play", epilog=constructed_play.EXAMPLES)(constructed_play.play_constructed)
app.command("search", epilog=constructed_search.EXAMPLES)(constructed_search.search_constructed)
