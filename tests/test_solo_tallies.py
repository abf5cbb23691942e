"""Tallies of solo games: whatever the chunks they add up to the same, and they count what the traces show."""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from coregames import SETTINGS, random_solo
from corekit import KIT
from hypothesis import given, settings
from hypothesis import strategies as st
from solokit import AI, PLAYER, Deal
from test_core_tallies import assert_equal, merged

from clashsim.clash.core.duel import TOTALS
from clashsim.clash.core.events import SOLO_LOG, new_log
from clashsim.clash.core.solo import SOLO_OUTCOME, play_solo_games
from clashsim.clash.core.state import MOST_AI_CARDS, SHORT_LANE, SOLO_STATE, one_record
from clashsim.clash.drafting import DRAFTERS
from clashsim.clash.policies import POLICIES
from clashsim.clash.policies.scratch import SOLO_SEARCH, new_search
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import SoloSettings
from clashsim.clash.solos import BLOCKS, Solo
from clashsim.clash.trace import Tracer

SEEDS = st.integers(0, 400)
FEW = settings(max_examples=15)
DECKS = [*KIT.decks.values(), *DRAFTERS.values()]


def solo_of(deck, policy="greedy", **options):
    return Solo(KIT, deck, POLICIES[policy], **options)


# ---- chunks


@FEW
@given(SEEDS, st.lists(st.integers(0, 6), min_size=1, max_size=5), st.integers(0, 50))
def test_chunks_add_up_to_the_whole(seed, sizes, first):
    solo = random_solo(seed)
    starts = [first + sum(sizes[:index]) for index in range(len(sizes))]
    parts = [solo.tally(start, size) for start, size in zip(starts, sizes, strict=True)]
    assert_equal(merged(parts), solo.tally(first, sum(sizes)))


@pytest.mark.jit
@pytest.mark.parametrize("policy", ["tactician", "planner"])
def test_chunks_of_policies_that_search_add_up_to_the_whole(policy):
    """Nothing of one game is left in the next."""
    solo = solo_of(KIT.decks["1"], policy, settings=SoloSettings(bastion=False))
    parts = [solo.tally(start, size) for start, size in ((0, 1), (1, 3), (4, 2))]
    assert_equal(merged(parts), solo.tally(0, 6))


@FEW
@given(SEEDS, st.integers(0, 6), st.integers(0, 90))
def test_a_tally_is_whole_numbers_that_add_up(seed, games, first):
    solo = random_solo(seed)
    tally = solo.tally(first, games)
    shapes = {
        "results": (BLOCKS, 3),
        **{f"{name}_by_block": (BLOCKS,) for name in ("turns", "left", "to_go")},
        "turns": (solo.rules.turn_limit + 1,),
        "left": (MOST_AI_CARDS + 1,),
        "to_go": (2 * MOST_AI_CARDS + 1,),
        "bastions_fell": (2,),
        "plays": (len(solo.cards.cards),),
    }
    assert {name: values.shape for name, values in tally.items()} == shapes
    assert all(values.dtype == np.int64 and (values >= 0).all() for values in tally.values())
    assert tally["results"].sum() == games
    for name in ("turns", "left", "to_go"):
        assert tally[name].sum() == games
        assert (tally[name] * np.arange(tally[name].size)).sum() == tally[f"{name}_by_block"].sum()


def test_no_games_make_an_empty_tally():
    tally = solo_of(KIT.decks["1"]).tally(3, 0)
    assert Counter(int(values.sum()) for values in tally.values()) == {0: len(tally)}


@pytest.mark.parametrize("first", [0, 38, 80])
def test_game_i_is_counted_in_block_i_modulo_40(first):
    solo = solo_of(KIT.decks["3"], "random")
    for game in range(first, first + 4):
        tally = solo.tally(game, 1)
        assert np.flatnonzero(tally["results"].sum(axis=1)).tolist() == [game % BLOCKS]
        assert np.flatnonzero(tally["turns_by_block"]).tolist() == [game % BLOCKS]


# ---- what is counted


def counted(solo, numbers):
    """The tally of some games, counted from their traces."""
    tally = {name: np.zeros_like(values) for name, values in solo.tally(0, 0).items()}
    for game in numbers:
        count_game(solo, Tracer(solo).game(game), tally)
    return tally


def count_game(solo, trace, tally):
    block, result = trace["game"] % BLOCKS, trace["result"]
    tally["results"][block, {PLAYER: 0, None: 1, AI: 2}[result["winner"]]] += 1
    ai = trace["steps"][-1]["state"]["sides"][AI]
    left = len(ai["deck"])
    to_go = left + (len(trace["setup"]["sides"][AI]["deck"]) if ai["fortress"] == "BASTION" else 0)
    for name, value in (("turns", result["turns"]), ("left", left), ("to_go", to_go)):
        tally[name][value] += 1
        tally[f"{name}_by_block"][block] += value
    states = [step["state"]["sides"] for step in trace["steps"]]
    tally["bastions_fell"][PLAYER] += any("FORT" in sides[PLAYER]["hand"] for sides in states)
    had_one = trace["setup"]["sides"][AI]["fortress"] == "BASTION"
    tally["bastions_fell"][AI] += had_one and ai["fortress"] == "FORT"
    slots = {card.name: slot for slot, card in enumerate(solo.cards.cards)}
    side = None
    for step in trace["steps"]:
        side = step.get("side", side)
        if step["do"] in ("summon", "cast") and side == PLAYER:
            tally["plays"][slots[step["card"]]] += 1


@FEW
@given(SEEDS)
def test_a_tally_counts_what_the_traces_show(seed):
    solo = random_solo(seed)
    assert_equal(solo.tally(37, 6), counted(solo, range(37, 43)))


# ---- short lanes


def played_with_long_lanes(solo, games):
    """Outcomes and totals of the first games, none of which is tried with the lanes of a duel before."""
    outcomes, totals = np.zeros(games, SOLO_OUTCOME), one_record(TOTALS)
    records = (one_record(SOLO_STATE), solo.match, totals, new_log(SOLO_LOG), new_search(SOLO_SEARCH))
    with np.errstate(over="ignore"):
        play_solo_games(*records, 0, outcomes)
    return outcomes, totals


def grows_long(solo, game):
    """Whether a lane of the AI gets more creatures than a player can have in one."""
    states = [step["state"]["sides"][AI] for step in Tracer(solo).game(game)["steps"]]
    return any(len(lane) > SHORT_LANE for ai in states for lane in ai["lanes"])


@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 220), marks=pytest.mark.jit)], ids=len)
def test_games_come_out_the_same_whether_tried_with_short_lanes_or_not(seeds):
    """Plays and mana too: of a game that is broken off and played again nothing is counted twice."""
    broken_off, games = 0, 3
    for seed in seeds:
        solo = random_solo(seed)
        for one, other in zip(solo.outcomes(0, games), played_with_long_lanes(solo, games), strict=True):
            np.testing.assert_array_equal(one, other)
        broken_off += sum(grows_long(solo, game) for game in range(games))
    assert 0 < broken_off < games * len(seeds) / 2


# ---- common random numbers


@settings(max_examples=60)
@given(
    st.sampled_from(DECKS),
    st.integers(0, 1000),
    st.sampled_from(SETTINGS),
    st.sampled_from(list(POLICIES)),
    st.sampled_from([Rules(), Rules(turn_limit=10, resistance_reading="to_one", first_mana=9, window=3)]),
)
def test_game_i_begins_alike_under_all_settings_policies_and_rules(deck, game, setting, policy, rules):
    """But for the AI's Bastion."""
    base = Deal(solo_of(deck), game)
    other = Deal(solo_of(deck, policy, settings=setting, rules=rules), game)
    assert other.fortress == ("BASTION" if setting.bastion else "FORT")
    other.ai.bastion = 1
    assert other.position() == base.position()


def test_a_setting_that_changes_nothing_changes_no_game():
    """Resistance that no attack of the player's meets: his cards are too dear to be played."""
    dear = replace(KIT, name="dear", cards=tuple(replace(card, cost=15) for card in KIT.cards))
    deck = dear.decks["1"]
    base, other = (
        Solo(dear, deck, POLICIES["greedy"], SoloSettings(resistance=resistance))
        for resistance in (False, True)
    )
    assert_equal(base.tally(0, 8), other.tally(0, 8))


def test_seeds_decks_and_games_are_dealt_anew():
    """Other shuffles, not only other cards: what is compared is the places that the cards had in their deck."""
    hands, decks = [], []
    for deck in (KIT.decks["1"], KIT.decks["2"]):
        names = [card.name for card in deck.cards]
        for seed, game in ((1, 0), (1, 1), (2, 0), (2, 1)):
            deal = Deal(solo_of(deck, seed=seed), game)
            hands.append(tuple(names.index(name) for name in deal.cards(PLAYER)))
            others = sorted(deal.deck)
            decks.append(tuple(others.index(name) for name in deal.deck))
    assert len(set(hands)) == len(set(decks)) == len(hands)


def test_a_group_may_be_named():
    deals = [Deal(solo_of(KIT.decks["1"], group=group), 3).position() for group in ("g", "g", "h", "")]
    assert deals[0] == deals[1]
    assert deals[0] != deals[2] != deals[3] != deals[0]


# ---- without the compiler


def tallies_of_some() -> dict[str, dict[str, list]]:
    """Tallies of a few games: of plain policies under all sorts of rules, and the first turn of two that search."""
    games = [(random_solo(seed), 2) for seed in range(6)]
    games += [(solo_of(deck, settings=SoloSettings(ability="berserk")), 2) for deck in DRAFTERS.values()]
    games += [
        (solo_of(KIT.decks["1"], policy, rules=Rules(turn_limit=1)), 1) for policy in ("tactician", "planner")
    ]
    return {
        str(number): {name: values.tolist() for name, values in solo.tally(0, count).items()}
        for number, (solo, count) in enumerate(games)
    }


@pytest.mark.jit
def test_without_the_compiler_the_same_games_are_played():
    code = "import json, test_solo_tallies as here; print(json.dumps(here.tallies_of_some()))"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code]
    slow = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(slow.stdout) == tallies_of_some()
