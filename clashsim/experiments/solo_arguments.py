"""The arguments of runs of solo games: decks, settings, conditions laid out, and what a manifest keeps of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from clashsim.analysis.precision import Target
from clashsim.clash.cards import CardSet, Deck, differences, load_cards
from clashsim.clash.drafting import DRAFT, Drafter, is_draft, load_solo_deck
from clashsim.clash.policies import Policy
from clashsim.clash.policy_files import load_policies
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import (
    NO_BASTION_POINTS,
    PRICES,
    SoloSettings,
    points_of_level,
    settings_at,
    settings_from,
)
from clashsim.clash.solos import Solo, solo_group
from clashsim.errors import InputError
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.matchup_manifest import DETAILS, check_options
from clashsim.experiments.words import count
from clashsim.running.chunks import even

ALL = "all"  # every deck of the card set

OPTIONS: dict[str, tuple[type, ...]] = {
    "deck": (list, type(None)),
    "preset": (str,),
    "variable": (int, type(None)),
    "fixed": (int, type(None)),
    "first": (str, type(None)),
    "bastion": (bool, type(None)),
    "resistance": (bool, type(None)),
    "ability": (str, type(None)),
    "level": (str, type(None)),
    "points": (int, type(None)),
    "games": (int, type(None)),
    "policy": (str, list),
    "seed": (int,),
    "rule": (list,),
    "cards": (str,),
    "precision": (int, float, type(None)),
}
"""Names and types of the options of `solo`, as the command line takes and a manifest keeps them."""

SWEEP_OPTIONS = {
    name: OPTIONS[name] for name in ("deck", "games", "policy", "seed", "rule", "cards", "precision")
}
"""Those of `solo-sweep`."""

METHOD = (
    "95 % intervals of the win rates of single settings: Wilson; of their means of turns and cards: Student"
)
AUDIT_METHOD = (
    f"{METHOD}; of means over settings, of differences and of effects: delete-a-block jackknife over 40 blocks of game "
    "numbers, the same games in all settings"
)


def load_player_decks(specs: Sequence[arguments.DeckSpec] | None, cards: CardSet) -> list[Deck | Drafter]:
    """Load the decks that the player has: "all" or None stand for those of the card set, "draft" for a drafted one."""
    if isinstance(specs, str) or specs is None:
        specs = [ALL if specs is None else specs]
    if not isinstance(specs, Iterable):
        raise InputError(f"deck is {specs!r}; expected a deck or a list of them, such as ['1', 'draft']")
    decks: list[Deck | Drafter] = []
    for spec in specs:
        if spec == ALL:
            decks += arguments.load_decks(None, cards)
        else:
            decks.append(load_solo_deck(spec, cards, [ALL]))
    if not decks:
        raise InputError("deck: none given; expected at least one")
    for deck in decks:
        if isinstance(deck, Deck) and is_draft(deck.name):
            raise InputError(f"deck: name {deck.name} is taken by drafted decks; expected another name")
    names = [f"{DRAFT}:{deck.name}" if isinstance(deck, Drafter) else deck.name for deck in decks]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"deck: {name} is given twice; expected decks with different names")
    return decks


def choose_settings(
    preset: str,
    changes: Mapping[str, Any],
    level: str | None,
    points: int | None,
    rules: Rules,
) -> list[SoloSettings]:
    """Return the one setting that the options name, or all of a level or a price that have these options.

    Raises
    ------
    InputError
        For settings outside the rulebook, level and points at once, or if no setting is left.
    """
    changed = {name: value for name, value in changes.items() if value is not None}
    if level is None and points is None:
        return [settings_from(changed, preset)]
    if level is not None and points is not None:
        raise InputError("level and points are both given; expected one of them")
    SoloSettings(**changed)  # names what is wrong with an option
    price = int(points or 0) if level is None else points_of_level(level)
    of_price = settings_at(price, no_bastion_of(rules))
    found = [settings for settings in of_price if changed.items() <= settings.as_dict().items()]
    if not found:
        named = ", ".join(f"{name} {value}" for name, value in changed.items())
        raise InputError(
            f"no setting of {count(price, 'point')} has {named}; expected other options or another price (R38)"
        )
    return found


def check_settings(settings: SoloSettings | Iterable[SoloSettings]) -> list[SoloSettings]:
    """Return one setting or several as a list.

    Raises
    ------
    InputError
        There is none, one is no setting, or one is given twice.
    """
    expected = "expected SoloSettings(...) or several, such as [SoloSettings(), SoloSettings(fixed=8)]"
    if not isinstance(settings, Iterable | SoloSettings):
        raise InputError(f"settings is {settings!r}; {expected}")
    chosen = [settings] if isinstance(settings, SoloSettings) else list(settings)
    for each in chosen:
        if not isinstance(each, SoloSettings):
            raise InputError(f"settings is {settings!r}; {expected}")
        if chosen.count(each) > 1:
            raise InputError(f"settings: {each} is given twice; expected different ones")
    if not chosen:
        raise InputError(f"settings: none given; {expected}")
    return chosen


def no_bastion_of(rules: Rules) -> int:
    """Return the price of playing without Bastion under these rules."""
    return NO_BASTION_POINTS[rules.no_bastion_points]


def load_players(policy: str | Sequence[str]) -> list[Policy]:
    """Load the policies that play, the weakest first."""
    specs = arguments.specs_of(policy)
    if not specs:
        raise InputError("policy: none given; expected at least one")
    return load_policies(specs)


def lay_out(
    cards: CardSet,
    decks: Sequence[Deck | Drafter],
    policies: Sequence[Policy],
    settings: Sequence[SoloSettings],
    rules: Rules,
    seed: int,
    games: int,
) -> tuple[list[Solo], pd.DataFrame]:
    """Return the conditions, every setting of every deck under every policy, and the plan.

    The random-number group is the deck, so that game i meets the same shuffles under all settings and policies.
    """
    solos = [
        Solo(cards, deck, policy, setting, rules, seed)
        for policy, deck, setting in product(policies, decks, settings)
    ]
    plan = {
        "condition": range(len(solos)),
        "deck": [solo.deck_name for solo in solos],
        "policy": [solo.policy.name for solo in solos],
        **{name: [getattr(solo.settings, name) for solo in solos] for name in PRICES},
        "group": [solo_group(solo.deck_name) for solo in solos],
        "games": even(games),
    }
    return solos, pd.DataFrame(plan)


def describe(
    cards: CardSet, solos: Sequence[Solo], specs: Sequence[str], rules: Rules, method: str
) -> dict[str, Any]:
    """Return what decides the games besides plan and seed, and how they are counted, for the manifest."""
    decks = {solo.deck_name: solo.deck for solo in solos}
    return {
        "rules": dict(rules.as_dict()),
        "cards": {"name": cards.name, "hash": cards.hash},
        "changed_cards": differences(cards, load_cards()),
        "decks": {
            name: [card.name for card in deck.cards]
            if isinstance(deck, Deck)
            else [f"drafted in each game, {deck.summary}"]
            for name, deck in decks.items()
        },
        "policies": list(dict.fromkeys(solo.policy.name for solo in solos)),
        "policy_files": arguments.digests(specs),
        "method": method,
    }


def input_files(
    specs: Sequence[arguments.DeckSpec] | None,
    cards: str | PathLike[str] | CardSet,
    card_set: CardSet,
    policies: Sequence[str],
) -> dict[str, Path]:
    """Return the files that the arguments name, by how they are named."""
    named = [specs] if isinstance(specs, str) else list(specs or ())
    fixed = [spec for spec in named if spec != ALL and not is_draft(spec)]
    files = arguments.input_files(fixed, cards, card_set, policies)
    return {name: path for name, path in files.items() if path is not None}


def check_games(games: int | None, target: Target, default: int) -> int:
    """Return the number of games per condition; None stands for the default, a large one if a target stops it."""
    if games is None:
        return arguments.GAMES_AT_MOST if target != Target() else default
    return arguments.check_whole("games", games, 1, arguments.MOST_GAMES)


_DETAILS: dict[str, tuple[Callable[[Any], bool], str]] = {
    name: DETAILS[name]
    for name in ("rules", "cards", "changed_cards", "decks", "policies", "policy_files", "method")
}
_PLAN: dict[str, tuple[type, str]] = {
    **{name: (str, "a text") for name in ("deck", "policy", "first", "ability", "group")},
    **{name: (int, "a whole number") for name in ("variable", "fixed")},
    **{name: (bool, "true or false") for name in ("bastion", "resistance")},
}


def check_manifest(manifest: Mapping[str, Any], options: Mapping[str, tuple[type, ...]]) -> None:
    """Make sure that a manifest of solo games has the form that `describe` and `lay_out` give it.

    Raises
    ------
    InputError
        Names the entry, and what was expected.
    """
    check_options(manifest["options"], options)
    for name, (fits, expected) in _DETAILS.items():
        if name not in manifest or not fits(manifest[name]):
            raise InputError(f"{name} is {str(manifest.get(name))[:40]!r}; expected {expected}")
    for number, row in enumerate(manifest["plan"]):
        for name, (kind, expected) in _PLAN.items():
            if type(row.get(name)) is not kind:
                raise InputError(
                    f"plan, row {number}: {name} is {str(row.get(name))[:40]!r}; expected {expected}"
                )
