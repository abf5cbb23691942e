"""The switches of the rules: what each selects, its values, and how a user sets it."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from clashsim.errors import InputError, nearest


@dataclass(frozen=True, slots=True)
class Switch:
    """One entry of the table of rule switches.

    Attributes
    ----------
    values : tuple of str or range
        The allowed values: words, or whole numbers.
    rule : str
        Number of the rule it belongs to.
    help : str
        What it selects, in a line.
    solo : bool
        Whether it has an effect in solo games only.
    """

    values: tuple[str, ...] | range
    rule: str
    help: str
    solo: bool = False

    def allowed(self) -> str:
        """Return the allowed values as a user reads them."""
        if isinstance(self.values, range):
            return f"a whole number from {self.values[0]} to {self.values[-1]}"
        return " or ".join(self.values)


SWITCHES: dict[str, Switch] = {
    "first_mana": Switch(range(31), "R3", "mana on the first turn of the game"),
    "window": Switch(range(1, 9), "R4", "how many of the leftmost cards can be played"),
    "turn_limit": Switch(range(1, 10_001), "R31", "turns, over both players, after which a game is a draw"),
    "self_breach": Switch(
        ("on", "off"), "R19", "off: a play that makes the own fortress rightmost is illegal"
    ),
    "ignored_uses_protection": Switch(
        ("off", "on"), "R24", "on: an Incantation that Indestructible ignores uses Protection up"
    ),
    "protection_against": Switch(
        ("sources", "attacks"), "R24", "attacks: Protection neither absorbs nor counts Incantations"
    ),
    "ai_last_turn": Switch(
        ("next", "current"),
        "R36",
        "which is the AI's last turn when its deck runs out during its own",
        solo=True,
    ),
    "resistance_reading": Switch(
        ("minus_one", "to_one"), "R38", "resistance takes 1 off each attack, or makes it 1", solo=True
    ),
    "no_bastion_points": Switch(
        ("-1", "1"), "R38", "difficulty points of playing without Bastion; changes no game", solo=True
    ),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The reading of the rules that games are played by; `SWITCHES` says what each field selects.

    Raises
    ------
    InputError
        If a value is not allowed.
    """

    first_mana: int = 6
    window: int = 4
    turn_limit: int = 200
    self_breach: str = "on"
    ignored_uses_protection: str = "off"
    protection_against: str = "sources"
    ai_last_turn: str = "next"
    resistance_reading: str = "minus_one"
    no_bastion_points: str = "-1"

    def __post_init__(self) -> None:
        for name, value in self.as_dict().items():
            values = SWITCHES[name].values
            whole = isinstance(value, int) and not isinstance(value, bool)
            if value not in values or whole != isinstance(values, range):
                raise _bad_value(name, value)

    def as_dict(self) -> dict[str, int | str]:
        """Return every switch and its value."""
        return asdict(self)

    def changed(self) -> dict[str, int | str]:
        """Return the switches that differ from their defaults."""
        return {name: value for name, value in self.as_dict().items() if value != _DEFAULTS[name]}


_DEFAULTS = {field.name: field.default for field in fields(Rules)}


def parse_rules(settings: Sequence[str], *, solo: bool = False) -> Rules:
    """Read settings such as "window=5".

    Parameters
    ----------
    settings : sequence of str
        Each "NAME=VALUE"; switches that are not named keep their defaults.
    solo : bool
        Whether the games are solo games; the solo switches are refused otherwise.

    Raises
    ------
    InputError
        For an unknown switch, a value that is not allowed, a switch given twice or out of place.
    """
    chosen: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            near = "" if name in SWITCHES else nearest(name, SWITCHES)
            raise InputError(f"rule {setting!r}: expected NAME=VALUE, such as window=5.{near}")
        if name not in SWITCHES:
            raise InputError(
                f"unknown rule {name!r}; expected one of {', '.join(SWITCHES)}.{nearest(name, SWITCHES)}"
            )
        switch = SWITCHES[name]
        if name in chosen:
            raise InputError(f"rule {name} is given twice; expected once")
        if switch.solo and not solo:
            raise InputError(f"rule {name} is for solo games only ({switch.rule}); leave it out for duels")
        chosen[name] = _parse_value(name, text)
    return Rules(**chosen)


def rules_table() -> list[dict[str, Any]]:
    """Return one row per switch: its name, values, default, rule number, the games that it is for, and its meaning."""
    return [
        {
            "rule": name,
            "values": _choices(switch),
            "default": _DEFAULTS[name],
            "rule_number": switch.rule,
            "games": "solo" if switch.solo else "all",
            "meaning": switch.help,
        }
        for name, switch in SWITCHES.items()
    ]


def _parse_value(name: str, text: str) -> int | str:
    if not isinstance(SWITCHES[name].values, range):
        return text
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise _bad_value(name, text)
    return int(text)


def _bad_value(name: str, value: object) -> InputError:
    switch = SWITCHES[name]
    near = "" if isinstance(switch.values, range) else nearest(str(value), switch.values)
    return InputError(f"rule {name} is {value!r}; expected {switch.allowed()} ({switch.rule}).{near}")


def _choices(switch: Switch) -> str:
    values = switch.values
    return f"{values[0]}-{values[-1]}" if isinstance(values, range) else " or ".join(values)
