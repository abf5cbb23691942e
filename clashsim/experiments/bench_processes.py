"""Time what takes a process of its own: compiling the core into an empty cache, loading it, doing without."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import clashsim
from clashsim.clash.duels import Duel
from clashsim.errors import CheckFailed, OutputError
from clashsim.experiments.matchups import plan_matchups

LONGER = 1000
"""The core plays so many times as many games: enough to time, and no longer than the others take."""

# The measured process prints what it found as JSON.
_COMPILE = """
import json
from time import perf_counter
from clashsim.clash.core.jit import is_cached
from clashsim.clash.duels import compile_core
found = is_cached()
began = perf_counter()
compile_core()
print(json.dumps({"cached": found, "seconds": perf_counter() - began}))
"""
_UNCOMPILED = """
import json
from clashsim.experiments.bench_processes import play_round
print(json.dumps(play_round(%r, %d, %d)))
"""


@dataclass(frozen=True, slots=True)
class CompileTiming:
    """Seconds until the core is ready: compiled into an empty cache, and loaded from it by later processes."""

    cold: float
    cached: list[float]


def time_compiling(loads: int) -> CompileTiming:
    """Compile the core in a new process with an empty cache, then load it in `loads` others."""
    with TemporaryDirectory() as cache:
        cold = _time_start(cache, cached=False)
        return CompileTiming(cold, [_time_start(cache, cached=True) for _ in range(loads)])


def time_loading() -> float:
    """Return the seconds a new process takes to load the core that this one has compiled or found on disk."""
    return float(_measure(_COMPILE, {})["seconds"])


class Speeds(NamedTuple):
    """Games per second on one thread, in the core and by the same code uncompiled."""

    compiled: float
    uncompiled: float


def compiled_and_uncompiled(policy: str, first_game: int, games: int) -> Speeds:
    """Time the core against the same code uncompiled, one right after the other.

    Parameters
    ----------
    policy : str
    first_game, games : int
        Which games of every pairing are played uncompiled. The core plays them too, and goes on from there until
        it has played `LONGER` times as many.

    Raises
    ------
    CheckFailed
        If the same games do not take as many turns compiled: then it is not the same code.
    """
    plain = _measure(_UNCOMPILED % (policy, first_game, games), {"NUMBA_DISABLE_JIT": "1"})
    same = play_round(policy, first_game, games)
    if plain["turns"] != same["turns"]:
        raise CheckFailed(
            f"policy {policy}: the same games take {same['turns']} turns compiled, {plain['turns']} uncompiled"
        )
    compiled = play_round(policy, first_game, LONGER * games)
    return Speeds(*(played["games"] / played["seconds"] for played in (compiled, plain)))


def play_round(policy: str, first_game: int, games: int) -> dict[str, Any]:
    """Play some games of every pairing; return `games`, `turns` and `seconds`."""
    duels: list[Duel] = list(plan_matchups(policy=policy).conditions)
    began = perf_counter()
    turns = sum(int(duel.outcomes(first_game, games)[0]["turns"].sum()) for duel in duels)
    return {"games": games * len(duels), "turns": turns, "seconds": perf_counter() - began}


def _time_start(cache: str, *, cached: bool) -> float:
    found = _measure(_COMPILE, {"NUMBA_CACHE_DIR": cache})
    if found["cached"] != cached:
        raise OutputError(f"the compiled core is {'not ' if cached else ''}in the cache folder {cache}")
    return float(found["seconds"])


def _measure(program: str, settings: dict[str, str]) -> dict[str, Any]:
    """Run a program in a new process, with this same package, and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    package = str(Path(clashsim.__file__).parents[1])
    path = os.pathsep.join(filter(None, [package, environment.get("PYTHONPATH")]))
    environment |= {"PYTHONPATH": path, **settings}
    command = [sys.executable, "-P", "-c", program]  # -P: not what happens to lie in the current folder
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode == 0:
            return json.loads(done.stdout)
        reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    except (OSError, ValueError) as error:
        reason = str(error)
    raise OutputError(f"a process that was to be measured failed: {reason}")
