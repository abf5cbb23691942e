"""The settings of a solo game, what they cost in difficulty points, and the levels (R38)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import product
from typing import Any

from clashsim.errors import InputError, nearest

PRICES: Mapping[str, Mapping[Any, int]] = {
    "variable": {1: 0, 2: 2},
    "fixed": {6: 0, 7: 1, 8: 2, 9: 3, 10: 4},
    "first": {"player": 0, "ai": 1},
    "bastion": {True: 0, False: -1},
    "resistance": {False: 0, True: 2},
    "ability": {"none": 0, "splash": 1, "perforation": 1, "rage": 1, "protection": 1, "berserk": 1},
}
"""The options in the rulebook's order, each with its values and their printed prices; the first value is the base."""

NO_BASTION_POINTS = {"-1": -1, "1": 1}
"""The price of playing without Bastion in most rulebooks, and in the Arabic one (switch `no_bastion_points`)."""

LEVELS = {"Easy": 1, "Medium": 2, "Hard": 3, "Heroic": 4, "Mythic": 5}

MEANINGS = {
    "variable": "mana that the AI has for each of the player's creatures in play",
    "fixed": "mana that the AI has in any case",
    "first": "who takes the first turn",
    "bastion": "whether the AI starts with its Bastion; without, it starts on the Fort",
    "resistance": "whether player attacks on the AI's deck are reduced by 1",
    "ability": "an ability that every creature of the AI has",
}


@dataclass(frozen=True, slots=True)
class SoloSettings:
    """One of the 480 settings; the default is the quick game.

    Attributes
    ----------
    variable : int
        AI mana per creature of the player's in play (R33): 1 or 2.
    fixed : int
        AI mana besides (R33): 6 to 10.
    first : str
        Who takes the first turn (R32): "player" or "ai".
    bastion : bool
        Whether the AI has one.
    resistance : bool
        Whether attacks on the AI's deck are reduced.
    ability : str
        Given to every AI creature: "none", "splash", "perforation", "rage", "protection" or "berserk".

    Raises
    ------
    InputError
        For a value outside the rulebook; names those that are allowed.
    """

    variable: int = 1
    fixed: int = 6
    first: str = "player"
    bastion: bool = True
    resistance: bool = False
    ability: str = "none"

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            allowed = PRICES[name]
            if type(value) is not type(next(iter(allowed))) or value not in allowed:
                raise _bad_value(name, value)

    @property
    def given(self) -> tuple[str, ...]:
        """The ability of all AI creatures as cards name it, if there is one."""
        return () if self.ability == "none" else (self.ability.capitalize(),)

    def points(self, no_bastion: int = PRICES["bastion"][False]) -> int:
        """Return the difficulty points, at a price of playing without Bastion."""
        total = sum(PRICES[name][value] for name, value in asdict(self).items())
        return total if self.bastion else total - PRICES["bastion"][False] + no_bastion

    def as_dict(self) -> dict[str, Any]:
        """Return every option and its value."""
        return asdict(self)

    def __str__(self) -> str:
        """Tell the setting in words: mana, then what differs from the quick game."""
        words = [f"mana {self.fixed} + {self.variable} per creature"]
        words += ["AI first"] * (self.first == "ai") + ["no Bastion"] * (not self.bastion)
        words += ["resistance"] * self.resistance + [self.ability] * (self.ability != "none")
        return ", ".join(words)


PRESETS = {"quick": SoloSettings()}
"""Settings with a name: the quick game of the rulebook (R33)."""


def all_settings() -> Iterator[SoloSettings]:
    """Yield the 480 settings, the last option changing first."""
    for values in product(*PRICES.values()):
        yield SoloSettings(*values)


def settings_at(points: int, no_bastion: int = -1) -> list[SoloSettings]:
    """Return the settings of a price.

    Raises
    ------
    InputError
        No setting has this price.
    """
    found = [settings for settings in all_settings() if settings.points(no_bastion) == points]
    if not found:
        prices = {settings.points(no_bastion) for settings in all_settings()}
        raise InputError(
            f"points is {points}; expected a whole number from {min(prices)} to {max(prices)} (R38)"
        )
    return found


def level_of(points: int) -> str:
    """Return the name of the level that a price stands for, "" if it has none."""
    return next((name for name, price in LEVELS.items() if price == points), "")


def points_of_level(level: str) -> int:
    """Return the price of a level, by its name.

    Raises
    ------
    InputError
        There is no such level.
    """
    name = level.capitalize()
    if name not in LEVELS:
        raise InputError(f"unknown level {level!r}; expected {', '.join(LEVELS)}.{nearest(name, LEVELS)}")
    return LEVELS[name]


def settings_from(values: Mapping[str, Any], preset: str = "quick") -> SoloSettings:
    """Return a preset with some options changed.

    Raises
    ------
    InputError
        For an unknown preset or option, or a value outside the rulebook.
    """
    if preset not in PRESETS:
        names = ", ".join(PRESETS)
        raise InputError(f"unknown preset {preset!r}; expected {names}.{nearest(preset, PRESETS)}")
    for name in values:
        if name not in PRICES:
            raise InputError(
                f"unknown solo setting {name!r}; expected one of {', '.join(PRICES)}.{nearest(name, PRICES)}"
            )
    return SoloSettings(**{**PRESETS[preset].as_dict(), **values})


def options_that_differ(settings: SoloSettings, other: SoloSettings) -> list[str]:
    """Return the names of the options in which two settings differ."""
    return [
        field.name
        for field in fields(SoloSettings)
        if getattr(settings, field.name) != getattr(other, field.name)
    ]


def _bad_value(name: str, value: object) -> InputError:
    allowed = [str(each).lower() if isinstance(each, bool) else str(each) for each in PRICES[name]]
    near = nearest(value.lower(), allowed) if isinstance(value, str) else ""
    return InputError(f"{name} is {value!r}; expected {_listed(allowed)} (R38).{near}")


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
