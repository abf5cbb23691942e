"""The first game of a new version has to wait for the compiler: tell the user, and get it over with."""

import sys
from collections.abc import Iterable


def announce_compiling(policies: Iterable[str] = ()) -> None:
    """Compile the core and what these policies (as tables name them) need, saying so if it is not on disk yet.

    To be called before the first game.
    """
    from clashsim.clash.core.jit import is_cached, unit_is_cached
    from clashsim.clash.duels import compile_core
    from clashsim.clash.policies import POLICIES
    from clashsim.clash.policies.units import unit_address
    from clashsim.clash.policy_files import DECIDE

    if not is_cached():
        _tell("the game core", "one to two minutes")
    compile_core()
    for name in policies:
        known = POLICIES.get(name.partition(":")[0])
        unit = known.unit if known else DECIDE
        if unit and not unit_is_cached(unit):
            what = f"the policy {name}" if known else "what asks the policies of users"
            _tell(what, "about a minute" if known else "some seconds")
        if unit:
            unit_address(unit)


def _tell(what: str, time: str) -> None:
    print(f"Compiling {what} (once per version, {time}) ...", file=sys.stderr, flush=True)
