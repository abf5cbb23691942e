"""Scripted players, one file each, and the table that names them.

The compiled core knows a policy by its number. Nothing compiled is imported here, so that the names are at
hand at once.
"""

from dataclasses import dataclass

from clashsim.errors import InputError, nearest

RANDOM, GREEDY, WILD = range(3)


@dataclass(frozen=True, slots=True)
class Policy:
    """A scripted player: its name, its number in the core, and what it does in one line."""

    name: str
    number: int
    summary: str


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
