"""The naive referee of solo games: it accepts what the rules allow and rejects everything else."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from naive.generate import numbered_solo_trace
from naive.referee import RefereeError, check_trace, rejects
from naive.scenes import solo_scene
from naive.solo import AI, PLAYER, SETTINGS
from naive.tampering import change, places, reshuffled, steps_of

# ---- moves by hand


def breach(*turns: str, **settings: Any) -> dict[str, Any]:
    """OGRE turns the Bastion in turn 3: the new deck is WYRM2, WYRM1, and WYRM0 is in play."""
    opening = ["summon OGRE 1", "reveal", "attack OGRE"]
    return solo_scene("OGRE", "WYRM0 WYRM1 WYRM2", [*opening, *turns], **settings)


def victory(*turns: str, **settings: Any) -> dict[str, Any]:
    """OGRE uncovers the Fort in turn 5, and the AI's last turn is over."""
    return breach("reveal, attack WYRM0", "attack OGRE", "attack WYRM2, attack WYRM0", *turns, **settings)


def wyrms(*turns: str, **settings: Any) -> dict[str, Any]:
    return solo_scene("OGRE", "WYRM0 WYRM1 WYRM2 WYRM3", list(turns), **settings)


LEGAL = {
    "nothing happens": lambda: wyrms(""),
    "the AI starts": lambda: wyrms("reveal", "", "reveal, attack WYRM0", solo={"first": "ai"}),
    "a target": lambda: solo_scene("OGRE", "DOOM WYRM0", ["summon OGRE 0", "reveal"]),
    "no target": lambda: solo_scene("OGRE", "DOOM WYRM0 WYRM1", ["summon OGRE 1", "reveal, reveal"]),
    "a breach": breach,
    "a victory": lambda: victory(turn_limit=200),
    "a victory in the last turn allowed": victory,
}
ILLEGAL = {
    "no reveal": ("revealed 0 of 7 mana", lambda: wyrms("summon OGRE 1", "")),
    "one reveal too few": (
        "revealed 7 of 8 mana, 3 cards",
        lambda: wyrms("summon OGRE 1", "reveal", solo={"variable": 2}),
    ),
    "one reveal too many": ("revealed 7 of 6 mana", lambda: wyrms("", "reveal, reveal")),
    "a reveal after an attack": ("revealed 0 of 6", lambda: wyrms("", "reveal", "", "attack WYRM0, reveal")),
    "an attack is missing": ("WYRM0 must attack", lambda: wyrms("", "reveal", "", "reveal")),
    "an attack on arrival": ("no creature", lambda: wyrms("", "reveal, attack WYRM0")),
    "no last turn": (
        "stop before the game is over",
        lambda: breach("reveal, attack WYRM0", "attack OGRE", turn_limit=6),
    ),
    "a turn after the last": ("after the end", lambda: victory("attack OGRE")),
}


@pytest.mark.parametrize("case", LEGAL)
def test_accepts(case):
    check_trace(LEGAL[case]())


@pytest.mark.parametrize("case", ILLEGAL)
def test_rejects(case):
    complaint, trace = ILLEGAL[case]
    with pytest.raises(RefereeError, match=complaint):
        check_trace(trace())


def test_a_victory_is_told_as_such():
    assert victory()["result"] == {"winner": PLAYER, "reason": "last_turn", "turns": 6}


# ---- reshuffles


@pytest.mark.parametrize("times", [0, 2])
def test_rejects_a_missing_or_second_reshuffle(times):
    trace = breach()
    number = reshuffled(trace)
    trace["steps"][number : number + 1] = times * [trace["steps"][number]]
    with pytest.raises(RefereeError, match="no reshuffle is due" if times else "must be shuffled"):
        check_trace(trace)


@pytest.mark.parametrize(
    ("deck", "fits"),
    [
        (["WYRM1", "WYRM2"], True),
        (["WYRM2"], False),
        (["WYRM2", "WYRM2"], False),
        (["WYRM2", "WYRM0"], False),
        (["WYRM2", "WYRM1", "WYRM0"], False),
        (["WYRM2", 1], False),
        ("WYRM2", False),
        (None, False),
    ],
)
def test_the_new_deck_is_the_discard_pile_in_any_order(deck, fits):
    trace = breach()
    number = reshuffled(trace)
    trace["steps"][number]["deck"] = deck
    for step in trace["steps"][number:]:
        step["state"]["sides"][AI]["deck"] = deck
    if fits:
        check_trace(trace)
    else:
        with pytest.raises(RefereeError, match="no order of the discard pile"):
            check_trace(trace)


# ---- header and setup


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in SETTINGS for value in SETTINGS[name]])
def test_rejects_a_game_told_under_another_setting(name, value):
    traces = [trace for seed in range(80) if (trace := numbered_solo_trace(seed))["solo"][name] != value]
    for trace in traces:
        change(trace, ("solo", name), value)
    assert any(map(rejects, traces))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("variable", value) for value in (0, 3, True, "1")],
        *[("fixed", value) for value in (5, 11, 6.0)],
        *[("first", value) for value in ("AI", 0, None)],
        *[("bastion", value) for value in (1, None)],
        *[("resistance", value) for value in (0, "minus_one")],
        *[("ability", value) for value in ("Sprint", "Indestructible", "splash", False, [])],
    ],
)
def test_rejects_a_setting_outside_the_table(name, value):
    trace = wyrms("")
    trace["solo"][name] = value
    with pytest.raises(RefereeError, match=rf"solo: {name} is .*R38"):
        check_trace(trace)


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (("mode",), "duel", "lacks the key 'hand'"),
        (("mode",), "both", "mode"),
        (("first",), 1, "first"),
        (("policies",), ["wild", "greedy"], "the AI has a policy"),
        (("solo",), [], "solo is not an object"),
        (("setup", "sides", AI, "deck"), [], "no deck"),
        (("setup", "sides", AI, "deck"), ["WYRM0"] * 33, "no deck"),
        (("setup", "sides", AI, "deck"), ["WYRM0", "WYRM0"], "not distinct"),
        (("setup", "sides", AI, "deck"), ["BASTION"], "unknown card"),
        (("setup", "sides", AI, "fortress"), "FORT", "fortress"),
        (("setup", "sides", AI, "discard"), ["WYRM7"], "state"),
        (("setup", "sides", AI, "lanes"), [[["WYRM7", 0]], []], "state"),
        (("setup", "sides", AI, "hand"), [], "state"),
        (("setup", "sides", PLAYER, "hand"), ["FORT", "RAT"], "8 cards"),
        (("setup", "sides", PLAYER, "lanes"), [[["WYRM7", 0]], []], "state"),
    ],
)
def test_rejects_a_wrong_header_or_setup(path, value, complaint):
    trace = wyrms("")
    change(trace, path, value)
    with pytest.raises(RefereeError, match=complaint):
        check_trace(trace)


# ---- tampered steps


@pytest.mark.parametrize(
    ("do", "key", "value", "complaint"),
    [
        ("start_turn", "mana", 6, "mana: expected 8"),
        ("start_turn", "side", PLAYER, "side"),
        ("summon", "card", "WYRM2", "top card"),
        ("summon", "lane", 0, "lane: expected 1"),
        ("summon", "do", "cast", "lacks the key"),
        ("cast", "card", "WYRM1", "top card"),
        ("cast", "target", None, "target: expected"),
        ("cast", "target", {"side": 0, "lane": 0, "position": 1}, "target: expected"),
        ("cast", "target", {"side": 1, "lane": 0, "position": 0}, "target: expected"),
        ("cast", "destroyed", [], "destroyed"),
        ("cast", "do", "summon", "lacks the key"),
    ],
)
def test_rejects_a_wrong_reveal(do, key, value, complaint):
    """DOOM, which comes first, destroys RAT in the upper lane; WYRM1 comes to the lower one."""
    turns = ["summon RAT 0", "reveal, reveal"]
    trace = solo_scene("RAT", "DOOM WYRM1 WYRM2", turns, solo={"variable": 2})
    check_trace(trace)
    steps_of(trace, do, AI)[0][key] = value
    with pytest.raises(RefereeError, match=complaint):
        check_trace(trace)


def test_rejects_the_ai_without_target_where_there_is_none_but_one_is_told():
    trace = LEGAL["no target"]()
    steps_of(trace, "cast", AI)[0]["target"] = {"side": PLAYER, "lane": 1, "position": 0}
    with pytest.raises(RefereeError, match="target: expected None"):
        check_trace(trace)


def test_the_order_of_the_discard_pile_is_not_the_ais_choice():
    turns = ["summon BERSERKER 0", "reveal, reveal, reveal, reveal", "attack BERSERKER, attack BERSERKER"]
    trace = solo_scene("BERSERKER", "RAT WALL GUARD WYRM0 WYRM1 WYRM2 WYRM3", turns)
    check_trace(trace)
    attacks = steps_of(trace, "attack", PLAYER)
    assert attacks[0]["destroyed"] == [[AI, "RAT"], [AI, "GUARD"]]
    attacks[0]["destroyed"].reverse()
    for step in trace["steps"][trace["steps"].index(attacks[0]) :]:
        step["state"]["sides"][AI]["discard"][:2] = ["GUARD", "RAT"]
    with pytest.raises(RefereeError, match="destroyed: expected"):
        check_trace(trace)


def test_the_order_of_return_is_the_players_choice_in_the_ais_turn_too():
    trace = solo_scene(
        "RAT GUARD",
        "BERSERKER WYRM0 WYRM1 WYRM2 WYRM3 WYRM4",
        [
            "summon RAT 0, summon GUARD 0",
            "reveal, reveal, reveal",
            "attack GUARD, attack RAT",
            "reveal, reveal, attack WYRM1, attack BERSERKER, attack BERSERKER, attack WYRM0",
        ],
    )
    check_trace(trace)
    attack = next(step for step in steps_of(trace, "attack", AI) if step["destroyed"])
    assert attack["destroyed"] == [[PLAYER, "RAT"], [PLAYER, "GUARD"]]
    attack["destroyed"].reverse()
    with pytest.raises(RefereeError, match="state"):
        check_trace(trace)
    for step in trace["steps"][trace["steps"].index(attack) :]:
        step["state"]["sides"][PLAYER]["hand"][-2:] = ["GUARD", "RAT"]
    check_trace(trace)


@given(st.integers(0, 2**32), st.data())
@settings(max_examples=80, deadline=None)
def test_rejects_any_changed_value(seed, data):
    trace = numbered_solo_trace(seed)
    part = data.draw(st.sampled_from(["setup", "steps", "result"]))
    change(trace, data.draw(st.sampled_from(places(trace, part))))
    with pytest.raises(RefereeError):
        check_trace(trace)


@given(st.integers(0, 2**32), st.data())
@settings(max_examples=80, deadline=None)
def test_rejects_a_missing_or_doubled_step(seed, data):
    trace = numbered_solo_trace(seed)
    step = data.draw(st.sampled_from(trace["steps"]))
    # without the player's cast that changes nothing the game can still be legal
    assume(not any(step is cast for cast in steps_of(trace, "cast", PLAYER)))
    index = next(index for index, other in enumerate(trace["steps"]) if other is step)
    trace["steps"][index : index + 1] = data.draw(st.sampled_from([[], [step, step]]))
    with pytest.raises(RefereeError):
        check_trace(trace)


@pytest.mark.parametrize(
    "path",
    [
        ("solo",),
        *[("solo", name) for name in SETTINGS],
        *[("setup", "sides", AI, key) for key in ("deck", "discard", "fortress", "lanes")],
        *[("setup", "sides", PLAYER, key) for key in ("hand", "lanes")],
    ],
)
def test_rejects_a_missing_key(path):
    trace = deepcopy(breach())
    holder = trace
    for key in path[:-1]:
        holder = holder[key]
    del holder[path[-1]]
    with pytest.raises(RefereeError, match=path[-1]):
        check_trace(trace)


@pytest.mark.parametrize("key", ["winner", "reason", "turns"])
def test_rejects_a_wrong_result(key):
    trace = victory()
    trace["result"][key] = {"winner": AI, "reason": "turn_limit", "turns": 5}[key]
    with pytest.raises(RefereeError, match=f"result: {key}"):
        check_trace(trace)
