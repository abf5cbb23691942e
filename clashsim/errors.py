"""Errors a user can cause, each with the exit code the command line gives it."""

from collections.abc import Iterable
from difflib import get_close_matches


class ClashsimError(Exception):
    """Base of every error that is reported in one line, without a traceback."""

    exit_code = 1


class CheckFailed(ClashsimError):
    """A check that the user asked for did not hold."""

    exit_code = 1


class InputError(ClashsimError, ValueError):
    """Something the user gave is wrong; the message names it, what was expected and the nearest choice."""

    exit_code = 2


class OutputError(ClashsimError, OSError):
    """Reading or writing failed although the input was right."""

    exit_code = 3


def reason_of(error: Exception) -> str:
    """Return what the system says of an error, in lower case."""
    return (getattr(error, "strerror", None) or str(error)).lower()


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return " Did you mean X?" for the choice most like `word`, or "" when none is close."""
    by_lower = {choice.lower(): choice for choice in choices}
    found = get_close_matches(str(word).lower(), by_lower, n=1, cutoff=0.5)
    return f" Did you mean {by_lower[found[0]]}?" if found else ""


def printable(text: str) -> str:
    """Return a text with escapes for line ends, control characters and the like: what a file says stays one line."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
