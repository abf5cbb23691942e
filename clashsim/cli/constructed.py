"""`clashsim constructed`: decks of ten cards, of which the other side removes two (R41)."""

import typer

from clashsim.cli import constructed_play, constructed_search
from clashsim.cli.options import examples

EXAMPLES = examples(
    "clashsim constructed play one.toml other.toml --bans value --policy tactician",
    "clashsim constructed search --generations 30 --out reports/constructed",
)

app = typer.Typer(rich_markup_mode=None, epilog=EXAMPLES, no_args_is_help=True)


@app.callback()
def constructed() -> None:
    """Play constructed decks: ten cards each, of which the other side removes two before the game (R41)."""


app.command("play", epilog=constructed_play.EXAMPLES)(constructed_play.play_constructed)
app.command("search", epilog=constructed_search.EXAMPLES)(constructed_search.search_constructed)
