"""What an evaluation of positions looks at, and the files that say what each of it is worth."""

import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clashsim.errors import InputError, nearest, reason_of

FEATURES = {
    "life": "cards to the right of the fortress: the damage it can still take, and one less (R15-R17)",
    "bastion": "1 while it stands",
    "reserve": "with a Bastion: the cards in hand, which the Fort behind it has as life",
    "hand": "cards in hand: next turn's mana (R3)",
    "creatures": "in play",
    "attack": "printed, of all creatures in play",
    "health": "printed, of all creatures in play",
    "cost": "of all creatures in play",
    "open_attack": "attack in lanes where no enemy creature stands",
    "abilities": "number of abilities that count, Auras' included",
    "danger": "1 / (1 + life)",
}
"""Each counts once for the side itself and once for its enemy, with a weight of its own."""

AI_FEATURES = {
    **FEATURES,
    "life": "cards in the AI's deck: the damage it can still take (R36)",
    "reserve": "with a Bastion: the cards in the AI's discard pile, which the Fort behind it has as life (R36)",
    "hand": "0: the AI has no hand (R35)",
}
"""What those of the enemy look at in solo games, where it is the AI; the player's own are those of duels."""

SIDES = ("own", "enemy")
MOST_WEIGHT = 1e6


def read_weights(path: Path) -> tuple[float, ...]:
    """Return the weights in a TOML file, those of the own features first.

    Raises
    ------
    InputError
        The file can not be read, or names other features, or a weight is no number.
    """
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"weights {path}: {reason_of(error)}; expected a TOML file of weights") from None
    _expect_names(path, "", tables, SIDES)
    weights = []
    for side in SIDES:
        if not isinstance(tables[side], dict):
            raise InputError(f"weights {path}: {side} is {tables[side]!r}; expected a table of features")
        _expect_names(path, f"{side}.", tables[side], FEATURES)
        weights += [_weight(path, f"{side}.{name}", tables[side][name]) for name in FEATURES]
    return tuple(weights)


def _expect_names(path: Path, where: str, found: Mapping[str, Any], expected: Any) -> None:
    for name in found:
        if name not in expected:
            raise InputError(
                f"weights {path}: {where}{name} is unknown; expected {', '.join(expected)}.{nearest(name, expected)}"
            )
    for name in expected:
        if name not in found:
            raise InputError(f"weights {path}: {where}{name} is missing; expected {', '.join(expected)}")


def _weight(path: Path, name: str, value: Any) -> float:
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    if not fits or not math.isfinite(value) or abs(value) > MOST_WEIGHT:
        raise InputError(
            f"weights {path}: {name} is {value!r}; expected a number from {-MOST_WEIGHT:g} to {MOST_WEIGHT:g}"
        )
    return float(value)
