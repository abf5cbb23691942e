"""What a user's policy sees: the board, all legal actions, and nothing that R43 hides."""

from dataclasses import asdict
from itertools import permutations
from random import Random

import numpy as np
import pytest
from coregames import duel_of
from corekit import Table
from hypothesis import given
from hypothesis import strategies as st
from naive import policies as naive
from naive.positions import position

from clashsim.clash import player
from clashsim.clash.core.duel import OUTCOME, TOTALS, play_games
from clashsim.clash.core.events import CAST as CAST_EVENT
from clashsim.clash.core.events import LOG_ROOM, START_TURN, SUMMON, new_log
from clashsim.clash.core.state import new_state
from clashsim.clash.player import ASSAULT_PHASE, MINE, SOLO_VIEW, SUMMON_PHASE, THEIRS, VIEW
from clashsim.clash.policies.scratch import new_search
from clashsim.clash.policies.users.seeing import fill_view
from clashsim.clash.trace import Tracer

FIELDS = {
    "turn": None,
    "turn_limit": None,
    "phase": None,
    "mana": None,
    "window": None,
    "self_breach": None,
    "random": None,
    "hand": "card",
    "mine": "side",
    "theirs": "side",
    "n_actions": None,
    "actions": None,
    "solo": None,
    "last_turn": None,
    "fixed_mana": None,
    "variable_mana": None,
    "resistance": None,
}
PARTS = {
    "card": ("card", "cost", "attack", "health", "abilities", "auras", "is_incantation", "playable"),
    "side": (
        "bastion",
        "life",
        "fortress",
        "hand_size",
        "hand",
        "n_unseen",
        "unseen",
        "lanes",
        "deck_size",
        "deck",
        "discard_size",
        "discard",
    ),
    "lane": ("length", "creatures"),
    "creature": (
        "card",
        "cost",
        "attack",
        "health",
        "damage",
        "abilities",
        "auras",
        "arrived",
        "activated",
        "struck",
    ),
}


def view_of(state, match, in_assault=0):
    view = np.zeros(1, VIEW)[0]
    with np.errstate(over="ignore"):
        fill_view(state, match, in_assault, view)
    return view


def of(table, **settings):
    return view_of(table.state, table.match, **settings)


@pytest.mark.parametrize("view", [VIEW, SOLO_VIEW], ids=["duel", "solo"])
def test_the_fields_are_a_promise(view):
    """A field that goes, moves or changes its meaning makes another version; a new one goes to the end."""
    assert player.VIEW_VERSION == 1
    base = {name: field[0].base for name, field in view.fields.items()}
    assert list(base) == list(FIELDS)
    assert {name: kind for name, kind in FIELDS.items() if base[name].names} == {
        name: kind for name, kind in FIELDS.items() if kind
    }
    lane = base["mine"]["lanes"].base
    found = {"card": base["hand"], "side": base["mine"], "lane": lane, "creature": lane["creatures"].base}
    assert {name: kind.names for name, kind in found.items()} == PARTS
    assert base["mine"] == base["theirs"]
    piles = {base["mine"][name].base for name in ("hand", "unseen", "deck", "discard")}
    assert piles == {base["hand"]}


# ---- what is shown


def events_of(game):
    """The events of a game of two `wild` players, the condition, and the game's trace."""
    duel = duel_of("1", "2", "wild wild")
    state, log = new_state(), new_log()
    log["closes_at"] = LOG_ROOM
    with np.errstate(over="ignore"):
        outcomes = np.zeros(1, OUTCOME)
        play_games(state, duel.match, np.zeros(1, TOTALS), log, new_search(), game, outcomes)
    return duel, log["events"][0][1 : int(state["events"][0])], Tracer(duel).game(game)


def test_it_is_the_board_of_the_trace():
    duel, events, trace = events_of(game=3)
    assert len(events) == len(trace["steps"]) > 20
    for event, step in zip(events, trace["steps"], strict=True):
        if event["kind"] not in (START_TURN, SUMMON, CAST_EVENT) or event["state"]["winner"] != -1:
            continue
        me = int(event["state"]["active"])
        view = view_of(event["state"].view(np.recarray)[()], duel.match[0])
        names = ["", *(card.name for side in (me, 1 - me) for card in duel.decks[side].cards)]
        for side, seen in ((me, view.mine), (1 - me, view.theirs)):
            there = step["state"]["sides"][side]
            hand = [name for name in there["hand"] if name not in ("BASTION", "FORT")]
            assert there["hand"][seen.fortress] == ("BASTION" if seen.bastion else "FORT")
            assert seen.hand_size == len(hand) == seen.fortress + seen.life
            hidden = seen.n_unseen if side != me else 0
            shown = [names[card.card] for card in seen.hand[: seen.hand_size]]
            assert shown == [""] * hidden + hand[hidden:]
            assert sorted(names[card.card] for card in seen.unseen[: seen.n_unseen]) == sorted(
                hand[: seen.n_unseen]
            )
            for lane, creatures in zip(seen.lanes, there["lanes"], strict=True):
                found = [[names[one.card], one.damage] for one in lane.creatures[: lane.length]]
                assert found == creatures


def test_a_creature_shows_what_it_can_do_now():
    table = Table(("BOLT a", ""), (("SOLDIER:arrived PRIEST KNIGHT:2:struck", ""), ("", "")))
    soldier, priest, knight = of(table).mine.lanes[0].creatures[:3]
    assert soldier.abilities == player.PROTECTION  # by the Aura behind it
    assert priest.abilities == 0
    assert priest.auras == player.PROTECTION
    assert (soldier.arrived, knight.arrived, soldier.struck, knight.struck) == (True, False, False, True)
    assert (knight.attack, knight.health, knight.damage) == (1, 4, 2)


def test_cards_in_hand_tell_whether_they_can_be_played():
    table = Table(("BOLT MICROCTOPUS TROLL a", ""), mana=3)
    cards = of(table).hand[:4]
    assert [bool(card.playable) for card in cards] == [False, True, False, True]  # BOLT: no target
    assert [bool(card.is_incantation) for card in cards] == [True, False, False, False]


def test_every_decision_has_a_number_of_its_own():
    table = Table(("a b c", ""))
    numbers = []
    for decision in range(50):
        table.side(0).decisions = decision
        numbers.append(float(of(table).random))
    assert len(set(numbers)) == 50
    assert 0 <= min(numbers) < 0.2 < 0.8 < max(numbers) < 1


# ---- what is hidden


def test_the_order_of_the_enemys_unseen_cards_is_hidden():
    views = []
    for order in permutations(("TROLL", "BOLT", "a")):
        table = Table(("b c", f"{' '.join(order)} OGRE"))
        enemy = table.side(1)
        numbers = {name: number for number, name in table.names.items() if number > 8}
        ranks = {name: 9 + place for place, name in enumerate(("TROLL", "BOLT", "a", "OGRE"))}
        faces = {name: table.match.cards[number].copy() for name, number in numbers.items() if name in ranks}
        for name, number in ranks.items():
            table.match.cards[number] = faces[name]
        enemy.hand = sum(ranks[name] << 8 * slot for slot, name in enumerate((*order, "OGRE")))
        enemy.unseen = 3
        views.append(of(table))
    assert [card.card for card in views[0].theirs.hand[:4]] == [0, 0, 0, 12]
    assert [card.card for card in views[0].theirs.unseen[:4]] == [9, 10, 11, 0]
    assert len({view.tobytes() for view in views}) == 1


# ---- actions


def in_words(action, view, names):
    kind = player.kind_of(action)
    if kind == player.STOP:
        return None
    card = names[view.hand[player.slot_of(action)].card]
    if kind == player.SUMMON:
        return card, player.lane_of(action)
    return card, player.side_of(action), player.lane_of(action), player.position_of(action)


def legal(duel, in_assault):
    """All actions of side 0 by the rules: the summons, then the casts."""
    summons = [] if in_assault else [tuple(action) for action in naive.summons(duel, breaching=True)]
    casts = [(action.name, action.target.owner, *duel.where(action.target)) for action in naive.casts(duel)]
    return [None, *summons, *casts]


@pytest.mark.parametrize("seed", range(12))
def test_all_legal_actions_are_listed(seed):
    rng = Random(seed)
    words = ["SOLDIER", "WALL", "BOLT", "SPARK", "LANCER", "RUNNER", "KNIGHT"]
    rng.shuffle(words)
    own, in_play = words[:4], [word for word in words[4:] if word not in ("BOLT", "SPARK")]
    own.insert(rng.randint(0, 4), "FORT")
    hands, lanes = (" ".join(own), "a b c"), ((" ".join(in_play), ""), ("PRIEST", "STATUE SWEEPER"))
    mana = rng.randint(0, 4)
    table = Table(hands, lanes, mana=mana)
    faces = {name: asdict(card) for name, card in table.faces.items()}
    duel = position(hands, lanes, mana, cards=faces)
    names = ["", *(table.names[number] for number in range(1, 9))]
    for phase in (SUMMON_PHASE, ASSAULT_PHASE):
        view = of(table, in_assault=phase)
        assert view.phase == phase
        actions = [in_words(int(action), view, names) for action in view.actions[: view.n_actions]]
        assert actions == legal(duel, phase == ASSAULT_PHASE)


@given(st.integers(0, 254), st.integers(0, 254), st.integers(0, 254))
def test_an_action_says_what_it_is(slot, lane, position):
    action = player.cast(slot, THEIRS, lane, position)
    found = player.kind_of, player.slot_of, player.side_of, player.lane_of, player.position_of
    assert [part(action) for part in found] == [player.CAST, slot, THEIRS, lane, position]
    action = player.summon(slot, lane)
    assert [part(action) for part in found] == [player.SUMMON, slot, MINE, lane, 0]


@given(st.one_of(st.integers(-(2**40), -1), st.integers(255, 2**40)))
def test_what_is_out_of_bounds_is_no_other_action(number):
    small = {player.summon(slot, lane) for slot in range(8) for lane in range(2)}
    assert not {player.summon(number, 0), player.summon(0, number)} & small
    assert player.cast(0, number, 0, 0) != player.cast(0, MINE, 0, 0)
    assert player.cast(0, MINE, 0, number) != player.cast(0, MINE, 0, 0)
