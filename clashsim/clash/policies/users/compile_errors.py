"""Numba's messages, many lines long, in one line for the author of a policy."""

import re
from pathlib import Path

from clashsim.clash import player
from clashsim.clash.policies.users.view import CARD_VIEW, CREATURE_VIEW, LANE_VIEW, SIDE_VIEW, VIEW
from clashsim.errors import nearest

_FIELDS = {
    name for record in (VIEW, SIDE_VIEW, LANE_VIEW, CARD_VIEW, CREATURE_VIEW) for name in record.names or ()
}
_PREAMBLE = re.compile(r"^(Failed in|During:|File |- Resolution|There are \d+|<source elided>|$)")
_LONGEST = 200


def compile_error(error: Exception, path: Path) -> str:
    """Return what numba has to say of a user's file, with the line that it says it of."""
    text = str(error)
    unknown = _unknown_field(error, text)
    missing = re.search(r"name '(\w+)' is not defined", text)
    if unknown:
        place, reason = _line_with(rf"\.{unknown}\b", path), f"nothing in the view has a field {unknown!r}"
        return f"{place}{reason}.{nearest(unknown, _FIELDS)}"
    if missing:
        place, reason = _line_with(rf"\b{missing[1]}\b", path), f"{missing[1]!r} is not defined"
        return f"{place}{reason}.{nearest(missing[1], player.__all__)}"
    found = re.search(r'File "([^"\n]*)", line (\d+)', text)
    file = "" if found is None or Path(found[1]).name == path.name else f"{found[1]}, "
    place = f"{file}line {found[2]}: " if found else ""
    return f"{place}{_reason(text)}; expected what numba compiles"


def _shortened(text: str) -> str:
    """Write "record" for numba's description of records, which lists all their fields; cut what is still long."""
    while (start := text.find("Record(")) >= 0:
        depth, end = 0, start
        for end in range(start + len("Record"), len(text)):
            depth += (text[end] in "([{") - (text[end] in ")]}")
            if depth == 0:
                break
        text = f"{text[:start]}record{text[end + 1 :]}"
    return text


def _unknown_field(error: Exception, text: str) -> str:
    """Return the name of a field that a record lacks, if that is what is wrong."""
    if isinstance(error, KeyError) and error.args and str(error.args[0]).isidentifier():
        return str(error.args[0])
    found = re.search(r"Unknown attribute '(\w+)' of type (?:unaligned )?(?:Record|record|nestedarray)", text)
    return found[1] if found else ""


def _line_with(pattern: str, path: Path) -> str:
    """Return "line N: " for the first line of a file that fits, or ""."""
    lines = path.read_text("utf-8", "replace").splitlines()
    return next((f"line {number}: " for number, line in enumerate(lines, 1) if re.search(pattern, line)), "")


def _reason(text: str) -> str:
    lines = [line.strip() for line in _shortened(text).splitlines()]
    lines = [line for line in lines if not _PREAMBLE.match(line)]
    reason = " ".join(lines[:2] if lines and lines[0].endswith(":") else lines[:1])
    return reason.rstrip(" .:")[:_LONGEST] or "it can not be compiled"
