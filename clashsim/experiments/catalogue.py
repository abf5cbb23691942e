"""The experiments by name: how to make a plan from the options that a manifest keeps."""

from collections.abc import Callable, Mapping
from typing import Any

from clashsim.errors import InputError, nearest
from clashsim.experiments import (
    abilities,
    card_values,
    constructed_play,
    constructed_search,
    draft,
    ladder,
    matchup_manifest,
    matchups,
    prices,
    solo,
    solo_arguments,
    solo_draft,
    whatif_options,
)
from clashsim.experiments.result import Plan

EXPERIMENTS: dict[str, Callable[[Mapping[str, Any]], Plan]] = {
    "matchups": matchups.plan_from_options,
    "ladder": ladder.plan_from_options,
    "solo": solo.plan_from_options,
    "solo-sweep": solo.sweep_from_options,
    "whatif": whatif_options.plan_from_options,
    "card-values": card_values.plan_from_options,
    "prices": prices.plan_from_options,
    "constructed": constructed_play.plan_from_options,
    "constructed-search": constructed_search.plan_from_options,
    "draft": draft.plan_from_options,
    "solo-draft": solo_draft.plan_from_options,
    "abilities": abilities.plan_from_options,
}

_DUELS = {"matchups": matchup_manifest.OPTIONS, "ladder": ladder.OPTIONS}
_SOLO = {"solo": solo_arguments.OPTIONS, "solo-sweep": solo_arguments.SWEEP_OPTIONS}
_CHECKS: dict[str, Callable[[Mapping[str, Any]], None]] = {
    "whatif": whatif_options.check_manifest,
    "card-values": card_values.check_manifest,
    "prices": prices.check_manifest,
    "draft": draft.check_manifest,
    "solo-draft": solo_draft.check_manifest,
    "abilities": abilities.check_manifest,
    "constructed": constructed_play.check_manifest,
    "constructed-search": constructed_search.check_manifest,
}


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
    experiment = manifest["experiment"]
    if experiment in _DUELS:
        matchup_manifest.check_options(manifest["options"], _DUELS[experiment])
        matchup_manifest.check_details(manifest)
    elif experiment in _SOLO:
        solo_arguments.check_manifest(manifest, _SOLO[experiment])
    elif experiment in _CHECKS:
        _CHECKS[experiment](manifest)
