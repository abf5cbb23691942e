"""Whole games of the naive solo reference: by the rules, replayed, and by rules that are wrong in one point."""

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.generate import numbered_draw, numbered_solo_trace, random_solo_trace
from naive.misreadings import MISREADINGS
from naive.policies import POLICIES
from naive.referee import check_trace, rejects
from naive.rules import SWITCHES
from naive.solo import AI, PLAYER, SETTINGS
from naive.solo_game import replay_solo
from naive.tampering import reshuffled, steps_of

SEEDS = range(400)


@given(st.integers(0, 2**32), st.sampled_from(list(POLICIES)))
@settings(max_examples=60, deadline=None)
def test_accepts_played_games(seed, policy):
    check_trace(random_solo_trace(seed, policy))


def test_the_random_games_show_all_there_is():
    traces = [numbered_solo_trace(seed) for seed in SEEDS]
    for name, values in SETTINGS.items():
        assert {trace["solo"][name] for trace in traces} == set(values)
    for name, values in SWITCHES.items():
        assert {trace["rules"][name] for trace in traces} == set(values)
    assert {trace["result"]["reason"] for trace in traces} == {"fort", "last_turn", "turn_limit"}
    assert {len(trace["setup"]["sides"][AI]["deck"]) for trace in traces} == set(range(1, 33))
    dos = {
        (do, side)
        for trace in traces
        for do in ("cast", "attack", "reshuffle")
        for side in (PLAYER, AI)
        if steps_of(trace, do, side)
    }
    assert len(dos) == 6
    aims = [step["target"] is None for trace in traces for step in steps_of(trace, "cast", AI)]
    assert {True, False} == set(aims)


def test_states_of_the_ai_have_a_deck_and_no_hand():
    trace = numbered_solo_trace(1)
    for state in [trace["setup"], *[step["state"] for step in trace["steps"]]]:
        player, ai = state["sides"]
        assert set(player) == {"hand", "lanes"}
        assert set(ai) == {"deck", "discard", "fortress", "lanes"}
    assert json.loads(json.dumps(trace)) == trace


def test_before_a_reshuffle_the_fort_lies_open_on_an_empty_deck():
    pairs = [
        pair
        for seed in SEEDS
        for pair in pairwise(numbered_solo_trace(seed)["steps"])
        if pair[1]["do"] == "reshuffle"
    ]
    assert {cause["do"] for cause, _ in pairs} == {"attack", "summon", "cast"}
    for cause, reshuffle in pairs:
        before, after = cause["state"]["sides"][AI], reshuffle["state"]["sides"][AI]
        assert (before["fortress"], before["deck"]) == ("FORT", [])
        assert (after["fortress"], after["deck"], after["discard"]) == ("FORT", reshuffle["deck"], [])
        assert sorted(reshuffle["deck"]) == sorted(before["discard"])


@given(st.integers(0, 2**32), st.sampled_from(list(POLICIES)))
@settings(max_examples=30, deadline=None)
def test_a_game_is_replayed_from_its_setup_reshuffle_and_draws(seed, policy):
    trace = random_solo_trace(seed, policy)
    assert replay_solo(trace, numbered_draw(seed)) == {
        key: trace[key] for key in ("setup", "steps", "result")
    }


def test_only_the_player_draws_in_both_sides_turns():
    drawn = set()
    for seed in range(2, 60, 3):  # of wild, who also orders its creatures that fall in the AI's turn
        trace = numbered_solo_trace(seed)
        draw = numbered_draw(seed)

        def noted(side: int, turn: int, decision: int, n: int, draw=draw, first=trace["first"]) -> int:
            drawn.add((side, (turn - 1 + first) % 2))
            return draw(side, turn, decision, n)

        replay_solo(trace, noted)
    assert drawn == {(PLAYER, PLAYER), (PLAYER, AI)}


def test_a_reshuffle_that_a_trace_lacks_shows_in_its_replay():
    seed = next(seed for seed in SEEDS if steps_of(numbered_solo_trace(seed), "reshuffle", PLAYER))
    trace = numbered_solo_trace(seed)
    steps, number = trace["steps"], reshuffled(trace)
    replay = replay_solo({**trace, "steps": steps[:number]}, numbered_draw(seed))["steps"]
    assert replay[:number] == steps[:number]
    assert replay[number]["deck"] == steps[number - 1]["state"]["sides"][AI]["discard"]


# ---- games by wrong rules


@pytest.mark.parametrize("engine", MISREADINGS, ids=lambda engine: engine.__name__)
def test_rejects_games_by_wrong_rules(engine):
    """Only the games in which the wrong rule matters, and each of them."""
    matters = 0
    for seed in SEEDS:
        trace = numbered_solo_trace(seed, engine=engine)
        differs = trace != numbered_solo_trace(seed)
        assert rejects(trace) == differs, f"seed {seed}"
        matters += differs
        if matters == 3:
            break
    assert matters, "no game in which the wrong rule matters"
