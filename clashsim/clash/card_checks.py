"""Check what a file says about one card: every field, its type and its range."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from clashsim.clash.abilities import ABILITIES, INCANTATION_ABILITIES
from clashsim.errors import InputError, nearest

KINDS = ("creature", "incantation")
REQUIRED_FIELDS = ("name", "kind", "cost", "attack")
OPTIONAL_FIELDS = ("health", "abilities", "auras", "deck", "source")
CARD_FIELDS = (*REQUIRED_FIELDS, *OPTIONAL_FIELDS)

MOST = 15  # the highest cost, attack or health
LEAST = {("creature", "health"): 1, ("incantation", "cost"): 1}  # 0 elsewhere
LONGEST_NAME = 40
RESERVED_DECKS = ("ALL",)  # a table calls the mean over all decks so
RESERVED_NAMES = ("BASTION", "FORT")  # a trace writes the fortress so


class DeckSizeError(InputError):
    """A deck that has not eight cards.

    Attributes
    ----------
    size : int
        How many it has.
    """

    def __init__(self, message: str, size: int) -> None:
        super().__init__(message)
        self.size = size


def shown(value: object) -> str:
    """Return `value` for an error message, cut when long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, a list of lists of lists …
        text = "a huge value"
    return text if len(text) <= 60 else f"{text[:57]}..."


def place(path: Path, spot: str, record: Mapping[str, Any]) -> str:
    """Return where a card stands, for error messages: the file, the spot and, if it has one, its name."""
    name = record.get("name")
    if isinstance(name, str) and name and name.isprintable():
        return f"{path}: {spot} ({name[:LONGEST_NAME]})"
    return f"{path}: {spot}"


def check_keys(
    record: Mapping[str, Any], required: Iterable[str], allowed: Iterable[str], where: str
) -> None:
    """Refuse unknown and missing keys of a table of a TOML file."""
    allowed = tuple(allowed)
    for key in record:
        if key not in allowed:
            raise InputError(
                f"{where}: unknown field {shown(key)}; allowed are {', '.join(allowed)}."
                f"{nearest(key, allowed)}"
            )
    for key in required:
        if key not in record:
            raise InputError(f"{where}: no field '{key}'; required are {', '.join(required)}")


def check_text(value: object, field: str, where: str, *, longest: int = 400, empty: bool = False) -> str:
    """Return `value` if it is printable text of one line, without spaces at its ends."""
    if not isinstance(value, str):
        raise InputError(f"{where}: {field} is {shown(value)}; expected text in quotes")
    if not value and not empty:
        raise InputError(f"{where}: {field} is empty; expected 1 to {longest} characters")
    if not value.isprintable() or value != value.strip():
        raise InputError(
            f"{where}: {field} is {shown(value)}; expected printable characters, no spaces at the ends"
        )
    if len(value) > longest:
        raise InputError(
            f"{where}: {field} {shown(value)} has {len(value)} characters; expected at most {longest}"
        )
    return value


def check_name(value: object, where: str) -> str:
    """Return `value` if it can name a card."""
    name = check_text(value, "name", where, longest=LONGEST_NAME)
    if name.upper() in RESERVED_NAMES:
        raise InputError(f"{where}: name {name!r} is reserved for the fortress; expected another name")
    return name


def check_label(value: object, where: str) -> str:
    """Return `value` if it can label a deck of a card set: it must be told apart from lists and paths."""
    label = check_text(value, "deck", where, longest=LONGEST_NAME)
    if label.upper() in RESERVED_DECKS:
        raise InputError(f"{where}: deck {label} is a name the tables use; expected another label")
    if any(sign in label for sign in ",/\\") or label.lower().endswith((".toml", ".csv")):
        raise InputError(
            f"{where}: deck is {label!r}; expected a label without commas and slashes, not a file name"
        )
    return label


def check_card(record: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Check the fields of one card.

    Parameters
    ----------
    record : mapping
        Field names and values as TOML gives them.
    where : str
        The file and the place of the card in it, for error messages.

    Returns
    -------
    dict
        All of `CARD_FIELDS`; lists as tuples, absent fields as None, () or "".

    Raises
    ------
    InputError
        Naming the place, the field, what is wrong and what is allowed.
    """
    check_keys(record, REQUIRED_FIELDS, CARD_FIELDS, where)
    kind = record["kind"]
    if kind not in KINDS:
        raise InputError(
            f"{where}: kind is {shown(kind)}; expected {' or '.join(KINDS)}.{nearest(str(kind), KINDS)}"
        )
    return {
        "name": check_name(record["name"], where),
        "kind": kind,
        "cost": _check_number(record["cost"], "cost", kind, where),
        "attack": _check_number(record["attack"], "attack", kind, where),
        "health": _check_health(record, kind, where),
        "abilities": _check_abilities(record.get("abilities", ()), "abilities", kind, where),
        "auras": _check_abilities(record.get("auras", ()), "auras", kind, where),
        "deck": check_label(record["deck"], where) if "deck" in record else None,
        "source": check_text(record.get("source", ""), "source", where, empty=True),
    }


def from_csv(row: Mapping[str, str], where: str) -> dict[str, Any]:
    """Turn the texts of a CSV row into the values that TOML would give; empty cells become absent fields."""
    record: dict[str, Any] = {field: text for field, text in row.items() if text}
    for field in ("cost", "attack", "health"):
        if field in record:
            record[field] = _number_from_text(record[field], field, where)
    for field in ("abilities", "auras"):
        if field in record:
            record[field] = [part.strip() for part in record[field].split("|")]
    return record


def _number_from_text(text: str, field: str, where: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
        raise InputError(f"{where}: {field} is {shown(text)}; expected a whole number")
    return int(text)


def _check_health(record: Mapping[str, Any], kind: str, where: str) -> int | None:
    if kind == "incantation":
        if "health" in record:
            raise InputError(f"{where}: health is {shown(record['health'])}; an Incantation has none")
        return None
    if "health" not in record:
        raise InputError(f"{where}: no field 'health'; a creature needs one, from 1 to {MOST}")
    return _check_number(record["health"], "health", kind, where)


def _check_number(value: object, field: str, kind: str, where: str) -> int:
    least = LEAST.get((kind, field), 0)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
        raise InputError(
            f"{where}: {field} is {shown(value)}; expected a whole number from {least} to {MOST}"
        )
    return value


def _check_abilities(value: object, field: str, kind: str, where: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(ability, str) for ability in value):
        raise InputError(f'{where}: {field} is {shown(value)}; expected a list such as ["Rage", "Berserk"]')
    for ability in value:
        if ability not in ABILITIES:
            raise InputError(
                f"{where}: unknown ability {shown(ability)} in {field}; expected one of "
                f"{', '.join(ABILITIES)}.{nearest(ability, ABILITIES)}"
            )
        if value.count(ability) > 1:
            raise InputError(f"{where}: {ability} is given twice in {field}; expected once")
        if kind == "incantation" and (field == "auras" or ability not in INCANTATION_ABILITIES):
            allowed = "no auras" if field == "auras" else f"only {' and '.join(INCANTATION_ABILITIES)}"
            raise InputError(f"{where}: {ability} in {field}; an Incantation can have {allowed} (R22)")
    return tuple(value)
