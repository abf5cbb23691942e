"""Policies as users name them: `greedy`, `tactician:my.toml` (with weights of one's own)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from clashsim.clash.policies import POLICIES, Policy
from clashsim.errors import InputError, nearest


def load_policy(spec: str) -> Policy:
    """Return the policy that a text names, its files read.

    Raises
    ------
    InputError
        There is none; it names the nearest. Or its file is not what it should be.
    """
    name, _, path = spec.partition(":") if isinstance(spec, str) else (str(spec), "", "")
    policy = POLICIES.get(name)
    if policy is None:
        raise InputError(
            f"policy {name[:40]!r}: unknown; the policies are {', '.join(POLICIES)}."
            f"{nearest(name[:40], POLICIES)}"
        )
    if not path:
        return policy
    if policy.weights_file is None:
        weighing = [other.name for other in POLICIES.values() if other.weights_file]
        raise InputError(f"policy {spec!r}: {name} has no weights; expected {' or '.join(weighing)}")
    policy = replace(policy, name=f"{name}:{Path(path).name}", weights_file=Path(path))
    _ = policy.weights  # so that a bad file is told now
    return policy


def load_policies(specs: Sequence[str]) -> list[Policy]:
    """Return several policies, in order; each must have a name of its own."""
    policies = [load_policy(spec) for spec in specs]
    names = [policy.name for policy in policies]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"policies: {name} is given twice; expected different names")
    return policies


def policy_files(specs: Sequence[str]) -> dict[str, Path]:
    """Return the files that belong to policies, by how they are named."""
    paths = [spec.partition(":")[2] for spec in specs]
    return {path: Path(path) for path in paths if path}
