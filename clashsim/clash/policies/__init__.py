"""Scripted players, one file each, and the table that names them.

The compiled core knows a policy by its number. Nothing compiled is imported here, so that the names are at
hand at once.
"""

import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from clashsim.errors import InputError, nearest

RANDOM, GREEDY, WILD, PLANNING = range(4)  # PLANNING: compiled by itself and called by its address (units.py)

_WEIGHTS = Path(__file__).parent / "weights"


@dataclass(frozen=True)
class Policy:
    """A scripted player: its name, its number in the core, and what it does in one line.

    `unit` names the function that plans a turn, "module:function", of a policy that is compiled by itself.
    """

    name: str
    number: int
    summary: str
    unit: str = ""

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """The weights of its evaluation of positions: its own features, then its enemy's; none if it has no file."""
        path = _WEIGHTS / f"{self.name}.toml"
        if not path.exists():
            return ()
        sides = tomllib.loads(path.read_text("utf-8"))
        return tuple(float(sides[side][feature]) for side in ("own", "enemy") for feature in sides["own"])


POLICIES = {
    policy.name: policy
    for policy in (
        Policy(
            "random",
            RANDOM,
            "any legal play with equal chances, stopping among them; no casts in the assault",
        ),
        Policy(
            "greedy",
            GREEDY,
            "the Incantation that destroys most, else the dearest creature into the weaker lane",
        ),
        Policy(
            "tactician",
            PLANNING,
            "searches all it can do in its turn, and plays what looks best after the enemy's next attack",
            "clashsim.clash.policies.lookahead.tactician:plan_turn",
        ),
        Policy(
            "wild", WILD, "random over every freedom of the rules, own breaches included: a driver for tests"
        ),
    )
}


def load_policy(name: str) -> Policy:
    """Return the policy of this name.

    Raises
    ------
    InputError
        If there is none; it names the nearest.
    """
    policy = POLICIES.get(name) if isinstance(name, str) else None
    if policy is None:
        raise InputError(
            f"policy {str(name)[:40]!r}: unknown; the policies are {', '.join(POLICIES)}."
            f"{nearest(str(name)[:40], POLICIES)}"
        )
    return policy
