"""Steps and single values of a trace, found and changed."""

from collections.abc import Iterator
from typing import Any

Path = tuple[Any, ...]


def steps_of(trace: dict[str, Any], do: str, side: int) -> list[dict[str, Any]]:
    """The steps of a kind in a side's turns."""
    found, active = [], None
    for step in trace["steps"]:
        active = step.get("side", active)
        found += [step] if step["do"] == do and active == side else []
    return found


def reshuffled(trace: dict[str, Any]) -> int:
    """The number of the step that is a reshuffle."""
    return next(number for number, step in enumerate(trace["steps"]) if step["do"] == "reshuffle")


def places(trace: dict[str, Any], part: str) -> list[Path]:
    """Paths of all plain values of a part; the target of a cast left out, which can be changed without consequence."""
    return list(leaves(trace[part], (part,)))


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if not (key == "target" and isinstance(inner, dict)):
                yield from leaves(inner, (*path, key))
    else:
        yield path


def change(trace: dict[str, Any], path: Path, value: Any = None) -> None:
    """Put another value in a place: `value`, or some other one than there is."""
    *outer, last = path
    holder: Any = trace
    for key in outer:
        holder = holder[key]
    holder[last] = changed(holder[last]) if value is None else value


def changed(value: Any) -> Any:
    return value + 1 if isinstance(value, int) else "FILLER" if isinstance(value, str) else 0
