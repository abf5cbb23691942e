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
        The manifests. What they do not tell is not taken to be the same.
    """
    nothing = pd.Series(False, pairs.index)
    if _basis(first) is None or _basis(first) != _basis(second):
        return nothing
    conditions, others = _conditions(first), _conditions(second)
    if not conditions or not others:
        return nothing
    same_run = conditions == others and first.get("stopping") == second.get("stopping")
    same = []
    for names, games, other_games in zip(
        pairs[list(decks)].itertuples(index=False, name=None), pairs["games_1"], pairs["games_2"], strict=True
    ):
        pairing = frozenset(names)
        mine, theirs = conditions.get(pairing), others.get(pairing)
        is_pairing = len(decks) == 2 and (mine or theirs)
        same.append(games == other_games and (mine == theirs if is_pairing else same_run))
    return pd.Series(same, pairs.index, dtype=bool)


def _basis(manifest: Manifest) -> tuple[Any, ...] | None:
    """Return what decides the games of all conditions: program, seed, rules, card set."""
    cards = manifest.get("cards")
    program = manifest.get("core") or manifest.get("version")
    basis = (
        program,
        manifest.get("seed"),
        manifest.get("rules"),
        cards.get("hash") if isinstance(cards, Mapping) else None,
    )
    return None if None in basis else basis


def _conditions(manifest: Manifest) -> dict[frozenset[str], list[Condition]]:
    """Return the conditions of each pairing: who plays with which cards, the random-number group, the games."""
    plan, cards = manifest.get("plan"), manifest.get("decks")
    if not isinstance(plan, list) or not isinstance(cards, Mapping):
        return {}
    conditions: dict[frozenset[str], list[Condition]] = {}
    try:
        for row in plan:
            names = row["deck_a"], row["deck_b"]
            players = row["policy_a"], row["policy_b"], row.get("group"), row["games"]
            conditions.setdefault(frozenset(names), []).append(
                (names, [cards[name] for name in names], players)
            )
    except (TypeError, KeyError):
        return {}
    return conditions
