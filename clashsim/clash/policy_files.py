"""Policies as users name them: `greedy`, `tactician:my.toml` (with weights of one's own), `my_policy.py:choose`."""

from collections.abc import Sequence
from pathlib import Path

from clashsim.clash.policies import PLANNING, POLICIES, WEIGHING, Policy
from clashsim.clash.policies.lookahead.features import read_weights
from clashsim.errors import InputError, nearest

DECIDE = "clashsim.clash.policies.users.decide:plan_turn"
"""The unit that asks the users' functions."""

FUNCTION = "choose"
"""What is asked in a Python file that is named without a function."""


def load_policy(spec: str) -> Policy:
    """Return the policy that a text names, its files read: a Python file is executed, and its function compiled.

    Raises
    ------
    InputError
        There is none; it names the nearest. Or its file is not what it should be.
    """
    file, function = _python_file(spec)
    if file:
        return _load_python(file, function)
    name, colon, path = spec.partition(":") if isinstance(spec, str) else (str(spec), "", "")
    policy = POLICIES.get(name)
    if policy is None:
        raise InputError(
            f"policy {name[:40]!r}: unknown; the policies are {', '.join(POLICIES)}, or FILE.py:{FUNCTION}."
            f"{nearest(name[:40], POLICIES)}"
        )
    if not colon:
        return policy
    if not path:
        raise InputError(
            f"policy {spec!r}: no file after the colon; expected {name}, or a file of weights behind it"
        )
    if name not in WEIGHING:
        raise InputError(f"policy {spec!r}: {name} has no weights; expected {' or '.join(WEIGHING)}")
    return policy.with_weights(f"{name}:{Path(path).name}", read_weights(Path(path)), Path(path))


def load_policies(specs: Sequence[str]) -> list[Policy]:
    """Return several policies, in order; each must have a name of its own."""
    policies = [load_policy(spec) for spec in specs]
    names = [policy.name for policy in policies]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"policies: {name} is given twice; expected different names (rename one of two files)"
            )
    return policies


def policy_files(specs: Sequence[str]) -> dict[str, Path]:
    """Return the files that belong to policies, by how they are named, with what they import from their folders."""
    files = {}
    for spec in specs:
        file, _ = _python_file(spec)
        if file:
            own, *others = load_policy(spec).python_files
            files[file] = own
            files.update({str(own.with_name(other.name)): other for other in others})
        elif ":" in spec:
            path = spec.partition(":")[2]
            files[path] = Path(path)
    return files


def _python_file(spec: str) -> tuple[str, str]:
    """Return the path and the function that a text names, empty if it names no Python file."""
    if not isinstance(spec, str):
        return "", ""
    if spec.endswith(".py"):
        return spec, FUNCTION
    file, _, function = spec.rpartition(":")
    return (file, function or FUNCTION) if file.endswith(".py") else ("", "")


def _load_python(file: str, function: str) -> Policy:
    from clashsim.clash.policies.users.loading import load_function  # numba takes its time to import

    path = Path(file)
    loaded = load_function(path, function)
    return Policy(
        f"{path.name}:{function}",
        PLANNING,
        f"the function {function} of {file}",
        DECIDE,
        python_files=tuple(loaded.contents),
        chooser=loaded.address,
    )
