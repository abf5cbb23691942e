"""Checks a trace step by step against the rules, without policies and without random numbers."""

from collections.abc import Mapping
from typing import Any

from naive.referee_duel import Referee, RefereeError
from naive.referee_solo import SoloReferee

__all__ = ["Referee", "RefereeError", "check_trace", "rejects"]


def check_trace(trace: Mapping[str, Any]) -> None:
    """Check a whole trace of a duel or of a solo game.

    Raises
    ------
    RefereeError
        At the first thing that is malformed, illegal, or different from what the rules make of it.
    """
    solo = isinstance(trace, Mapping) and trace.get("mode") == "solo"
    referee = (SoloReferee if solo else Referee)(trace)
    referee.check_header()
    referee.check_setup()
    for index, step in enumerate(trace["steps"]):
        referee.check_step(index, step)
    referee.check_result()


def rejects(trace: Mapping[str, Any]) -> bool:
    """Whether `check_trace` finds fault with a trace."""
    try:
        check_trace(trace)
    except RefereeError:
        return True
    return False
