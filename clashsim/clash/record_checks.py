"""Check the parts of a record that came from JSON, refusing what is wrong in one clear line."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clashsim.clash.card_checks import shown
from clashsim.errors import InputError, nearest

Record = Mapping[str, Any]


def check_keys(record: Any, keys: Iterable[str], where: str) -> None:
    """Refuse what is no object, or lacks one of these keys."""
    if not isinstance(record, Mapping):
        raise InputError(f"{where}: {shown(record)}; expected an object")
    for key in keys:
        if key not in record:
            raise InputError(f"{where}: no key {key!r}.{nearest(key, record)}")


def whole(value: Any, where: str, least: int = 0, most: int | None = None) -> int:
    """Return `value` if it is a whole number within bounds; true and 1.0 are none."""
    if type(value) is not int or value < least or (most is not None and value > most):
        bounds = f"from {least}" if most is None else f"from {least} to {most}"
        raise InputError(f"{where} is {shown(value)}; expected a whole number {bounds}")
    return value


def listed(value: Any, where: str, length: int | None = None) -> Sequence[Any]:
    """Return `value` if it is a list, of a length if one is given."""
    if not isinstance(value, list) or (length is not None and len(value) != length):
        size = "" if length is None else f" of {length}"
        raise InputError(f"{where} is {shown(value)}; expected a list{size}")
    return value


def choice(value: Any, choices: Sequence[Any], where: str, what: str = "") -> Any:
    """Return `value` if it is one of the choices and of the same type."""
    if any(type(value) is type(one) and value == one for one in choices):
        return value
    allowed = ", ".join("null" if one is None else str(one) for one in choices[:8])
    allowed += ", ..." if len(choices) > 8 else ""
    words = [one for one in choices if isinstance(one, str)]
    near = nearest(value, words) if isinstance(value, str) else ""
    raise InputError(f"{where} is {shown(value)}; expected {what and what + ': '}{allowed or 'none'}.{near}")
