"""The naive reference engine itself: the worked cases of the rules, and corners."""

import pytest
from naive.positions import names, position, words
from naive.rules import BASTION, FORT, Creature, Duel


def damages(line) -> list[int]:
    return [one.damage for one in line]


def given_order(owner, destroyed):
    return destroyed


def activate(duel: Duel, attacker: Creature) -> list[tuple[str, list[str]]]:
    """All attacks of one activation: the target and the names of the destroyed."""
    attacks = []
    again = duel.attacks(attacker)
    while again:
        attack = duel.attack(attacker, given_order)
        attacks.append((attack.target, names(attack.destroyed)))
        again = attack.again
    return attacks


# ---- worked cases


@pytest.mark.parametrize(
    ("damage", "hand"),
    [(3, "a b c BASTION d e f g h"), (8, "FORT a b c d e f g h"), (20, "FORT a b c d e f g h")],
)
def test_case_1_damage_moves_the_bastion(damage, hand):
    duel = position(("BASTION a b c d e f g h", ""))
    duel.damage_fortress(0, damage)
    assert duel.sides[0].hand == words(hand)
    assert duel.loser is None


def test_case_2_returning_creature_shields_the_fort():
    duel = position(("a FORT b c", ""), (("x", ""), ("", "")))
    duel.strike(duel.sides[0].lanes[0][0], set(), 1, "attack", given_order)
    assert duel.sides[0].hand == words("a FORT b c x")
    duel.damage_fortress(0, 2)
    assert duel.sides[0].hand == words("a b c FORT x")
    assert duel.loser is None


def test_case_3_last_card_can_not_be_summoned():
    duel = position(("FORT a b c", ""))
    duel.summon("a", 0)
    duel.summon("b", 1)
    assert duel.sides[0].hand == ["FORT", "c"]
    assert duel.loser is None
    assert not duel.can_summon("c")


@pytest.mark.parametrize(("fortress", "hand", "loser"), [(BASTION, "FORT a b", None), (FORT, "a b FORT", 0)])
def test_case_4_summoning_the_card_right_of_the_fortress(fortress, hand, loser):
    duel = position((f"a b {fortress} c", ""))
    assert duel.can_summon("c")
    duel.summon("c", 0)
    assert duel.sides[0].hand == words(hand)
    assert duel.loser == loser


def test_case_4_is_illegal_without_self_breach():
    duel = position(("a b BASTION c", ""), self_breach="off")
    assert duel.can_summon("b")
    assert not duel.can_summon("c")


def test_case_5_aberration():
    duel = position(("ABERRATION a b", ""), (("c d", ""), ("x y WALL", "")))
    duel.summon("ABERRATION", 0)
    assert activate(duel, duel.next_activation()) == [("creature", ["x", "y"]), ("creature", [])]
    assert names(duel.sides[0].lanes[0]) == ["ABERRATION", "c", "d"]
    assert damages(duel.sides[1].lanes[0]) == [4]


def test_case_5_without_an_enemy_in_the_lane():
    duel = position(("ABERRATION a b", ""), (("c d", ""), ("", "WALL")))
    duel.summon("ABERRATION", 0)
    assert duel.next_activation().name == "ABERRATION"
    assert activate(duel, duel.next_activation()) == []
    assert names(duel.sides[0].lanes[0]) == ["c", "d", "ABERRATION"]


def test_case_6_berserk_goes_on_to_the_fortress_once():
    duel = position(("", "a b c d"), (("BERSERKER", ""), ("x", "")))
    assert activate(duel, duel.next_activation()) == [("creature", ["x"]), ("fortress", [])]
    assert duel.sides[1].hand == words("a b BASTION c d x")


def test_case_7_cyclone_on_an_indestructible():
    duel = position(("CYCLONE a", ""), (("", ""), ("STATUE WALL", "WALL")))
    duel.cast("CYCLONE", duel.sides[1].lanes[0][0], given_order)
    assert [damages(lane) for lane in duel.sides[1].lanes] == [[0, 3], [3]]


def test_case_8_protection_holds_once_a_turn():
    duel = position(lanes=(("OGRE OGRE", ""), ("CARAPACE", "")))
    carapace = duel.sides[1].lanes[0][0]
    for attacker in duel.sides[0].lanes[0]:
        duel.attack(attacker, given_order)
    assert carapace.damage == 3
    duel.end_turn()
    assert carapace.damage == 0
    duel.attack(duel.sides[0].lanes[0][0], given_order)
    assert carapace.damage == 0


def test_case_9_aura_of_protection():
    duel = position(lanes=(("", ""), ("a MACHINE b", "")))
    a, machine, b = duel.sides[1].lanes[0]
    assert ["Protection" in duel.abilities(c) for c in (a, machine, b)] == [True, False, True]
    duel.strike(machine, set(), 2, "attack", given_order)
    assert ["Protection" in duel.abilities(c) for c in (a, b)] == [False, False]


def test_case_10_sprint_from_an_aura():
    duel = position(("", "a b c"), (("x VORTEX CARAPACE", ""), ("", "")))
    assert activate(duel, duel.next_activation()) == [("fortress", [])]
    assert names(duel.sides[0].lanes[0]) == ["CARAPACE", "x", "VORTEX"]
    assert duel.sides[1].hand == words("a b BASTION c")


# ---- corners of Protection (R24)


def test_protection_of_a_destroyed_aura_bearer_counts_for_its_last_attack():
    duel = position(lanes=(("ABERRATION", ""), ("MACHINE x", "")))
    assert activate(duel, duel.next_activation())[0] == ("creature", ["MACHINE"])


@pytest.mark.parametrize(
    ("incantation", "rules", "survives"),
    [
        ("BOLT", {}, True),
        ("BOLT", {"ignored_uses_protection": "on"}, False),
        ("BOLT", {"ignored_uses_protection": "on", "protection_against": "attacks"}, True),
        ("SPARK", {"ignored_uses_protection": "on"}, True),
    ],
)
def test_ignored_incantation_and_protection(incantation, rules, survives):
    duel = position((f"{incantation} a", ""), (("OGRE", ""), ("SENTINEL", "")), **rules)
    duel.cast(incantation, duel.sides[1].lanes[0][0], given_order)
    duel.attack(duel.sides[0].lanes[0][0], given_order)
    assert bool(duel.sides[1].lanes[0]) == survives


@pytest.mark.parametrize(("against", "damage"), [("sources", 0), ("attacks", 3)])
def test_protection_against_incantations(against, damage):
    duel = position(("BOLT a", ""), (("", ""), ("CARAPACE", "")), protection_against=against)
    duel.cast("BOLT", duel.sides[1].lanes[0][0], given_order)
    assert damages(duel.sides[1].lanes[0]) == [damage]


def test_own_creature_returns_left_of_the_incantation_that_destroyed_it():
    duel = position(("a BASTION BOLT", ""), (("x", ""), ("", "")))
    duel.cast("BOLT", duel.sides[0].lanes[0][0], given_order)
    assert duel.sides[0].hand == words("a BASTION x BOLT")


# ---- other corners


def test_mana_is_six_in_the_first_turn_and_then_the_size_of_the_hand():
    duel = Duel({}, {}, ["abcdefgh", "abcdefgh"], first=1)
    mana = []
    for _ in range(3):
        duel.start_turn()
        mana.append((duel.active, duel.mana))
        duel.sides[duel.active].hand.pop()
    assert mana == [(1, 6), (0, 9), (1, 8)]


def test_berserk_does_not_go_on_to_the_fortress_on_arrival():
    duel = position(("ABERRATION a b", ""), (("", ""), ("x", "")))
    duel.summon("ABERRATION", 0)
    assert activate(duel, duel.next_activation()) == [("creature", ["x"])]


def test_splash_and_perforation_work_around_the_target_of_an_incantation():
    duel = position(("CYCLONE a", ""), (("WALL WALL WALL", "WALL WALL"), ("WALL", "WALL WALL")))
    duel.cast("CYCLONE", duel.sides[0].lanes[0][1], given_order)
    assert [damages(lane) for lane in duel.sides[0].lanes] == [[0, 3, 3], [0, 3]]
    duel.cast("CYCLONE", duel.sides[1].lanes[1][1], given_order)
    assert [damages(lane) for lane in duel.sides[1].lanes] == [[0], [0, 3]]
