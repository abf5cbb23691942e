"""Descriptions of games, such as "winner=b,turns>60": what they say, and which games fit them."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clashsim.errors import InputError, nearest
from clashsim.experiments.game_records import MISSING, WORDS, columns, pack

EQUALITY: dict[str, Callable[..., np.ndarray]] = {"=": np.equal, "!=": np.not_equal}
ORDER: dict[str, Callable[..., np.ndarray]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
OPERATORS = EQUALITY | ORDER

NAMES = ("game", "starter", "winner", "reason", "turns", "bastion_a_turn", "bastion_b_turn")
NONE = "none"  # instead of the turn in which a Bastion fell: it stood
EXAMPLE = "winner=b,turns>60"

_COMPARISON = re.compile(r"\s*([^\s=!<>]*)\s*([=!<>]*)\s*(.*?)\s*", re.DOTALL)


@dataclass(frozen=True)
class Comparison:
    """One part of a description: a name, an operator, and the integer that stands for the value.

    A turn that is missing is `MISSING`: it is unequal to every turn, and neither before nor after any.
    """

    name: str
    operator: str
    value: int

    @classmethod
    def parse(cls, text: str) -> "Comparison":
        """Read a text such as "turns>60"."""
        found = _COMPARISON.fullmatch(text)
        assert found  # every text does; what is wrong with it is to be named
        name, operator, value = found.groups()
        where = f"--where {text.strip()!r}"
        if name not in NAMES:
            raise InputError(
                f"{where}: name is {name!r}; expected one of {', '.join(NAMES)}.{nearest(name, NAMES)}"
            )
        if operator not in OPERATORS:
            given = f"operator is {operator!r}" if operator else "no operator"
            near = nearest(operator, OPERATORS)
            raise InputError(f"{where}: {given}; expected one of {' '.join(OPERATORS)}.{near}")
        if (name in WORDS or value == NONE) and operator not in EQUALITY:
            raise InputError(f"{where}: {value!r} is a word, and words have no order; expected = or !=")
        return cls(
            name, operator, _word(name, value, where) if name in WORDS else _number(name, value, where)
        )

    def holds(self, values: np.ndarray) -> np.ndarray:
        """Tell for each value of the column whether the comparison holds."""
        held = OPERATORS[self.operator](values, self.value)
        return held & (values != MISSING) if self.operator in ORDER else held


@dataclass(frozen=True)
class Where:
    """A description of games: comparisons that must all hold."""

    text: str
    comparisons: tuple[Comparison, ...]

    @classmethod
    def parse(cls, text: str) -> "Where":
        """Read a description.

        Parameters
        ----------
        text : str
            ``name operator value``, several separated by commas; spaces are allowed. Names are those in
            `NAMES`, operators = != < <= > >=. starter, winner and reason have words as values and no order;
            the turn of a Bastion that stood is ``none``.

        Raises
        ------
        InputError
            Naming the comparison and what is wrong with it.
        """
        if not text.strip():
            raise InputError(f"--where is empty; expected comparisons such as {EXAMPLE}")
        parts = text.split(",")
        if not all(part.strip() for part in parts):
            raise InputError(
                f"--where {text.strip()!r}: a comma too many; expected comparisons such as {EXAMPLE}"
            )
        return cls(text.strip(), tuple(Comparison.parse(part) for part in parts))

    def matches(self, outcomes: np.ndarray, first_game: int) -> np.ndarray:
        """Tell which games fit.

        Parameters
        ----------
        outcomes : array of OUTCOME, shape (n_games,)
        first_game : int
            Number of the first game; the others follow it.

        Returns
        -------
        array of bool, shape (n_games,)
        """
        values = columns(first_game, pack(outcomes))
        return np.logical_and.reduce([part.holds(values[part.name]) for part in self.comparisons])


def _word(name: str, value: str, where: str) -> int:
    if value not in WORDS[name]:
        raise InputError(
            f"{where}: {name} is {value!r}; expected one of {', '.join(WORDS[name])}.{nearest(value, WORDS[name])}"
        )
    return WORDS[name].index(value)


def _number(name: str, value: str, where: str) -> int:
    may_be_missing = name.startswith("bastion")
    if may_be_missing and value == NONE:
        return MISSING
    if not re.fullmatch(r"[0-9]{1,13}", value):
        expected = "a whole number of at most 13 digits" + (f" or {NONE}" if may_be_missing else "")
        raise InputError(f"{where}: {name} is {value!r}; expected {expected}")
    return int(value)
