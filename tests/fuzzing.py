"""Damage to valid files, and what the program makes of it: tests call `fuzz` with a check of one damaged input."""

import copy
import io
import json
import math
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from clashsim.cli.main import main

THOROUGHLY = pytest.mark.parametrize("scale", [1, pytest.param(5, marks=pytest.mark.slow)])
"""A test with the argument `scale` is run with few examples, and by hand (-m slow) with many."""

DEEP = 100_000  # brackets, more than any reader follows

ODD_VALUES = [
    None,
    True,
    False,
    0,
    1,
    -1,
    3,
    2**31,
    2**63,
    2**64,
    10**400,
    0.5,
    1.0,
    -0.0,
    1e308,
    math.nan,
    math.inf,
    -math.inf,
    "",
    " ",
    "0",
    "1",
    "nan",
    "é",
    "\0",
    "\n",
    "\x1b[2J",
    "\u202e",
    "\ud800",
    "x" * 5000,
    ".",
    "..",
    "../x",
    "/",
    "a/b",
    "a\\b",
    "a,b",
    "x.toml",
    "inputs",
    [],
    [[]],
    ["1"],
    [None],
    {},
    {"": None},
    {"games": 2},
]

JUNK = [
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\n",
    b"\r",
    b"\x1b[2J",
    b" ",
    b'"',
    b"'",
    b",",
    b"=",
    b"[",
    b"]",
    b"{",
    b"}",
    b"#",
    b"0",
    b"-",
    b"9" * 5000,
    b"NaN",
    b"Infinity",
    b"null",
    b"\xe2\x80\xa8",
    b"[" * DEEP,
]


class Outcome(NamedTuple):
    """What a command line came to."""

    code: int
    out: str
    err: str


def run(*arguments: object) -> Outcome:
    """Run the program in this process and check what holds for every input: no exception, one line for an error."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    outcome = Outcome(code, *texts)
    errors = [line for line in outcome.err.split("\n") if "clashsim: error:" in line]
    assert code in {0, 1, 2, 3}
    assert len(errors) == (code != 0), outcome.err
    assert all(line.startswith("clashsim: error: ") and line.isprintable() for line in errors), errors
    assert "Traceback" not in outcome.err
    return outcome


def fuzz(check: Callable[..., None], examples: int, *strategies: st.SearchStrategy) -> None:
    """Call `check` with a number of examples, the same in every run."""
    # Examples are not made smaller when one fails: many of them play games, and each is one change anyway.
    quiet = settings(max_examples=examples, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
    quiet(given(*strategies)(check))()


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """Some bytes after one damage: cut, doubled, replaced, in another encoding, …; now and then what was there."""
    first = draw(st.integers(0, len(content)))
    last = min(len(content), first + draw(st.sampled_from([1, 2, 8, 40, len(content)])))
    lines = content.splitlines(keepends=True) or [b""]
    line = draw(st.integers(0, len(lines) - 1))
    kind = draw(st.sampled_from(["cut", "double", "replace", "insert", "truncate", "line", "lines", "whole"]))
    match kind:
        case "cut":
            return content[:first] + content[last:]
        case "double":
            return content[:last] + content[first:]
        case "replace":
            return content[:first] + draw(st.binary(min_size=1, max_size=3)) + content[first + 1 :]
        case "insert":
            return content[:first] + draw(st.sampled_from(JUNK)) + content[first:]
        case "truncate":
            return content[:first]
        case "line":
            return b"".join(lines[:line] + lines[line + 1 :])
        case "lines":
            return b"".join(lines[: line + 1] + lines[line:])
    text = content.decode()
    wholes = [b"", b"\n", b"\xef\xbb\xbf" + content, text.encode("utf-16"), text.encode("utf-32-le")]
    wholes += [content.replace(b"\n", b"\r\n"), content + content, content[::-1], content.upper(), content]
    return draw(st.sampled_from(wholes))


Spot = tuple[str | int, ...]


def spots(value: Any, way: Spot = ()) -> list[Spot]:
    """Every place within a JSON value, as the keys that lead there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [way] if way else []
    for key, one in inner:
        found += spots(one, (*way, key))
    return found


class Change(NamedTuple):
    """A JSON value with one change in it, where it is, and of what kind."""

    value: Any
    spot: Spot
    kind: str


@st.composite
def changed(draw: st.DrawFn, value: Any, at: st.SearchStrategy[Spot] | None = None) -> Change:
    """Change one thing in a JSON value: replace, delete, double, rename or move it."""
    spot = draw(st.sampled_from(spots(value)) if at is None else at)
    new = copy.deepcopy(value)
    holder, key = new, spot[-1]
    for step in spot[:-1]:
        holder = holder[step]
    kind = draw(st.sampled_from(["replace", "replace", "replace", "delete", "double", "move"]))
    match kind:
        case "replace":
            holder[key] = draw(st.sampled_from(ODD_VALUES) | st.integers(-5, 20) | st.text(max_size=5))
        case "delete":
            del holder[key]
        case "double" if isinstance(holder, list):
            holder.insert(key, holder[key])
        case "double":
            holder[draw(st.sampled_from(["", "x", "games", "name"]))] = holder[key]
        case "move" if isinstance(holder, list):
            holder.append(holder.pop(key))
        case "move":
            holder[f"{key}_"] = holder.pop(key)
    return Change(new, spot, kind)


def same_json(text: bytes, other: bytes) -> bool:
    """Tell whether two texts are JSON of the same value, numbers of the same type."""
    try:
        values = [json.dumps(json.loads(one), sort_keys=True) for one in (text, other)]
    except (ValueError, RecursionError):
        return False
    return values[0] == values[1]


@st.composite
def damaged_bytes(draw: st.DrawFn, content: bytes) -> bytes:
    """Bytes that are no text, after one damage."""
    first = draw(st.integers(0, len(content) - 1))
    kind = draw(st.sampled_from(["flip", "flip", "cut", "double", "truncate", "empty", "random"]))
    match kind:
        case "flip":
            flipped = content[first] ^ 1 << draw(st.integers(0, 7))
            return content[:first] + bytes([flipped]) + content[first + 1 :]
        case "cut":
            return content[:first] + content[first + draw(st.integers(1, 20)) :]
        case "double":
            return content[:first] + content
        case "truncate":
            return content[:first]
        case "empty":
            return b""
    return draw(st.binary(max_size=40))
