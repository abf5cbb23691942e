"""Rules R15 to R19, R30 and R31 on the compiled core: the fortress, and the end of a game."""

import pytest
from corekit import KIT, Table, creature

from clashsim.clash.cards import Deck
from clashsim.clash.duels import Duel
from clashsim.clash.policies import POLICIES
from clashsim.clash.rules import Rules
from clashsim.clash.trace import Tracer


@pytest.mark.parametrize(
    ("damage", "hand"), [(0, "a BASTION b c d"), (1, "a b BASTION c d"), (2, "a b c BASTION d")]
)
def test_r15_damage_moves_the_fortress_right(damage, hand):
    table = Table(("", "a BASTION b c d"))
    table.damage_fortress(1, damage)
    assert table.hand(1) == hand


@pytest.mark.parametrize("damage", [2, 3, 15])
def test_r16_a_rightmost_bastion_turns_without_excess_damage(damage):
    table = Table(("", "a BASTION b c"))
    table.damage_fortress(1, damage)
    assert (table.hand(1), table.winner) == ("FORT a b c", None)
    assert table.side(1).bastion_fell == 9


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("damage", [2, 15])
def test_r17_a_rightmost_fort_loses_the_game(side, damage):
    table = Table(("a FORT b c", "a FORT b c"))
    table.damage_fortress(side, damage)
    assert table.winner == 1 - side


def test_r17_a_fort_falls_in_the_middle_of_a_phase():
    table = Table(("", "FORT a b"), (("x SOLDIER", "SOLDIER"), ("", "")))
    assert [attack.card for attack in table.assault()] == ["SOLDIER"]
    assert table.winner == 0


def test_r18_a_card_played_from_the_left_moves_the_fortress_left():
    table = Table(("a b BASTION c d", ""), (("", ""), ("", "x")))
    table.summon("b")
    assert table.hand(0) == "a BASTION c d"
    table.summon("c")
    assert table.hand(0) == "a BASTION d"


def test_r18_an_incantation_from_the_left_moves_the_fortress_left():
    table = Table(("SPARK b BASTION c", ""), (("", ""), ("x", "")))
    table.cast("SPARK", side=1)
    assert table.hand(0) == "b BASTION c SPARK"


@pytest.mark.parametrize(("fortress", "side"), [("BASTION", 0), ("FORT", 0), ("BASTION", 1), ("FORT", 1)])
def test_r19_playing_the_only_card_right_of_the_fortress_breaches_it(fortress, side):
    table = Table((f"a b {fortress} c",) * 2)
    table.start_turn(side)
    assert table.summonable() == ["a", "b", "c"]
    table.summon("c", lane=1)
    assert table.lane(side, 1) == ["c"]
    if fortress == "BASTION":
        assert (table.hand(side), table.winner) == ("FORT a b", None)
    else:
        assert table.winner == 1 - side


def test_r19_a_breached_bastion_leaves_the_turn_going_on():
    table = Table(("a BASTION c", ""))
    table.summon("c")
    assert table.hand(0) == "FORT a"
    assert table.summonable() == []  # R7


@pytest.mark.parametrize("fortress", ["BASTION", "FORT"])
def test_r19_the_switch_forbids_the_breach_and_nothing_else(fortress):
    table = Table((f"a b {fortress} c", ""), self_breach="off")
    assert table.summonable() == ["a", "b"]
    table = Table((f"a b {fortress} c d", ""), self_breach="off")
    assert table.summonable() == ["a", "b", "c", "d"]
    table = Table((f"a b {fortress} SPARK", ""), (("x", ""), ("", "")), self_breach="off")
    assert table.castable() == ["SPARK"]


def test_r19_the_breaching_card_may_be_out_of_the_window():
    table = Table(("a b c d BASTION e", ""), self_breach="off")
    assert table.summonable() == ["a", "b", "c", "d"]


def test_r30_every_game_with_a_winner_ends_with_a_fort_that_is_rightmost():
    tracer = Tracer(Duel((KIT.decks["3"], KIT.decks["4"]), (POLICIES["wild"],) * 2))
    decided = [trace for trace in map(tracer.game, range(12)) if trace["result"]["winner"] is not None]
    assert decided
    for trace in decided:
        last = trace["steps"][-1]
        loser = 1 - trace["result"]["winner"]
        rightmost = [side["hand"][-1] for side in last["state"]["sides"]]
        assert rightmost[loser] == "FORT"
        assert rightmost[1 - loser] not in ("FORT", "BASTION")
        assert trace["result"]["reason"] == "fort"
        assert last["do"] in ("attack", "summon")


@pytest.mark.parametrize("limit", [1, 2, 13])
def test_r31_the_turn_limit_makes_a_draw_that_is_counted(limit):
    walls = Deck("walls", tuple(creature(f"WALL {i}", health=15, cost=1) for i in range(8)))
    duel = Duel((walls, walls), (POLICIES["random"],) * 2, Rules(turn_limit=limit))
    tally = duel.tally(0, 6)
    assert tally["results"].tolist() == [[0, 3, 0], [0, 3, 0]]
    assert tally["turns"][:, limit].tolist() == [3, 3]
    assert tally["turns_ended"].sum() == 6 * limit


def test_r31_a_fort_that_falls_in_the_last_turn_wins():
    duel = Duel((KIT.decks["1"], KIT.decks["2"]), (POLICIES["greedy"],) * 2)
    outcome = duel.outcomes(0, 1)[0][0]
    assert outcome["winner"] >= 0
    length = int(outcome["turns"])
    for limit, winner in ((length, outcome["winner"]), (length - 1, -1)):
        shorter = Duel(duel.decks, duel.policies, Rules(turn_limit=limit))
        assert shorter.outcomes(0, 1)[0]["winner"] == winner
