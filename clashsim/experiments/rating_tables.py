"""How strong each deck is among the others: Elo ratings, dominance and the equilibrium mix, made from the tallies of a
run of matchups.

A player is a deck with its policy. Between equal policies all of them are one pool, in which mirrors do not count;
between two policies, those of side A meet those of side B.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from clashsim.analysis.dominance import Booleans, dominates
from clashsim.analysis.equilibrium import Mix, estimate_equilibrium
from clashsim.analysis.intervals import bonferroni
from clashsim.analysis.precision import CONFIDENCE, Target
from clashsim.analysis.ratings import Fit, elo_ratings, score_matrix
from clashsim.clash.duels import Duel
from clashsim.experiments.matchup_tables import (
    DIGITS,
    FIXED,
    Row,
    is_mirror,
    pool_table,
    rounded,
)
from clashsim.running import Tally

BOTH = "both"  # sides, where they choose among the same decks

RATING_COLUMNS = (
    *(
        "deck",
        "policy",
        "vs_policy",
        "opponents",
        "games",
        "score",
        "score_low",
        "score_high",
        "elo",
        "elo_low",
        "elo_high",
    ),
    *("beats", "loses_to", "dominant", "dominated_by", "fit_chi2", "fit_df", "fit_p", "fit_miss"),
)
EQUILIBRIUM_COLUMNS = (
    *("deck", "policy", "vs_policy", "side", "weight", "weight_low", "weight_high", "support"),
    *("value", "value_low", "value_high"),
)

Player = tuple[str, str]


class _Pool(NamedTuple):
    """Who met whom: players by number, those of side A and of side B, and pairs and results as in analysis.ratings."""

    players: list[Player]
    sides: tuple[list[int], list[int]]
    pairs: np.ndarray
    results: np.ndarray

    @property
    def mirrored(self) -> bool:
        return self.sides[0] == self.sides[1]


def ratings_table(duels: Sequence[Duel], tallies: Sequence[Tally], target: Target = FIXED) -> pd.DataFrame:
    """Return each deck's rating among its opponents, the highest first; empty for a single deck.

    Limits of scores, wins and dominance hold where `target` stops the games; limits of ratings are those of as many
    games fixed in advance.
    """
    pool = _pool(duels, tallies)
    if not len(pool.pairs):
        return pd.DataFrame(columns=RATING_COLUMNS)
    ratings = elo_ratings(
        pool.pairs, pool.results, [f"deck {deck} ({policy})" for deck, policy in pool.players]
    )
    beats = _sure_wins(pool, target)
    better = _dominance(pool, target)
    rows = []
    for scored in pool_table(duels, tallies, target).to_dict("records"):
        player = pool.players.index((scored["deck"], scored["policy"]))
        elo = _limits("elo", ratings.elo[player], ratings.low[player], ratings.high[player])
        standing = {
            "beats": _named(pool, beats[player]),
            "loses_to": _named(pool, beats[:, player]),
            "dominant": _is_dominant(pool, player, beats, better),
            "dominated_by": _named(pool, better[:, player]),
        }
        rows.append(scored | elo | standing | _fit_columns(ratings.fit))
    rows.sort(key=lambda row: -row["elo"])
    return pd.DataFrame(rows, columns=RATING_COLUMNS)


def equilibrium_table(duels: Sequence[Duel], tallies: Sequence[Tally], seed: int) -> pd.DataFrame:
    """Return the mix of decks that no choice of the opponent can exploit; empty for a single deck.

    The deck of the greatest weight comes first; between two policies, the mix of side A and then that of side B.
    `seed` is that of the resampling.
    """
    pool = _pool(duels, tallies)
    if not len(pool.pairs):
        return pd.DataFrame(columns=EQUILIBRIUM_COLUMNS)
    found = estimate_equilibrium(pool.pairs, pool.results, pool.sides, seed, confidence=CONFIDENCE)
    value = _limits("value", found.value, found.value_low, found.value_high)
    if pool.mirrored:
        rows = _mix_rows(pool, 0, BOTH, found.rows, value)
    else:
        against = _limits("value", 1 - value["value"], 1 - value["value_high"], 1 - value["value_low"])
        rows = _mix_rows(pool, 0, "A", found.rows, value) + _mix_rows(pool, 1, "B", found.columns, against)
    return pd.DataFrame(rows, columns=EQUILIBRIUM_COLUMNS)


def _pool(duels: Sequence[Duel], tallies: Sequence[Tally]) -> _Pool:
    """Number the players as they appear, and collect the results of those that are not mirrors."""
    met = [
        ([(deck.name, policy.name) for deck, policy in zip(duel.decks, duel.policies, strict=True)], tally)
        for duel, tally in zip(duels, tallies, strict=True)
        if not is_mirror(duel)
    ]
    players = list(dict.fromkeys(player for pair, _ in met for player in pair))
    pairs = np.array([[players.index(player) for player in pair] for pair, _ in met], np.int64).reshape(-1, 2)
    results = np.array([tally["results"] for _, tally in met], np.int64)
    one_pool = all(duel.policies[0] == duel.policies[1] for duel in duels)
    everyone = list(range(len(players)))
    sides = (everyone, everyone) if one_pool else (sorted(set(pairs[:, 0])), sorted(set(pairs[:, 1])))
    return _Pool(players, sides, pairs, results)


def _score_matrices(
    pool: _Pool, target: Target, comparisons: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return everyone's score against everyone, with limits that are simultaneous over some comparisons."""
    score = target.interval(pool.results, bonferroni(CONFIDENCE, comparisons))
    players = len(pool.players)
    return (
        score_matrix(pool.pairs, score.value, players),
        score_matrix(pool.pairs, score.low, players, opposite=score.high),
        score_matrix(pool.pairs, score.high, players, opposite=score.low),
    )


def _sure_wins(pool: _Pool, target: Target) -> Booleans:
    """Tell who beats whom, surely for all pairs at once: as the verdicts, read off the limits that the tables hold."""
    _, low, _ = _score_matrices(pool, target, len(pool.pairs))
    return np.round(low, DIGITS) > 0.5


def _dominance(pool: _Pool, target: Target) -> Booleans:
    """Tell who dominates whom among the players of one side, surely for all pairs of them at once."""
    sides = [pool.sides[0]] if pool.mirrored else list(pool.sides)
    matrices = _score_matrices(pool, target, sum(len(side) * (len(side) - 1) // 2 for side in sides))
    better = np.zeros((len(pool.players), len(pool.players)), bool)
    for side, opponents in zip(sides, reversed(pool.sides), strict=False):
        cells = np.ix_(side, opponents)
        better[np.ix_(side, side)] = dominates(*(matrix[cells] for matrix in matrices))
    return better


def _is_dominant(pool: _Pool, player: int, beats: Booleans, better: Booleans) -> bool:
    """Tell whether a player beats all others, or between two policies dominates all others of its side."""
    wins = beats if pool.mirrored else better
    side = pool.sides[0] if player in pool.sides[0] else pool.sides[1]
    return len(side) > 1 and bool(all(wins[player, other] for other in side if other != player))


def _named(pool: _Pool, players: Booleans) -> str:
    """Name the decks of some players."""
    return ", ".join(pool.players[player][0] for player in np.flatnonzero(players))


def _mix_rows(pool: _Pool, side: int, name: str, mix: Mix, value: Row) -> list[Row]:
    rows = []
    opponent = pool.players[pool.sides[1 - side][0]][1]
    for place, player in enumerate(pool.sides[side]):
        deck, policy = pool.players[player]
        weight = _limits("weight", mix.weight[place], mix.low[place], mix.high[place])
        support = {"support": rounded(mix.support[place])}
        names = {"deck": deck, "policy": policy, "vs_policy": opponent, "side": name}
        rows.append(names | weight | support | value)
    return sorted(rows, key=lambda row: (-row["weight"], -row["support"]))


def _fit_columns(fit: Fit) -> Row:
    p = rounded(fit.p) if fit.df > 0 else np.nan
    return {"fit_chi2": rounded(fit.chi2), "fit_df": fit.df, "fit_p": p, "fit_miss": rounded(fit.miss)}


def _limits(name: str, value: float, low: float, high: float) -> Row:
    return {name: rounded(value), f"{name}_low": rounded(low), f"{name}_high": rounded(high)}
