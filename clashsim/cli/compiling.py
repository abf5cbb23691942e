"""The first game of a new version has to wait for the compiler: tell the user, and get it over with."""

import sys


def announce_compiling() -> None:
    """Compile the core, saying so on standard error if none is on disk yet; to be called before the first game."""
    from clashsim.clash.core.jit import is_cached
    from clashsim.clash.duels import compile_core

    if not is_cached():
        print(
            "Compiling the game core (once per version, one to two minutes) ...", file=sys.stderr, flush=True
        )
    compile_core()
