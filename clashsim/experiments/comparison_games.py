"""Which rows of two runs rest on exactly the same games, by what their manifests say."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

Manifest = Mapping[str, Any]
Condition = tuple[Any, ...]


def same_games(pairs: pd.DataFrame, decks: Sequence[str], first: Manifest, second: Manifest) -> pd.Series:
    """Tell for each row of two runs side by side whether both played exactly the same games for it.

    Parameters
    ----------
    pairs : DataFrame
        Rows with the columns `decks`, `games_1` and `games_2`.
    decks : sequence of str
        One column or two. A row that is about a pairing rests on that pairing's games, any other on all of its run.
    first, second : mapping
        The manifests.
    """
    if _basis(first) != _basis(second):
        return pd.Series(False, pairs.index)
    conditions, others = _conditions(first), _conditions(second)
    same_run = conditions == others and first["stopping"] == second["stopping"]
    same = []
    for names, games, other_games in zip(
        pairs[list(decks)].itertuples(index=False, name=None), pairs["games_1"], pairs["games_2"], strict=True
    ):
        pairing = frozenset(names)
        mine, theirs = conditions.get(pairing), others.get(pairing)
        is_pairing = len(decks) == 2 and (mine or theirs)
        same.append(games == other_games and (mine == theirs if is_pairing else same_run))
    return pd.Series(same, pairs.index, dtype=bool)


def _basis(manifest: Manifest) -> tuple[Any, ...]:
    """Return what decides the games of all conditions: program, seed, rules, card set."""
    return manifest["core"], manifest["seed"], manifest["rules"], manifest["cards"]["hash"]


def _conditions(manifest: Manifest) -> dict[frozenset[str], list[Condition]]:
    """Return the conditions of each pairing: who plays with which cards, the random-number group, the games."""
    conditions: dict[frozenset[str], list[Condition]] = {}
    for row in manifest["plan"]:
        names = row["deck_a"], row["deck_b"]
        players = row["policy_a"], row["policy_b"], row["group"], row["games"]
        cards = [manifest["decks"].get(name) for name in names]
        conditions.setdefault(frozenset(names), []).append((names, cards, players))
    return conditions
