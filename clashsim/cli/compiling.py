"""The first game of a new version has to wait for the compiler: tell the user, and get it over with."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clashsim.clash.policies import Policy


def announce_compiling(policies: Iterable["Policy"] = (), solo: bool = False, stepwise: bool = False) -> None:
    """Compile the core of duels or solo games, counted or shown step by step, and what these policies need.

    To be called before the first game. Says so on standard error where it is not on disk yet.
    """
    from clashsim.clash.core.jit import is_cached, unit_is_cached
    from clashsim.clash.duels import compile_core
    from clashsim.clash.policies.units import unit_address
    from clashsim.clash.policy_files import DECIDE
    from clashsim.clash.solos import compile_solo_core, solo_kernels

    policies = list(policies)
    if not (is_cached(solo_kernels(policies, stepwise)) if solo else is_cached()):
        _tell("the game core", "one to two minutes")
    if solo:
        compile_solo_core(policies, stepwise)
    else:
        compile_core()
    for unit in dict.fromkeys(policy.unit for policy in policies if policy.unit):
        if not unit_is_cached(unit, solo):
            of_users = unit == DECIDE
            _tell(
                "what asks the policies of users" if of_users else "the policies that look ahead",
                "some seconds" if of_users else "one to two minutes",
            )
        unit_address(unit, solo)


def _tell(what: str, time: str) -> None:
    print(f"Compiling {what} (once per version, {time}) ...", file=sys.stderr, flush=True)
