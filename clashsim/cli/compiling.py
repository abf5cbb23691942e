"""The first game of a new version has to wait for the compiler: tell the user, and get it over with."""

import sys
from collections.abc import Iterable


def announce_compiling(policies: Iterable[str] = ()) -> None:
    """Compile the core and what these policies need, saying so on standard error if it is not on disk yet.

    To be called before the first game.
    """
    from clashsim.clash.core.jit import is_cached, unit_is_cached
    from clashsim.clash.duels import compile_core
    from clashsim.clash.policies.units import unit_address
    from clashsim.clash.policy_files import load_policy

    if not is_cached():
        _tell("the game core", "one to two minutes")
    compile_core()
    for policy in map(load_policy, policies):
        if policy.unit and not unit_is_cached(policy.unit):
            _tell(f"the policy {policy.name}", "about a minute")
        if policy.unit:
            unit_address(policy.unit)


def _tell(what: str, time: str) -> None:
    print(f"Compiling {what} (once per version, {time}) ...", file=sys.stderr, flush=True)
