"""Games one by one: nothing that is told of a game is lost or changed on the way to the table."""

import numpy as np
import pyarrow as pa
import pytest
from coregames import duel_of, random_duel
from hypothesis import given
from hypothesis import strategies as st

from clashsim.clash.core.duel import OUTCOME
from clashsim.clash.core.state import NO_WINNER
from clashsim.clash.rules import SWITCHES
from clashsim.clash.trace import Tracer
from clashsim.experiments.columns import dictionary
from clashsim.experiments.game_records import RECORD, SCHEMA, WORDS, pack, to_arrow

MOST_TURNS = SWITCHES["turn_limit"].values[-1]
SIDES = ("a", "b")

turns = st.integers(1, MOST_TURNS)
games = st.tuples(
    st.sampled_from([0, 1, NO_WINNER]), turns, st.integers(0, MOST_TURNS), st.integers(0, MOST_TURNS)
)


def outcomes_of(rows):
    outcomes = np.zeros(len(rows), OUTCOME)
    for place, (winner, length, *fell) in enumerate(rows):
        outcomes[place]["winner"], outcomes[place]["turns"] = winner, length
        outcomes[place]["bastion_fell"] = fell
    return outcomes


def rows_of(duel, first_game, n_games):
    return to_arrow(duel, first_game, pack(duel.outcomes(first_game, n_games)[0])).to_pylist()


@given(st.lists(games, max_size=20), st.integers(0, 10**12))
def test_every_outcome_comes_through(rows, first_game):
    table = to_arrow(duel_of("1", "2"), first_game, pack(outcomes_of(rows)))
    assert table.schema.equals(SCHEMA)
    table.validate(full=True)
    for place, (row, (winner, length, fell_a, fell_b)) in enumerate(
        zip(table.to_pylist(), rows, strict=True)
    ):
        assert row == {
            "game": first_game + place,
            "deck_a": "1",
            "deck_b": "2",
            "policy_a": "random",
            "policy_b": "random",
            "starter": SIDES[(first_game + place) % 2],
            "winner": "draw" if winner == NO_WINNER else SIDES[winner],
            "reason": "turn_limit" if winner == NO_WINNER else "fort",
            "turns": length,
            "bastion_a_turn": fell_a or None,
            "bastion_b_turn": fell_b or None,
        }


def test_a_record_is_small():
    assert RECORD.itemsize <= 8
    assert not RECORD.hasobject


@pytest.mark.parametrize("seed", range(4))
def test_rows_tell_what_traces_tell(seed):
    duel = random_duel(seed)
    for row in rows_of(duel, 5, 4):
        trace = Tracer(duel).game(row["game"])
        winner = trace["result"]["winner"]
        assert [row["deck_a"], row["deck_b"]] == trace["decks"]
        assert [row["policy_a"], row["policy_b"]] == trace["policies"]
        assert row["starter"] == SIDES[trace["first"]]
        assert row["winner"] == ("draw" if winner is None else SIDES[winner])
        assert row["reason"] == trace["result"]["reason"]
        assert row["turns"] == trace["result"]["turns"]
        for side, name in enumerate(SIDES):
            assert row[f"bastion_{name}_turn"] == fall_of_the_bastion(trace, side)


def fall_of_the_bastion(trace, side):
    """The turn in which a side's fortress first showed its Fort."""
    turn = None
    for step in trace["steps"]:
        turn = step.get("turn", turn)
        if "FORT" in step["state"]["sides"][side]["hand"]:
            return turn
    return None


def test_conditions_share_one_schema():
    batches = [
        to_arrow(duel, 0, pack(outcomes_of([(0, 9, 0, 4)])))
        for duel in (duel_of("1", "2"), duel_of("3", "4", "greedy wild"))
    ]
    table = pa.Table.from_batches(batches).unify_dictionaries()
    assert table["deck_a"].to_pylist() == ["1", "3"]
    assert table["policy_b"].to_pylist() == ["random", "wild"]
    assert set(WORDS) < set(table.column_names)


def test_every_column_is_explained():
    assert set(SCHEMA.names) <= set(dictionary())
