"""Games one by one: what is kept of each while a run goes on, and the columns of the table of them all."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from clashsim.clash.core.state import NO_WINNER, SIDES
from clashsim.clash.duels import Duel

RECORD = np.dtype([("winner", np.int8), ("turns", np.uint16), ("bastion_fell", np.uint16, SIDES)])
"""What is kept of a game, in seven bytes; its number follows from its place, all else from the condition."""

WORDS: dict[str, tuple[str, ...]] = {
    "starter": ("a", "b"),
    "winner": ("a", "b", "draw"),
    "reason": ("fort", "turn_limit"),
}
"""Columns that hold a word, and their words."""

MISSING = -1  # for the turn in which a Bastion fell that stood

_DRAW = WORDS["winner"].index("draw")
_NAME = pa.dictionary(pa.int32(), pa.string())

SCHEMA = pa.schema(
    [
        pa.field("game", pa.int64(), nullable=False),
        *(pa.field(name, _NAME, nullable=False) for name in ("deck_a", "deck_b", "policy_a", "policy_b")),
        *(pa.field(name, _NAME, nullable=False) for name in WORDS),
        pa.field("turns", pa.int16(), nullable=False),
        pa.field("bastion_a_turn", pa.int16()),  # missing if the Bastion stood
        pa.field("bastion_b_turn", pa.int16()),
    ]
)
"""Columns of the table of games, the same for all conditions."""


def pack(outcomes: np.ndarray) -> np.ndarray:
    """Return what is kept of games.

    Parameters
    ----------
    outcomes : array of OUTCOME, shape (n_games,)
        As `Duel.outcomes` returns them.

    Returns
    -------
    array of RECORD, shape (n_games,)
    """
    records = np.empty(len(outcomes), RECORD)
    for name in RECORD.names or ():
        records[name] = outcomes[name]
    return records


def columns(first_game: int, records: np.ndarray) -> dict[str, np.ndarray]:
    """Return the columns that differ from game to game, as integers.

    Parameters
    ----------
    first_game : int
        Number of the first game; the others follow it.
    records : array of RECORD, shape (n_games,)

    Returns
    -------
    dict of integer arrays, shape (n_games,)
        A word is its place in `WORDS`; the turn in which a Bastion fell is `MISSING` if it stood.
    """
    winner = records["winner"]
    drawn = winner == NO_WINNER
    game = np.arange(first_game, first_game + len(records), dtype=np.int64)
    fell = np.where(records["bastion_fell"] == 0, MISSING, records["bastion_fell"].astype(np.int16))
    return {
        "game": game,
        "starter": (game & 1).astype(np.int8),
        "winner": np.where(drawn, np.int8(_DRAW), winner),
        "reason": drawn.astype(np.int8),  # a game that nobody won has reached the turn limit (R31)
        "turns": records["turns"].astype(np.int16),
        "bastion_a_turn": fell[:, 0],
        "bastion_b_turn": fell[:, 1],
    }


def to_arrow(duel: Duel, first_game: int, records: np.ndarray) -> pa.RecordBatch:
    """Return games of a condition as rows of the table of games.

    Parameters
    ----------
    duel : Duel
        The condition.
    first_game : int
        Number of the first game; the others follow it.
    records : array of RECORD, shape (n_games,)

    Returns
    -------
    RecordBatch with the columns of `SCHEMA`
    """
    values = columns(first_game, records)
    same = np.zeros(len(records), np.int32)
    arrays = {"game": pa.array(values["game"])}
    for side, deck, policy in zip("ab", duel.decks, duel.policies, strict=True):
        arrays[f"deck_{side}"] = _names(same, [deck.name])
        arrays[f"policy_{side}"] = _names(same, [policy.name])
    arrays |= {name: _names(values[name], words) for name, words in WORDS.items()}
    for name in ("turns", "bastion_a_turn", "bastion_b_turn"):
        arrays[name] = pa.array(values[name], pa.int16(), mask=values[name] == MISSING)
    return pa.RecordBatch.from_arrays([arrays[name] for name in SCHEMA.names], schema=SCHEMA)


def _names(codes: np.ndarray, names: Sequence[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(names, pa.string()))
