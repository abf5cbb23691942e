"""The experiments by name: how to make a plan from the options that a manifest keeps."""

from collections.abc import Mapping
from typing import Any

from clashsim.errors import InputError, nearest
from clashsim.experiments import matchups
from clashsim.experiments.result import Plan

EXPERIMENTS = {"matchups": matchups.plan_from_options}


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
