"""The same games twice: as they are, and changed."""

from dataclasses import dataclass

import numpy as np

from clashsim.clash.core.state import SIDES
from clashsim.clash.duels import Duel, results_of
from clashsim.clash.policies import Policy
from clashsim.clash.solos import BLOCKS, Solo
from clashsim.running import Tally

RESULTS = 3  # won, drew, lost


@dataclass(frozen=True)
class Twin:
    """A condition as it is, and what becomes of it: both of one random-number group, so that the shuffles are the same.

    Attributes
    ----------
    base, changed : Duel or Solo
        Both of one kind.
    variant : str
        The change in words.
    sides : tuple of int
        The sides of a duel that the change is about: those whose cards change, or both if a rule does.
    """

    base: Duel | Solo
    changed: Duel | Solo
    variant: str
    sides: tuple[int, ...] = (0,)

    @property
    def policies(self) -> tuple[Policy, ...]:
        """Who plays, the same in both."""
        return self.base.policies

    @property
    def is_solo(self) -> bool:
        """Whether these are solo games."""
        return isinstance(self.base, Solo)

    @property
    def is_same(self) -> bool:
        """Whether nothing is changed after all."""
        return self.base == self.changed

    def ends(self, first_game: int, n_games: int) -> tuple[np.ndarray, np.ndarray]:
        """Play games and return how each ended, as it is and changed: arrays of OUTCOME or SOLO_OUTCOME."""
        base, _ = self.base.outcomes(first_game, n_games)
        changed, _ = self.changed.outcomes(first_game, n_games)
        return base, changed

    def tally(self, first_game: int, n_games: int) -> Tally:
        """Play games and count them.

        Returns
        -------
        dict of integer arrays
            On an axis `stratum`: the games of a duel that side 0, and that side 1 started; or the BLOCKS of solo games.

            - joint (stratum, 3, 3): games by how they ended for side 0, and how they ended changed: won, drew, lost
            - otherwise (1,): games that went another way: another winner, length, or fall of a Bastion
            - turns (4,): sums of turns, of those of the changed games, of the differences and of their squares
        """
        ends = self.ends(first_game, n_games)
        strata = BLOCKS if self.is_solo else SIDES
        stratum = np.arange(first_game, first_game + n_games) % strata
        base, changed = (results_of(end["winner"]) for end in ends)
        cells = (stratum * RESULTS + base) * RESULTS + changed
        joint = np.bincount(cells, minlength=strata * RESULTS**2).reshape(strata, RESULTS, RESULTS)
        turns, turns_changed = (end["turns"].astype(np.int64) for end in ends)
        longer = turns_changed - turns
        return {
            "joint": joint.astype(np.int64),
            "otherwise": np.array([_differ(*ends).sum()], np.int64),
            "turns": np.array([turns.sum(), turns_changed.sum(), longer.sum(), (longer**2).sum()], np.int64),
        }


def by_starter(joint: np.ndarray) -> np.ndarray:
    """Add up joint counts by block, (..., BLOCKS, 3, 3), to those by who starts a duel: even blocks are side 0's."""
    lead, tail = joint.shape[:-3], joint.shape[-2:]
    return joint.reshape(*lead, BLOCKS // SIDES, SIDES, *tail).sum(axis=-4)


def _differ(base: np.ndarray, changed: np.ndarray) -> np.ndarray:
    """Tell which games went another way, as far as their ends show it."""
    other = (base["winner"] != changed["winner"]) | (base["turns"] != changed["turns"])
    return other | (base["bastion_fell"] != changed["bastion_fell"]).any(axis=1)
