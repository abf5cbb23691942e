"""The experiments by name: how to make a plan from the options that a manifest keeps."""

from collections.abc import Callable, Mapping
from typing import Any

from clashsim.errors import InputError, nearest
from clashsim.experiments import ladder, matchup_manifest, matchups
from clashsim.experiments.result import Plan

EXPERIMENTS: dict[str, Callable[[Mapping[str, Any]], Plan]] = {
    "matchups": matchups.plan_from_options,
    "ladder": ladder.plan_from_options,
}

_OPTIONS = {"matchups": matchup_manifest.OPTIONS, "ladder": ladder.OPTIONS}


def plan_of(experiment: str, options: Mapping[str, Any]) -> Plan:
    """Lay out an experiment again.

    Raises
    ------
    InputError
        The experiment is unknown, or its options are not what it takes.
    """
    if experiment not in EXPERIMENTS:
        names = ", ".join(EXPERIMENTS)
        raise InputError(
            f"unknown experiment {experiment!r}; expected {names}.{nearest(experiment, EXPERIMENTS)}"
        )
    return EXPERIMENTS[experiment](options)


def check_manifest(manifest: Mapping[str, Any]) -> None:
    """Make sure that the entries of a manifest that depend on its experiment have the form that it gives them.

    An experiment that is not known is not looked at: that is for `plan_of` to refuse.

    Raises
    ------
    InputError
        Names the entry, and what was expected.
    """
    if manifest["experiment"] in _OPTIONS:
        matchup_manifest.check_options(manifest["options"], _OPTIONS[manifest["experiment"]])
        matchup_manifest.check_details(manifest)
