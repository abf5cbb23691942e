"""Rules R20 to R29, without R24, on the compiled core: the abilities and the Auras."""

import pytest
from corekit import Table, creature, incantation

FOUR = creature("FOUR", attack=4, health=4)
GUST = incantation("GUST", 1, abilities="Splash")
DRILL = incantation("DRILL", 1, abilities="Perforation")


def hurt(table, side=1):
    return table.damages(side, 0), table.damages(side, 1)


# ---- Splash and Perforation (R20-R22)


@pytest.mark.parametrize(
    ("attacker", "damages"),
    [
        ("SWEEPER", ([2, 0, 0], [2, 0])),
        ("LANCER", ([2, 2, 0], [0, 0])),
        ("BOTH", ([2, 2, 0], [2, 0])),
    ],
)
def test_r20_r21_whom_an_attack_reaches(attacker, damages):
    both = creature("BOTH", attack=2, health=2, abilities="Splash Perforation")
    table = Table(lanes=((attacker, ""), ("WALL WALL WALL", "WALL WALL")), faces=[both])
    table.activate()
    assert hurt(table) == damages


def test_r20_splash_from_the_lower_lane_hits_the_upper():
    table = Table(lanes=(("", "SWEEPER"), ("WALL WALL", "WALL")))
    table.activate()
    assert hurt(table) == ([2, 0], [2])


def test_r20_splash_finds_nobody_at_the_same_position():
    table = Table(lanes=(("SWEEPER", ""), ("WALL WALL", "")))
    table.activate()
    assert hurt(table) == ([2, 0], [])


@pytest.mark.parametrize("attacker", ["SWEEPER", "LANCER"])
def test_r21_an_attack_on_the_fortress_reaches_nobody_else(attacker):
    table = Table(("", "a b c"), ((attacker, ""), ("", "WALL WALL")))
    assert table.activate() == [(attacker, 0, "fortress", [])]
    assert hurt(table) == ([], [0, 0])
    assert table.hand(1) == "a b BASTION c"


@pytest.mark.parametrize("attacker", ["SWEEPER", "LANCER"])
def test_r21_an_attack_on_a_creature_never_hits_the_fortress(attacker):
    table = Table(lanes=((attacker, ""), ("WALL", "")))
    table.activate()
    assert table.hand(1) == "BASTION u v w"


def test_r21_all_hits_are_simultaneous():
    table = Table(lanes=(("LANCER", ""), ("a b c", "")))
    assert table.activate()[0].destroyed == ["a", "b"]  # c, which closes up, is not hit
    assert hurt(table) == ([0], [])


def test_r22_incantations_work_around_their_target():
    table = Table(("GUST DRILL a", ""), (("WALL WALL WALL", "WALL WALL"), ("", "")), faces=[GUST, DRILL])
    table.cast("GUST", side=0, lane=0, position=1)
    assert hurt(table, side=0) == ([0, 1, 0], [0, 1])
    table.cast("DRILL", side=0, lane=0, position=1)
    assert hurt(table, side=0) == ([0, 2, 1], [0, 1])
    table.cast("GUST", side=0, lane=0, position=2)  # nobody beside
    table.cast("DRILL", side=0, lane=1, position=1)  # nobody behind
    assert hurt(table, side=0) == ([0, 2, 2], [0, 2])


def test_r22_at_the_end_of_a_full_lane():
    table = Table(("CYCLONE", "a"), (("", ""), ("WALL WALL WALL WALL WALL WALL WALL", "")))
    table.cast("CYCLONE", side=1, position=6)
    assert hurt(table) == ([0, 0, 0, 0, 0, 0, 3], [])


# ---- Rage (R23)


def test_r23_rage_attacks_creatures_on_the_turn_it_arrives():
    table = Table(("RAGER a b", ""), (("", ""), ("WALL", "")))
    table.summon("RAGER")
    assert table.assault() == [("RAGER", 0, "creature", [])]


def test_r23_never_the_fortress_on_that_turn():
    table = Table(("RAGER a b", ""), (("", ""), ("", "WALL")))
    table.summon("RAGER")
    assert table.assault() == []
    assert table.hand(1) == "BASTION u v w"
    table.end_turn()
    table.start_turn(1)
    table.end_turn()
    table.start_turn(0)
    assert table.assault() == [("RAGER", 0, "fortress", [])]


# ---- Indestructible (R25)


def test_r25_takes_no_damage_from_incantations_but_from_attacks():
    table = Table(("CYCLONE a", ""), (("SOLDIER", ""), ("WALL", "STATUE WALL")))
    table.cast("CYCLONE", side=1, lane=0)
    table.cast("CYCLONE", side=1, lane=1)
    assert hurt(table) == ([6], [0, 3])
    table = Table(lanes=(("SOLDIER", ""), ("STATUE", "")))
    table.activate()
    assert table.damages(1) == [3]


# ---- Berserk (R26)


def test_r26_attacks_again_as_long_as_it_destroys():
    table = Table(lanes=(("BERSERKER", ""), ("a b WALL c", "")))
    assert table.activate() == [
        ("BERSERKER", 0, "creature", ["a"]),
        ("BERSERKER", 0, "creature", ["b"]),
        ("BERSERKER", 0, "creature", []),
    ]


def test_r26_destroying_a_bastion_gives_no_new_attack():
    table = Table(("", "a BASTION b"), (("BERSERKER", ""), ("", "")))
    assert table.activate() == [("BERSERKER", 0, "fortress", [])]
    assert (table.hand(1), table.winner) == ("FORT a b", None)


@pytest.mark.parametrize(("ability", "lanes"), [("Splash", ("WALL", "x")), ("Perforation", ("WALL x", ""))])
def test_r26_creatures_destroyed_by_splash_or_perforation_count(ability, lanes):
    fury = creature("FURY", attack=2, health=2, abilities=f"Berserk {ability}")
    table = Table(lanes=(("FURY", ""), lanes), faces=[fury])
    assert [attack.destroyed for attack in table.activate()] == [["x"], []]


def test_r26_no_new_attack_on_the_fortress_on_the_turn_it_arrived():
    table = Table(("GNOME a b", ""), (("", ""), ("x y", "")))
    table.summon("GNOME")
    assert [attack.destroyed for attack in table.activate()] == [["x"], ["y"]]
    assert table.hand(1) == "BASTION u v w x y"


def test_r26_further_attacks_do_not_ask_for_rage_again():
    fury = creature("FURY", attack=2, health=2, abilities="Berserk Sprint")
    banner = creature("BANNER", health=2, auras="Rage")
    table = Table(("FURY k", ""), (("a BANNER", ""), ("x y", "")), faces=[fury, banner])
    table.summon("FURY")
    # Sprint takes it away from BANNER and so from its Rage.
    assert [attack.destroyed for attack in table.activate()] == [["x"], ["y"]]
    assert table.lane(0) == ["FURY", "a", "BANNER"]


# ---- Sprint (R27, R28)


@pytest.mark.parametrize(("line", "passed"), [("RUNNER", 0), ("a RUNNER", 1), ("a b c d e f RUNNER", 6)])
def test_r27_moves_to_the_front_and_gains_1_attack_per_creature_passed(line, passed):
    table = Table(lanes=((line, ""), ("WALL", "")))
    table.activate()
    assert table.lane(0) == ["RUNNER", *line.split()[:-1]]
    assert table.damages(1) == [1 + passed]


def test_r27_before_an_attack_on_the_fortress_too():
    table = Table(("", "a b c d"), (("k l RUNNER", ""), ("", "")))
    table.activate()
    assert table.hand(1) == "a b c BASTION d"


def test_r27_the_bonus_holds_for_further_attacks_and_ends_with_the_assault():
    fury = creature("FURY", attack=1, health=2, abilities="Berserk Sprint")
    table = Table(lanes=(("a b FURY", ""), ("x WALL", "")), faces=[fury])
    assert [attack.position for attack in table.activate()] == [2, 0]
    assert table.damages(1) == [3]
    table.end_turn()
    table.start_turn(1)
    table.end_turn()
    table.start_turn(0)
    for _ in range(3):
        last = table.activate()
    assert last[0].card == "FURY"
    assert table.damages(1) == [1]


def test_r27_creatures_that_it_passes_take_their_marks_along():
    table = Table(lanes=(("KNIGHT:2:struck WALL:1 RUNNER:1", ""), ("WALL", "")))
    table.activate()
    assert table.damages(0) == [1, 2, 1]
    assert [attack.card for attack in table.assault()] == ["WALL", "KNIGHT"]


def test_r27_abilities_are_read_after_the_move():
    bear = creature("BEAR", health=2, auras="Perforation")  # at the front: RUNNER comes to stand beside it
    table = Table(lanes=(("BEAR a RUNNER", ""), ("WALL WALL", "")), faces=[bear])
    table.activate()
    assert hurt(table) == ([3, 3], [])
    table = Table(lanes=(("a BEAR RUNNER", ""), ("WALL WALL", "")), faces=[bear])  # leaves it
    table.activate()
    assert hurt(table) == ([3, 0], [])


def test_r27_without_an_attack_it_does_not_move():
    table = Table(lanes=(("a ASSASSIN:arrived", ""), ("", "WALL")))
    assert table.activate() == []
    assert table.lane(0) == ["a", "ASSASSIN"]


def test_r28_an_attack_of_0_is_an_attack_and_sprint_moves_it():
    slug = creature("SLUG", health=2, abilities="Sprint")
    table = Table(lanes=(("SLUG", "a SLUG"), ("", "WALL")), faces=[slug])
    assert table.assault()[:2] == [("SLUG", 0, "fortress", []), ("SLUG", 1, "creature", [])]
    assert table.hand(1) == "BASTION u v w"
    assert (table.lane(0, 1), table.damages(1, 1)) == (["SLUG", "a"], [1])


# ---- Auras (R29)


def attacks_of(table):
    return [attack.card for attack in table.assault()]


def test_r29_reaches_both_neighbours_in_the_lane_and_nobody_else():
    own = ("a:arrived b:arrived SHAMAN:arrived c:arrived d:arrived", "e:arrived f:arrived")
    table = Table(lanes=(own, ("WALL", "WALL")))
    assert attacks_of(table) == ["c", "b"]  # not the bearer, none two away, none in the other lane


def test_r29_not_the_enemys_creatures():
    table = Table(lanes=(("x:arrived", ""), ("SHAMAN", "")))
    assert attacks_of(table) == []


def test_r29_two_bearers_give_to_each_other():
    table = Table(lanes=(("SHAMAN:arrived SHAMAN:arrived", ""), ("WALL", "")))
    assert attacks_of(table) == ["SHAMAN", "SHAMAN"]


def test_r29_is_lost_with_the_bearer_and_found_by_closing_up():
    table = Table(("BOLT a", ""), (("SHAMAN b:arrived c:arrived", ""), ("WALL", "")))
    table.cast("BOLT", side=0, position=1)
    assert table.next_attacker() == "c"
    table = Table(("BOLT a", ""), (("b:arrived SHAMAN c:arrived", ""), ("WALL", "")))
    table.cast("BOLT", side=0, position=1)
    assert table.next_attacker() is None


def test_r29_a_creature_that_moves_away_loses_it_and_keeps_its_sprint_bonus():
    table = Table(lanes=(("a VORTEX FOUR", ""), ("WALL", "")), faces=[FOUR])
    assert table.activate() == [("FOUR", 2, "creature", [])]
    assert table.lane(0) == ["FOUR", "a", "VORTEX"]
    assert table.damages(1) == [6]
    assert table.next_attacker() == "VORTEX"


@pytest.mark.parametrize("ability", ["Splash", "Perforation", "Berserk"])
def test_r29_an_aura_gives_an_ability_of_attack(ability):
    bearer = creature("BEARER", health=2, auras=ability)
    table = Table(lanes=(("SOLDIER BEARER", ""), ("a WALL", "b WALL")), faces=[bearer])
    table.activate()
    (attack, *more) = table.activate()
    expected = {"Splash": ["a", "b"], "Perforation": ["a"], "Berserk": ["a"]}[ability]
    assert attack.card == "SOLDIER"
    assert attack.destroyed == expected
    assert table.damages(1)[0] == (0 if ability == "Splash" else 3)
    assert len(more) == (ability == "Berserk")


def test_r29_an_aura_of_indestructible():
    bearer = creature("BEARER", health=2, auras="Indestructible")
    table = Table(("BOLT a", ""), (("", ""), ("WALL BEARER", "")), faces=[bearer])
    table.cast("BOLT", side=1)
    assert table.damages(1) == [0, 0]
