"""Tell the user that the first game of a new version has to wait for the compiler."""

import sys


def announce_compiling() -> None:
    """Say so on standard error if no compiled core is on disk yet; to be called before the first game."""
    from clashsim.clash.core.jit import is_cached

    if not is_cached():
        print("Compiling the game core (once per version, about a minute) ...", file=sys.stderr, flush=True)
