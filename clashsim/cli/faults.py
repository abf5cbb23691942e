"""When a policy of the user's does what it may not: show the turn, keep the game, say where."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from clashsim.errors import CheckFailed, InputError


@contextmanager
def keeping_stopped_games(folder: str | None = None) -> Iterator[None]:
    """Draw the last turn of a game that is stopped, and write its trace into a folder, or the current one.

    Raises
    ------
    CheckFailed
        With what happened, and where the trace is.
    """
    from clashsim.clash.faults import PolicyFault, last_turn, save_trace
    from clashsim.cli.games import show_game

    try:
        yield
    except PolicyFault as fault:
        show_game(last_turn(fault.trace), sys.stderr)
        try:
            path = save_trace(fault.trace, folder)
        except InputError as error:
            raise CheckFailed(f"{fault}. Its game is not kept: {error}") from None
        raise CheckFailed(f"{fault}. The game up to there: clashsim replay {path}") from None
