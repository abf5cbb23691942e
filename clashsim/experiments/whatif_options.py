"""A what-if from the options of the command line, as a manifest keeps them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from clashsim.clash.rules import Rules, parse_rules
from clashsim.clash.solo_settings import PRICES
from clashsim.errors import InputError
from clashsim.experiments import matchup_arguments, solo_arguments
from clashsim.experiments import whatif_arguments as arguments
from clashsim.experiments.matchup_manifest import check_details, check_options
from clashsim.experiments.whatif import WhatIfPlan, check_scope, plan_solo_whatif, plan_whatif
from clashsim.experiments.whatif_arguments import SCOPES, SOLO

OPTIONS: dict[str, tuple[type, ...]] = {
    "set": (list,),
    "patch": (str, type(None)),
    "swap": (list,),
    "rule": (list,),
    "scope": (str,),
    "decks": (list, type(None)),
    "vs_policy": (str, type(None)),
    "deck": (list, type(None)),
    **{name: solo_arguments.OPTIONS[name] for name in solo_arguments.OPTIONS if name not in ("deck", "rule")},
}
"""Names and types of the options of a run, as the command line takes and a manifest keeps them."""

_FOR_DUELS = ("decks", "vs_policy")
_FOR_SOLO = ("deck", "variable", "fixed", "first", "bastion", "resistance", "ability", "level", "points")


def plan_from_options(options: Mapping[str, Any]) -> WhatIfPlan:
    """Lay out the what-if that options name, as the command line takes them and a manifest keeps them."""
    check_options(options, OPTIONS)
    scope = options["scope"]
    check_scope(scope)
    card_set = matchup_arguments.check_card_set(options["cards"])
    patch = arguments.gather(options["set"], options["patch"], options["swap"], options["rule"], card_set)
    shared = {name: options[name] for name in ("games", "policy", "seed", "cards", "precision")}
    files = {} if options["patch"] is None else {options["patch"]: Path(options["patch"])}
    if scope == SOLO:
        _refuse(options, _FOR_DUELS, scope)
        changes = {name: options[name] for name in PRICES}
        parse_rules(patch.rules, solo=True)  # names what is wrong with one
        settings = solo_arguments.choose_settings(
            options["preset"], changes, options["level"], options["points"], Rules()
        )
        plan = plan_solo_whatif(patch, options["deck"], settings, **shared)
    else:
        _refuse(options, _FOR_SOLO, scope)
        if options["preset"] != "quick":
            raise InputError(
                f"--preset {options['preset']} is for --in solo only; leave it out, or give --in solo"
            )
        plan = plan_whatif(patch, options["decks"], vs_policy=options["vs_policy"], **shared)
    return replace(plan, files={**plan.files, **files})


def check_manifest(manifest: Mapping[str, Any]) -> None:
    """Make sure that a manifest of a what-if has the form that `plan_from_options` gives it.

    Raises
    ------
    InputError
        Names the entry, and what was expected.
    """
    if manifest["options"].get("scope") == SOLO:
        solo_arguments.check_manifest(manifest, OPTIONS)
    else:
        check_options(manifest["options"], OPTIONS)
        check_details(manifest)


def _refuse(options: Mapping[str, Any], names: Sequence[str], scope: str) -> None:
    """Make sure that no option of the other scope is given."""
    for name in names:
        if options[name] is not None:
            other = next(other for other in SCOPES if other != scope)
            raise InputError(
                f"--{name.replace('_', '-')} is for --in {other} only; leave it out, or give --in {other}"
            )
