"""The cells of a sweep over the settings of solo games, with their counts by block of game numbers.

A *cell* is a policy, a deck and a setting (R38); a *scope* is the cells of one policy and one deck, or of one policy
and all decks (`ALL`). Game i of a cell has the same shuffles in all settings, so that cells are correlated: everything
is computed from replicates (`analysis.blocks`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from clashsim.analysis.blocks import leave_one_out
from clashsim.analysis.effects import Coding, firth_logit, independent_columns
from clashsim.analysis.intervals import Floats
from clashsim.clash.solo_settings import PRICES
from clashsim.errors import InputError, nearest

ALL = "ALL"  # instead of a deck's name: all decks of the policy


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


OPTIONS: dict[str, tuple[str, ...]] = {
    option: tuple(_word(value) for value in prices) for option, prices in PRICES.items()
}
"""The levels of each option of a setting (R38), its base first."""

WIN, LEFT, TO_GO = OUTCOMES = ("win", "ai_cards_left", "ai_cards_to_go")
"""Conclusions are read off wins. Cards tell how far games went, and not always who was nearer to winning: an AI with
more mana empties its own deck sooner, and wins more."""

SUMS = {WIN: "wins", LEFT: "ai_cards_left", TO_GO: "ai_cards_to_go"}
COUNTS = ("games", "wins", "draws", "ai_cards_left", "ai_cards_to_go", "turns")

FLOOR, CEILING, INSIDE = "floor", "ceiling", ""
MARGIN = 0.02  # win rates closer than this to 0 or 1 are on the floor or the ceiling
SMOOTHING = 400  # games, won as a fit to all settings expects, that are added before a cell is judged

LEAST_CELLS = 60  # settings inside floor and ceiling that a statement on prices needs, of a scope
LEAST_AT_LEVEL = 10  # and of each of the two levels that are compared


@dataclass(frozen=True)
class Cells:
    """Cells with their counts.

    Attributes
    ----------
    frame : DataFrame
        One row per cell: policy, deck, the options by their levels in words, points (int), and `mark`:
        floor, ceiling or "".
    counts : mapping of str to ndarray of int, shape (1 + blocks, cells)
        Sums over all games, then over those outside each block.
    """

    frame: pd.DataFrame
    counts: Mapping[str, NDArray[np.int64]]

    def where(self, chosen: ArrayLike) -> "Cells":
        """Return some of the cells."""
        chosen = np.asarray(chosen)
        frame = self.frame[chosen].reset_index(drop=True)
        return Cells(frame, {name: sums[:, chosen] for name, sums in self.counts.items()})

    @property
    def inside(self) -> "Cells":
        """The cells that are neither on the floor nor on the ceiling."""
        return self.where((self.frame["mark"] == INSIDE).to_numpy())

    @property
    def games(self) -> NDArray[np.int64]:
        """Games of each cell, replicates."""
        return self.counts["games"]

    def mean(self, outcome: str) -> Floats:
        """Return each cell's mean of an outcome, replicates."""
        return self.counts[SUMS[outcome]] / self.games

    def scopes(self, pooled: bool = True) -> Iterator[tuple[str, str, "Cells"]]:
        """Yield policy, deck and cells of each deck of each policy, then of all its decks if there are several."""
        for policy in dict.fromkeys(self.frame["policy"]):
            of_policy = (self.frame["policy"] == policy).to_numpy()
            decks = list(dict.fromkeys(self.frame.loc[of_policy, "deck"]))
            for deck in decks:
                yield policy, deck, self.where(of_policy & (self.frame["deck"] == deck).to_numpy())
            if pooled and len(decks) > 1:
                yield policy, ALL, self.where(of_policy)

    def coding(self) -> Coding:
        """Return the coding of the options, and of the decks if there are several, by the levels that occur."""
        factors = OPTIONS | {"deck": tuple(dict.fromkeys(self.frame["deck"]))}
        occurring = {name: set(self.frame[name]) for name in factors}
        present = {
            name: [level for level in levels if level in occurring[name]] for name, levels in factors.items()
        }
        return Coding({name: levels for name, levels in present.items() if len(levels) > 1})

    def is_estimable(self, design: Floats) -> bool:
        """Whether these are enough cells, and different enough, to tell the columns of a design apart."""
        return len(design) >= LEAST_CELLS and bool(independent_columns(design).all())


def cells_of(frame: pd.DataFrame, blocks: Mapping[str, ArrayLike]) -> Cells:
    """Return the cells of a sweep, checked, with replicates of their counts.

    Parameters
    ----------
    frame : DataFrame
        One row per cell: policy, deck, variable (1, 2), fixed (6 to 10), first (player, ai), bastion (bool), resistance
        (bool), ability (none, splash, …), points (by the price list that was played with, R38).
    blocks : mapping of str to array_like of int, shape (cells, blocks)
        Sums over the games of each block of game numbers: games, wins, draws, ai_cards_left, ai_cards_to_go, turns. A
        cell without games in two blocks or more is left out, and so is a block without games.
    """
    counts = {name: np.asarray(blocks[name], np.int64) for name in COUNTS}
    for name, sums in counts.items():
        if sums.ndim != 2 or sums.shape != counts["games"].shape or len(sums) != len(frame):
            raise InputError(f"{name} has the shape {sums.shape}; expected {len(frame)} cells by blocks.")
    prepared = pd.DataFrame(
        {
            "policy": frame["policy"].astype(str),
            "deck": frame["deck"].astype(str),
            **{option: _in_words(frame[option], option) for option in OPTIONS},
            "points": frame["points"].astype(int),
        }
    ).reset_index(drop=True)
    played = (counts["games"] > 0).sum(axis=1) >= 2
    if not played.any():
        raise InputError("no cell has games in two blocks or more; play more games.")
    prepared = prepared[played].reset_index(drop=True)
    with_games = counts["games"][played].any(axis=0)
    kept = {name: leave_one_out(sums[played][:, with_games]) for name, sums in counts.items()}
    cells = Cells(prepared.assign(mark=INSIDE), kept)
    return replace(cells, frame=prepared.assign(mark=_marks(cells)))


def _in_words(column: pd.Series, option: str) -> pd.Series:
    """Return an option's levels as `OPTIONS` has them."""
    kind = type(next(iter(PRICES[option])))
    words = column.astype(kind).map(lambda value: _word(kind(value)))
    for word in words.unique():
        if word not in OPTIONS[option]:
            raise InputError(f"{option} is {word}.{nearest(word, OPTIONS[option])}")
    return words


def _marks(cells: Cells) -> NDArray[np.str_]:
    """Tell which cells are on the floor or on the ceiling.

    Where games are few, chance alone puts cells there, and leaving out those that had bad luck would make the others
    look better than they are: in simulated sweeps with 40 games per cell, a third of them on the floor, options
    seemed a quarter smaller than they were. So each cell is judged by its win rate after `SMOOTHING` games more, won
    as a fit of main effects to all settings of the policy and the deck expects.
    """
    rates = np.empty(len(cells.frame))
    for policy, deck, scope in cells.scopes(pooled=False):
        design = scope.coding().matrix(scope.frame)
        design = design[:, independent_columns(design)]
        wins, games = scope.counts["wins"][0], scope.games[0]
        expected = expit(design @ firth_logit(design, wins, games))
        here = ((cells.frame["policy"] == policy) & (cells.frame["deck"] == deck)).to_numpy()
        rates[here] = (wins + SMOOTHING * expected) / (games + SMOOTHING)
    return np.select([rates < MARGIN, rates > 1 - MARGIN], [FLOOR, CEILING], INSIDE)
