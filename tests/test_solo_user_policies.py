"""Users' policies in solo games: the same view and the same functions as in duels, and what one knows of the AI."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from coregames import duel_of
from corekit import KIT, creature
from naive.referee import check_trace

from clashsim.clash.cards import CardSet, Deck
from clashsim.clash.core.duel import TOTALS
from clashsim.clash.core.events import CAST as CAST_EVENT
from clashsim.clash.core.events import LOG_ROOM, SOLO_LOG, START_TURN, SUMMON, new_log
from clashsim.clash.core.solo import SOLO_OUTCOME, play_solo_games
from clashsim.clash.core.state import SOLO_STATE, one_record
from clashsim.clash.drafting import DRAFTERS
from clashsim.clash.faults import PolicyFault
from clashsim.clash.player import MINUS_ONE, NO_RESISTANCE, PROTECTION, SOLO_VIEW, TO_ONE, VIEW
from clashsim.clash.policies import POLICIES
from clashsim.clash.policies.scratch import SOLO_SEARCH, new_search
from clashsim.clash.policies.users import loading
from clashsim.clash.policies.users.seeing import fill_view
from clashsim.clash.policy_files import load_policy
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import SoloSettings
from clashsim.clash.solos import Solo
from clashsim.clash.templates import POLICY
from clashsim.clash.trace import Tracer
from clashsim.clash.trace_checks import check_trace as check_record
from clashsim.errors import InputError

IMPORTS = "from numba import njit\nfrom clashsim.clash.player import *\n"
ANY_ACTION = "def choose(view):\n    return view.actions[int(view.random * view.n_actions)]\n"


@pytest.fixture
def write(tmp_path):
    """Write a policy's file; return how it is named."""

    def write(text, name="mine.py"):
        (tmp_path / name).write_text(IMPORTS + text, encoding="utf-8")
        return f"{tmp_path / name}:choose"

    return write


def solo_of(policy, deck="1", settings=None, **rules):
    chosen = DRAFTERS[deck] if deck in DRAFTERS else KIT.decks[deck]
    return Solo(KIT, chosen, policy, settings or SoloSettings(), Rules(**rules))


# ---- the view


def events_of(solo, game):
    """The events of a game, and its trace."""
    state, log = one_record(SOLO_STATE), new_log(SOLO_LOG)
    log["closes_at"] = LOG_ROOM
    with np.errstate(over="ignore"):
        records = solo.match, np.zeros(1, TOTALS), log, new_search(SOLO_SEARCH)
        play_solo_games(state, *records, game, np.zeros(1, SOLO_OUTCOME))
    return log[0].events[1 : int(state["events"][0])], Tracer(solo).game(game)


def view_of(state, solo, in_assault=0):
    view = np.zeros(1, SOLO_VIEW)[0]
    with np.errstate(over="ignore"):
        fill_view(state, solo.match[0], in_assault, view)
    return view


def decisions(solo, game):
    """What the player sees after each step of its own turns, and the state in the trace."""
    events, trace = events_of(solo, game)
    for event, step in zip(events, trace["steps"], strict=True):
        asked = event.kind in (START_TURN, SUMMON, CAST_EVENT) and event.state.active == 0
        if asked and event.state.winner == -1:
            yield view_of(event.state, solo), step["state"], event


SETTINGS = SoloSettings(variable=2, fixed=9, ability="protection")


@pytest.mark.parametrize("deck", ["2", "dearest"])
def test_it_is_the_board_of_the_trace(deck):
    solo = solo_of(POLICIES["random"], deck, SETTINGS)
    seen = [check_view(view, state) for game in range(3) for view, state, _ in decisions(solo, game)]
    assert len(seen) > 10


def check_view(view, state):
    """Compare everything in a view that has a name with the trace's state; decks are in the order of the kit."""
    player, ai = state["sides"]
    order = [card.name for card in KIT.cards]
    hand = [name for name in player["hand"] if name not in ("BASTION", "FORT")]
    mine = hand + [name for lane in player["lanes"] for name, _ in lane]
    names = ["", *sorted(mine, key=order.index), *(name for name in order if name not in mine)]
    assert [names[card.card] for card in view.hand[: view.mine.hand_size]] == hand
    assert (view.theirs.hand_size, view.theirs.n_unseen, view.theirs.fortress) == (0, 0, 0)
    assert view.theirs.life == view.theirs.deck_size == len(ai["deck"])
    assert view.theirs.bastion == (ai["fortress"] == "BASTION")
    in_deck = [names[card.card] for card in view.theirs.deck[: view.theirs.deck_size]]
    assert in_deck == sorted(ai["deck"], key=order.index)
    discarded = [names[card.card] for card in view.theirs.discard[: view.theirs.discard_size]]
    assert discarded == ai["discard"]
    for side, there in ((view.mine, player), (view.theirs, ai)):
        for lane, creatures in zip(side.lanes, there["lanes"], strict=True):
            assert [[names[one.card], one.damage] for one in lane.creatures[: lane.length]] == creatures


def test_a_deck_of_ones_own_is_numbered_in_its_order():
    cards = KIT.decks["1"].cards[::-1]
    solo = Solo(KIT, Deck("turned", cards), POLICIES["random"])
    view, state, _ = next(decisions(solo, game=0))
    hand = [cards[card.card - 1].name for card in view.hand[:8]]
    assert hand == state["sides"][0]["hand"][1:]


def test_the_settings_are_known():
    readings = ((False, "minus_one", NO_RESISTANCE), (True, "minus_one", MINUS_ONE), (True, "to_one", TO_ONE))
    for resistance, reading, expected in readings:
        settings = SoloSettings(variable=2, fixed=9, resistance=resistance)
        solo = solo_of(POLICIES["random"], settings=settings, resistance_reading=reading)
        view, _, _ = next(decisions(solo, game=0))
        assert (view.solo, view.fixed_mana, view.variable_mana, view.resistance) == (True, 9, 2, expected)


def test_an_ability_that_the_ai_has_is_seen_on_its_creatures():
    views = [view for view, _, _ in decisions(solo_of(POLICIES["random"], settings=SETTINGS), game=1)]
    lanes = [lane for view in views for lane in view.theirs.lanes]
    creatures = [one for lane in lanes for one in lane.creatures[: lane.length]]
    assert creatures
    assert all(one.abilities & PROTECTION for one in creatures)
    in_deck = [card for view in views for card in view.theirs.deck[: view.theirs.deck_size]]
    assert all(card.is_incantation or card.abilities & PROTECTION for card in in_deck)


def test_the_last_turn_is_known_once_it_is_fixed():
    """Harmless creatures of cost 1: the AI soon has revealed them all, and has one more turn (R36)."""
    cards = tuple(creature(f"C{number}", cost=1, health=9) for number in range(39))
    settings = SoloSettings(fixed=10, bastion=False)
    solo = Solo(CardSet("cheap", cards), Deck("own", cards[:8]), POLICIES["greedy"], settings)
    known = {
        (len(state["sides"][1]["deck"]), int(view.last_turn - view.turn))
        for view, state, _ in decisions(solo, 0)
    }
    assert (0, 1) in known
    assert all(ahead < 0 for cards_left, ahead in known if cards_left)


def test_the_order_of_the_deck_is_hidden():
    solo = solo_of(POLICIES["random"])
    events, _ = events_of(solo, 0)
    state, views = events[0].state, []
    for turns in range(5):
        ai = state.sides[1]
        ai.deck[: ai.deck_size] = np.roll(ai.deck[: ai.deck_size], turns)
        views.append(view_of(state, solo).tobytes())
    assert len(set(views)) == 1


# ---- games


@pytest.mark.jit
@pytest.mark.parametrize("deck", ["3", "random"])
def test_a_policy_written_for_duels_plays_by_the_rules(deck):
    solo = solo_of(load_policy(f"{POLICY}:choose"), deck)
    for game in range(8):
        trace = Tracer(solo).game(game)
        check_trace(trace)
        assert trace["policies"] == ["policy.py:choose", None]


@pytest.mark.jit
def test_any_legal_action_can_be_played(write):
    """Wins and losses of a policy that does anything; the referee finds no fault."""
    solo = solo_of(load_policy(write(ANY_ACTION)), settings=SoloSettings(ability="rage", variable=2))
    for game in range(15):
        check_trace(Tracer(solo).game(game))


@pytest.mark.jit
def test_a_policy_reads_what_one_knows_of_the_ai_and_still_plays_duels(write):
    """It plays nothing while the AI's discard pile is empty: in a duel there is none."""
    policy = load_policy(
        write(
            """
def choose(view):
    if view.theirs.discard_size == 0 or view.theirs.discard[0].card == 0:
        return STOP
    return view.actions[1]
"""
        )
    )
    played = []
    for game in range(5):
        trace = Tracer(solo_of(policy)).game(game)
        played += [
            before["sides"][1]["discard"]
            for do, before in steps_of(trace, side=0)
            if do in ("summon", "cast")
        ]
    assert played
    assert all(played)
    duel = replace(duel_of("1", "2"), policies=(policy, POLICIES["greedy"]))
    assert {do for do, _ in steps_of(Tracer(duel).game(0), side=0)} == {"start_turn", "end_turn"}


def steps_of(trace, side):
    """What is done in the turns of a side, each with the state before it."""
    before, active = trace["setup"], None
    for step in trace["steps"]:
        active = step["side"] if step["do"] == "start_turn" else active
        if active == side:
            yield step["do"], before
        before = step["state"]


@pytest.mark.jit
def test_what_is_illegal_stops_the_game(write):
    policy = load_policy(
        write(
            """
def choose(view):
    if view.turn == 5:
        return cast(0, THEIRS, 1, 20)
    return view.actions[1]
"""
        )
    )
    with pytest.raises(PolicyFault, match=r"illegal action in solo game \d of deck 1 \(seed 1\), turn 5"):
        solo_of(policy).tally(0, 3)
    with pytest.raises(PolicyFault) as caught:
        Tracer(solo_of(policy)).game(0)
    trace = caught.value.trace
    assert trace["result"] == {"winner": None, "reason": "stopped", "turns": 5}
    check_record(trace, "trace")


@pytest.mark.jit
def test_an_error_stops_the_game(write):
    policy = load_policy(write("def choose(view):\n    return view.actions[view.n_actions + 300]\n"))
    with pytest.raises(PolicyFault, match=r"it raises an error in solo game 0 .*: line 4: IndexError"):
        solo_of(policy).tally(0, 1)


@pytest.mark.jit
def test_a_policy_that_fits_no_solo_view_is_refused_before_a_game(write, monkeypatch):
    """Its fields are the same in both; what can go wrong is shown by a view that lacks one."""
    policy = load_policy(write("def choose(view):\n    return view.actions[0] + view.solo * 0\n"))
    names = [name for name in VIEW.names if name != "solo"]
    lacking = np.dtype((np.record, np.dtype([(name, VIEW.fields[name][0]) for name in names], align=True)))
    monkeypatch.setattr(loading, "SOLO_VIEW", lacking)
    with pytest.raises(InputError, match=r"mine.py:choose: line 4: nothing in the view has a field 'solo'"):
        solo_of(policy)


@pytest.mark.jit
def test_without_the_compiler_the_same_games_are_played(write):
    spec = write(ANY_ACTION)
    code = (
        "import sys; from test_solo_user_policies import solo_of, load_policy\n"
        "print(solo_of(load_policy(sys.argv[1]), 'random').tally(0, 3)['turns'].tolist())"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    slow = subprocess.run(
        [sys.executable, "-c", code, spec], env=environment, capture_output=True, text=True, check=True
    )
    assert json.loads(slow.stdout) == solo_of(load_policy(spec), "random").tally(0, 3)["turns"].tolist()
