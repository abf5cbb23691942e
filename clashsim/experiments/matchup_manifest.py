"""What the manifest of a run of matchups must hold: a file that anyone may have edited."""

from collections.abc import Callable, Mapping
from typing import Any

from clashsim.errors import InputError, nearest

OPTIONS: dict[str, tuple[type, ...]] = {
    "decks": (list, type(None)),
    "games": (int, type(None)),
    "policy": (str, list),
    "vs_policy": (str, type(None)),
    "seed": (int,),
    "rule": (list,),
    "cards": (str,),
    "precision": (int, float, type(None)),
    "until_decided": (bool,),
}
"""Names and types of the options of a run, as the command line takes and a manifest keeps them."""


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _named(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_setting(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


DETAILS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "rules": (_named(_is_setting), "switches and their values"),
    "cards": (_named(_is_text), "name and hash of the card set"),
    "changed_cards": (_are_texts, "a list of texts"),
    "decks": (_named(_are_texts), "names of decks, each with the names of its cards"),
    "policies": (_are_texts, "a list of texts"),
    "vs_policy": (lambda value: value is None or _is_text(value), "a text or null"),
    "policy_files": (_named(_is_text), "names of policies, each with the digest of its file"),
    "method": (_is_text, "a text"),
}
"""What the entries of a manifest that `describe` makes must be, as a check and in words."""

PLAN_TEXTS = ("deck_a", "deck_b", "policy_a", "policy_b", "group")


def check_options(options: Mapping[str, Any], expected: Mapping[str, tuple[type, ...]] = OPTIONS) -> None:
    """Make sure that options from a manifest have the names and types of those of the command line."""
    for name in expected:
        if name not in options:
            raise InputError(f"options: {name} is missing; expected {', '.join(expected)}")
    for name, value in options.items():
        if name not in expected:
            raise InputError(
                f"options: {name!r} is unknown; expected {', '.join(expected)}.{nearest(name, expected)}"
            )
        types = expected[name]
        fits = isinstance(value, types) and (bool in types or not isinstance(value, bool))
        if not fits or (isinstance(value, list) and not all(isinstance(entry, str) for entry in value)):
            words = " or ".join(
                {"NoneType": "null", "list": "list of texts"}.get(t.__name__, t.__name__) for t in types
            )
            raise InputError(f"options: {name} is {value!r}; expected {words}")


def check_details(manifest: Mapping[str, Any]) -> None:
    """Make sure that what a manifest tells of a run has the form that `describe` and `lay_out` give it."""
    for name, (fits, expected) in DETAILS.items():
        if name not in manifest or not fits(manifest[name]):
            raise InputError(f"{name} is {str(manifest.get(name))[:40]!r}; expected {expected}")
    for number, row in enumerate(manifest["plan"]):
        for name in PLAN_TEXTS:
            if not isinstance(row.get(name), str):
                raise InputError(
                    f"plan, row {number}: {name} is {str(row.get(name))[:40]!r}; expected a text"
                )
