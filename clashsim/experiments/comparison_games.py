"""Which rows of two runs rest on exactly the same games, by what their manifests say."""

import json
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd

Manifest = Mapping[str, Any]
Condition = tuple[Any, ...]


def same_games(
    pairs: pd.DataFrame, decks: Sequence[str], policies: Sequence[str], first: Manifest, second: Manifest
) -> pd.Series:
    """Tell for each row of two runs side by side whether both played exactly the same games for it.

    Parameters
    ----------
    pairs : DataFrame
        Rows with the columns `decks`, `games_1` and `games_2`.
    decks : sequence of str
        One column or two. A row that is about a pairing rests on that pairing's games, any other on all of its run.
    policies : sequence of str
        Likewise. Where the rows have them, a row rests on the games of these policies only.
    first, second : mapping
        The manifests.
    """
    if _basis(first) != _basis(second):
        return pd.Series(False, pairs.index)
    same = pd.Series(False, pairs.index)
    for rung, rows in pairs.groupby(rungs_of_rows(pairs, policies)):
        conditions, others = (_conditions(run, rung) for run in (first, second))
        same_rung = conditions == others and first["stopping"] == second["stopping"]
        for row, names in zip(rows.index, rows[list(decks)].itertuples(index=False, name=None), strict=True):
            pairing = frozenset(names)
            mine, theirs = conditions.get(pairing), others.get(pairing)
            is_pairing = len(decks) == 2 and (mine or theirs)
            games, other_games = rows.loc[row, ["games_1", "games_2"]]
            same[row] = games == other_games and (mine == theirs if is_pairing else same_rung)
    return same


def rungs_of_rows(pairs: pd.DataFrame, policies: Sequence[str]) -> pd.Series:
    """Return which policies each row is about, whatever their sides; "" where the decks alone tell the rows apart."""
    if not set(policies) <= set(pairs.columns):
        return pd.Series("", pairs.index)
    named = pairs[list(policies)].itertuples(index=False, name=None)
    return pd.Series([json.dumps(sorted(set(names))) for names in named], pairs.index)


def _basis(manifest: Manifest) -> tuple[Any, ...]:
    """Return what decides the games of all conditions: program, seed, rules, card set."""
    return manifest["core"], manifest["seed"], manifest["rules"], manifest["cards"]["hash"]


def _conditions(manifest: Manifest, rung: Hashable) -> dict[frozenset[str], list[Condition]]:
    """Return the conditions of each pairing: who plays with which cards, the random-number group, the games.

    All of the run, or those of a rung as `rungs_of_rows` names it.
    """
    files = manifest.get("policy_files") or {}
    conditions: dict[frozenset[str], list[Condition]] = {}
    for row in manifest["plan"]:
        names = row["deck_a"], row["deck_b"]
        policies = row["policy_a"], row["policy_b"]
        if rung not in ("", json.dumps(sorted(set(policies)))):
            continue
        players = *policies, *(files.get(policy) for policy in policies), row["group"], row["games"]
        cards = [manifest["decks"].get(name) for name in names]
        conditions.setdefault(frozenset(names), []).append((names, cards, players))
    return conditions
