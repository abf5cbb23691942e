"""The naive referee: it accepts what the rules allow and rejects everything else."""

from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from naive.generate import random_trace, trace_of
from naive.referee import RefereeError, check_trace
from naive.scenes import FIELDS, hand_of, scene
from naive.tampering import change, places


def rally(third: str) -> dict[str, Any]:
    """Turn 3 starts with own lanes [BANNER, RAT], [RUNNER] and enemy lanes [WALL], [TOWER]."""
    opening = ["summon BANNER 0, summon RAT 0, summon RUNNER 1", "summon WALL 0, summon TOWER 1"]
    return scene(("BANNER RAT RUNNER GUARD ZAP", "WALL TOWER"), [*opening, third])


def slaughter(third: str) -> dict[str, Any]:
    """Turn 3 starts with own lanes [BERSERKER], [] and enemy lanes [RAT, GUARD, WALL], []."""
    opening = ["summon BERSERKER 0", "summon RAT 0, summon GUARD 0, summon WALL 0"]
    return scene(("BERSERKER ZAP RUNNER", "RAT GUARD WALL"), [*opening, third])


def siege(*turns: str, **rules: Any) -> dict[str, Any]:
    """OGRE has attacked the Bastion in turn 3: the enemy's hand is seven cards, the Bastion and FILLER7."""
    return scene(("OGRE", ""), ["summon OGRE 0", "", "attack OGRE", *turns], **rules)


LEGAL = {
    "nothing happens": lambda: scene(("", ""), ["", ""]),
    "a skipped creature gains Rage": lambda: rally(
        "summon GUARD 0, attack RAT, cast ZAP 0 0 1, attack GUARD, attack BANNER, attack RUNNER"
    ),
    "the upper lane resumes": lambda: rally(
        "summon GUARD 0, attack RAT, attack BANNER, cast ZAP 0 0 1, attack GUARD, attack RUNNER"
    ),
    "the upper lane is over": lambda: rally(
        "summon GUARD 0, attack RAT, attack BANNER, attack RUNNER, cast ZAP 0 0 1"
    ),
    "Berserk": lambda: slaughter("attack BERSERKER, attack BERSERKER, cast ZAP 1 0 0"),
    "casts before, between and after": lambda: slaughter(
        "cast ZAP 1 0 2, summon RUNNER 0, cast ZAP 1 0 2, attack RUNNER, cast ZAP 1 0 1, "
        "attack BERSERKER, attack BERSERKER, attack BERSERKER, cast ZAP 0 0 1"
    ),
    "Rage without a target": lambda: slaughter(
        "summon RUNNER 1, attack BERSERKER, attack BERSERKER, cast ZAP 1 0 0"
    ),
    "Rage on arrival": lambda: scene(
        ("RUNNER", "RUNNER"), ["summon RUNNER 0", "summon RUNNER 0, attack RUNNER"]
    ),
    "a self-breach": lambda: siege("summon FILLER7 0"),
    "a Fort falls": lambda: siege("summon FILLER7 0", "attack OGRE", "", "attack OGRE", "", "attack OGRE"),
    "a Fort breached by its owner": lambda: siege(
        "summon FILLER7 0", "attack OGRE", "", "attack OGRE", "summon FILLER7 0"
    ),
}
ILLEGAL = {
    "a creature that gained Rage is skipped": (
        "'GUARD'",
        lambda: rally("summon GUARD 0, attack RAT, cast ZAP 0 0 1, attack BANNER, attack RUNNER"),
    ),
    "the upper lane attacks after the lower one": (
        "no creature can attack",
        lambda: rally(
            "summon GUARD 0, attack RAT, attack BANNER, attack RUNNER, cast ZAP 0 0 1, attack GUARD"
        ),
    ),
    "front before back": ("'RAT'", lambda: rally("attack BANNER, attack RAT, attack RUNNER")),
    "lower lane before upper": ("'RAT'", lambda: rally("attack RUNNER, attack RAT, attack BANNER")),
    "a second attack": ("'BANNER'", lambda: rally("attack RAT, attack RAT, attack BANNER, attack RUNNER")),
    "an attack is missing": ("RUNNER must attack", lambda: rally("attack RAT, attack BANNER")),
    "no attack": ("RAT must attack", lambda: rally("")),
    "a summon after an attack": ("after the first attack", lambda: rally("attack RAT, summon GUARD 0")),
    "an attack on arrival": ("no creature", lambda: scene(("RAT", ""), ["summon RAT 0, attack RAT"])),
    "Rage on the fortress": (
        "no creature",
        lambda: scene(("RUNNER", ""), ["summon RUNNER 0, attack RUNNER"]),
    ),
    "Berserk stops early": ("Berserk", lambda: slaughter("attack BERSERKER")),
    "a cast within Berserk": (
        "Berserk",
        lambda: slaughter("attack BERSERKER, cast ZAP 1 0 0, attack BERSERKER"),
    ),
    "Berserk without a kill": (
        "no creature",
        lambda: slaughter("attack BERSERKER, attack BERSERKER, attack BERSERKER"),
    ),
    "out of the window": ("leftmost 4", lambda: scene(("", ""), ["summon FILLER4 0"], window=4)),
    "too dear": ("6 mana left", lambda: scene(("DRAGON", ""), ["summon DRAGON 0"])),
    "too many casts": (
        "0 mana left",
        lambda: slaughter(
            "cast ZAP 1 0 2, cast ZAP 1 0 2, cast ZAP 1 0 2, cast ZAP 1 0 2, cast ZAP 1 0 2, "
            "cast ZAP 1 0 1, cast ZAP 1 0 0, cast ZAP 0 0 0, cast ZAP 0 0 0"
        ),
    ),
    "the last card": ("R7", lambda: scene(("", ""), [", ".join(f"summon FILLER{i} 0" for i in range(8))])),
    "a forbidden self-breach": ("R19", lambda: siege("summon FILLER7 0", self_breach="off")),
}


@pytest.mark.parametrize("case", LEGAL)
def test_accepts(case):
    check_trace(LEGAL[case]())


@pytest.mark.parametrize("case", ILLEGAL)
def test_rejects(case):
    complaint, trace = ILLEGAL[case]
    with pytest.raises(RefereeError, match=complaint):
        check_trace(trace())


# ---- tampered traces


def random_game(seed: int) -> dict[str, Any]:
    return random_trace(Random(seed), ["wild", "wild"])


@given(st.integers(0, 2**32), st.data())
@settings(max_examples=60, deadline=None)
def test_rejects_any_changed_value(seed, data):
    trace = random_game(seed)
    part = data.draw(st.sampled_from(["setup", "steps", "result"]))
    change(trace, data.draw(st.sampled_from(places(trace, part))))
    with pytest.raises(RefereeError):
        check_trace(trace)


@given(st.integers(0, 2**32), st.data())
@settings(max_examples=60, deadline=None)
def test_rejects_a_missing_or_doubled_step(seed, data):
    trace = random_game(seed)
    index = data.draw(st.integers(0, len(trace["steps"]) - 1))
    step = trace["steps"][index]
    assume(step["do"] != "cast")  # without a cast that changes nothing the game can still be legal
    trace["steps"][index : index + 1] = data.draw(st.sampled_from([[], [step, step]]))
    with pytest.raises(RefereeError):
        check_trace(trace)


@pytest.mark.parametrize(
    "path",
    [
        *[(key,) for key in trace_of({}, {}, 0, [], {"setup": 0, "steps": 0, "result": 0})],
        *[("rules", key) for key in ("turn_limit", "self_breach", "protection_against", "ai_last_turn")],
        *[("cards", "ZAP", key) for key in FIELDS],
        *[("result", key) for key in ("winner", "reason", "turns")],
        *[("steps", 0, key) for key in ("do", "turn", "side", "mana", "state")],
        ("steps", -2, "destroyed"),
    ],
)
def test_rejects_a_missing_key(path):
    trace = deepcopy(rally("attack RAT, attack BANNER, attack RUNNER"))
    check_trace(trace)
    holder = trace
    for key in path[:-1]:
        holder = holder[key]
    del holder[path[-1]]
    with pytest.raises(RefereeError, match=path[-1]):
        check_trace(trace)


@pytest.mark.parametrize(
    ("key", "value"),
    [("mana", 7), ("mana", 6.0), ("side", 1), ("side", False), ("turn", 2)],
)
def test_rejects_a_wrong_start_of_a_turn(key, value):
    trace = rally("attack RAT, attack BANNER, attack RUNNER")
    trace["steps"][0][key] = value
    with pytest.raises(RefereeError, match=f"game 0, step 0 .start_turn.: {key}: expected"):
        check_trace(trace)


def test_order_of_return_is_free_but_the_hand_must_show_it():
    trace = slaughter("attack BERSERKER, attack BERSERKER")
    first = next(step for step in trace["steps"] if step["do"] == "attack")
    assert first["destroyed"] == [[1, "RAT"], [1, "GUARD"]]
    first["destroyed"].reverse()
    with pytest.raises(RefereeError, match="state"):
        check_trace(trace)
    for step in trace["steps"][trace["steps"].index(first) :]:
        step["state"]["sides"][1]["hand"][-2:] = ["GUARD", "RAT"]
    check_trace(trace)


def test_rejects_a_setup_that_is_no_start_of_a_game():
    trace = scene(("", ""), [""])
    for hand in (["FORT", *hand_of("")], [*hand_of(""), "BASTION"], ["BASTION", *hand_of("")[:7], "FILLER0"]):
        trace["setup"]["sides"][0]["hand"] = hand
        with pytest.raises(RefereeError, match="game 0, setup"):
            check_trace(trace)
