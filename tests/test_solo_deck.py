"""Solo rules of the compiled core by their numbers: the AI's deck, the ends of a game, the settings (R36-R38)."""

import pytest
from corekit import creature
from solokit import AI, NO_LANES, PLAYER, SoloTable

from clashsim.clash.cards import CardSet, Deck
from clashsim.clash.policies import POLICIES
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import PRICES
from clashsim.clash.solos import Solo
from clashsim.clash.trace import Tracer

READINGS = pytest.mark.parametrize("reading", ["minus_one", "to_one"])


def survive(table):
    """Let the AI's turn pass to its end; return what it revealed."""
    table.start_ai_turn()
    revealed = [reveal.card for reveal in table.reveal()]
    table.finish_ai_turn()
    return revealed


# ---- R36: damage


def test_r36_damage_discards_from_the_top():
    table = SoloTable("a b c d", "x", lanes=(("SOLDIER", ""), NO_LANES))
    table.assault()
    assert (table.deck, table.discard, table.fortress) == (["d"], list("xabc"), "BASTION")
    assert (table.reshuffles, table.last_turn) == (0, None)


def test_r36_case_12():
    table = SoloTable("a b", "x", lanes=(("GIANT", ""), NO_LANES))
    assert table.assault() == [("GIANT", 0, "fortress", [])]
    assert (sorted(table.deck), table.discard, table.fortress) == (list("abx"), [], "FORT")
    assert (table.reshuffles, table.last_turn) == (1, None)  # the remaining 3 are lost


def test_r36_the_new_deck_is_shuffled():
    """With other random numbers of the AI's the same cards come in another order."""
    orders = []
    for stream in range(30):
        table = SoloTable("a", "b c d e f g h", lanes=(("x", ""), NO_LANES))
        table.ai.stream = stream
        table.damage_deck(1)
        assert sorted(table.deck) == list("abcdefgh")
        orders.append("".join(table.deck))
    assert len(set(orders)) > 20
    assert {order[0] for order in orders} == set("abcdefgh")


def test_r36_a_second_attack_of_the_turn_meets_the_new_deck():
    table = SoloTable("a", "b c d e", lanes=(("SOLDIER SOLDIER", ""), NO_LANES))
    table.assault()
    assert (len(table.deck), len(table.discard), table.reshuffles) == (2, 3, 1)


def test_r36_a_berserk_attacker_gets_no_new_attack_for_the_bastion():
    table = SoloTable("a b", lanes=(("BERSERKER", ""), ("x", "")))
    assert [attack.target for attack in table.assault()] == ["creature", "fortress"]
    assert sorted(table.deck) == list("abx")


def test_r36_an_attack_of_0_leaves_the_deck():
    table = SoloTable("b", lanes=(("a", ""), NO_LANES))
    assert [attack.target for attack in table.assault()] == ["fortress"]
    assert (table.deck, table.fortress) == (["b"], "BASTION")


def test_r36_splash_and_perforation_leave_the_deck_alone():
    table = SoloTable("a b c d e f", lanes=(("SPEAR", ""), ("", "x y")))
    table.assault()
    assert table.discard == list("abc")
    assert table.lane(AI, 1) == ["x", "y"]


# ---- R36: the last turn


def test_r36_a_fort_uncovered_in_the_players_turn_leaves_the_ai_its_following_turn():
    """There it reveals nothing, and still attacks."""
    lanes = (("GIANT GIANT", ""), ("", "SOLDIER"))
    table = SoloTable("a b", "c", fortress="FORT", hand="BASTION u v w x", lanes=lanes)
    table.assault()
    assert (table.deck, table.discard, table.last_turn) == ([], list("cab"), 1)
    assert (table.reshuffles, table.winner) == (0, None)
    table.end_turn()
    assert table.winner is None
    assert survive(table) == []
    assert table.hand(PLAYER) == "u v w BASTION x"
    assert table.winner == PLAYER


@pytest.mark.parametrize(("reading", "turns"), [("next", 2), ("current", 0)])
@pytest.mark.parametrize(("fortress", "discard"), [("FORT", ""), ("FORT", "b"), ("BASTION", "")], ids=str)
def test_r36_a_fort_uncovered_in_the_ais_turn(reading, turns, fortress, discard):
    """With no discard pile the Bastion's turning uncovers the Fort at once; nothing is shuffled."""
    table = SoloTable("a", discard, fortress=fortress, to_move=AI, ai_last_turn=reading)
    assert [reveal.card for reveal in table.reveal()] == ["a"]
    assert (table.fortress, table.discard) == ("FORT", discard.split())
    assert (table.last_turn, table.reshuffles) == (turns, 0)
    table.finish_ai_turn()
    if reading == "next":
        assert table.winner is None
        table.start_turn(PLAYER)
        table.end_turn()
        survive(table)
    assert table.winner == PLAYER


def test_r36_the_last_turn_stays_the_last():
    """Neither more damage nor creatures that reach the discard pile make it later, or a new deck."""
    lanes = (("GIANT GIANT", "SOLDIER"), ("", "x"))
    table = SoloTable("a", "b c", fortress="FORT", lanes=lanes)
    table.assault()
    assert (table.last_turn, table.discard) == (1, list("bcax"))
    table.end_turn()
    table.start_ai_turn()
    table.damage_deck(3)
    assert (table.last_turn, table.deck, table.reshuffles) == (0, [], 0)


def test_r36_a_fort_uncovered_in_the_ais_turn_and_attacked_in_the_players():
    table = SoloTable("a", "b", fortress="FORT", lanes=(("GIANT", ""), NO_LANES), to_move=AI)
    table.reveal()
    table.finish_ai_turn()
    table.start_turn(PLAYER)
    table.activate()  # at the creature just revealed
    table.damage_deck(5)
    assert (table.last_turn, table.discard) == (1, ["b", "a"])


IDLE = (
    [creature(f"dear {number}", cost=15) for number in range(8)],  # nobody can pay for them
    [
        creature(f"cheap {number}", cost=1) for number in range(8)
    ],  # six come in the first turn, two in the second
)


def idle_game(**rules):
    """A game in which nobody is ever hurt."""
    own, others = map(tuple, IDLE)
    solo = Solo(CardSet("idle", own + others), Deck("dear", own), POLICIES["greedy"], rules=Rules(**rules))
    return Tracer(solo).game(0)["result"]


@pytest.mark.parametrize(("reading", "turns"), [("next", 6), ("current", 4)])
def test_r36_a_win_at_the_end_of_the_last_allowed_turn_is_a_win(reading, turns):
    won = {"winner": PLAYER, "reason": "last_turn", "turns": turns}
    assert idle_game(ai_last_turn=reading) == won
    assert idle_game(ai_last_turn=reading, turn_limit=turns) == won
    draw = {"winner": None, "reason": "turn_limit", "turns": turns - 1}
    assert idle_game(ai_last_turn=reading, turn_limit=turns - 1) == draw  # R31


# ---- R37: the player loses


def test_r37_the_game_is_over_in_the_middle_of_the_ais_assault():
    lanes = (NO_LANES, ("SOLDIER GIANT", "SOLDIER"))
    table = SoloTable("COST6 z", hand="a FORT b c", lanes=lanes, to_move=AI)
    table.reveal()
    assert [attack.card for attack in table.finish_ai_turn()] == ["GIANT"]
    assert table.winner == AI


def test_r37_the_player_can_lose_in_the_ais_last_turn():
    lanes = (NO_LANES, ("", "GIANT"))
    table = SoloTable(
        "a", hand="a b FORT c", fortress="FORT", lanes=lanes, to_move=AI, ai_last_turn="current"
    )
    table.reveal()
    assert table.last_turn == 0
    table.finish_ai_turn()
    assert table.winner == AI


def test_r37_the_player_can_breach_the_own_fort():
    table = SoloTable(hand="a b FORT c")
    table.summon("c")
    assert table.winner == AI


def test_r37_the_players_bastion_turns_first():
    table = SoloTable("COST6 z", hand="a b", lanes=(NO_LANES, ("GIANT", "")), to_move=AI)
    table.finish_ai_turn()
    assert (table.hand(PLAYER), table.winner) == ("FORT a b", None)


# ---- R38: resistance


DISCARDED = {None: (0, 1, 2, 5), "minus_one": (0, 0, 1, 4), "to_one": (0, 1, 1, 1)}


@pytest.mark.parametrize("fortress", ["BASTION", "FORT"])
@pytest.mark.parametrize("reading", DISCARDED)
def test_r38_resistance(reading, fortress):
    rules = {"resistance_reading": reading} if reading else {}
    for attack, discarded in zip((0, 1, 2, 5), DISCARDED[reading], strict=True):
        striker = creature("STRIKER", attack)
        settings = {"resistance": reading is not None}
        lanes = (("STRIKER", ""), NO_LANES)
        table = SoloTable(
            "a b c d e f", fortress=fortress, lanes=lanes, settings=settings, faces=[striker], **rules
        )
        table.assault()
        assert table.discard == list("abcdef")[:discarded]


@pytest.mark.parametrize(("reading", "discarded"), [("minus_one", 2), ("to_one", 1)])
def test_r38_resistance_reduces_the_attack_with_its_sprint_bonus(reading, discarded):
    lanes = (("a a RUNNER", ""), NO_LANES)
    table = SoloTable("a b c d", lanes=lanes, settings={"resistance": True}, resistance_reading=reading)
    table.activate()
    assert len(table.discard) == discarded


@READINGS
def test_r38_resistance_reduces_each_attack_on_the_deck_and_none_on_creatures(reading):
    """The attacks of 2 destroy creatures of health 2, and discard one card each."""
    lanes = (("BERSERKER BERSERKER", ""), ("LANCER", ""))
    table = SoloTable("a b c d", lanes=lanes, settings={"resistance": True}, resistance_reading=reading)
    targets = [attack.target for attack in table.assault()]
    assert targets == ["creature", "fortress", "fortress"]
    assert table.discard == ["LANCER", "a", "b"]


@READINGS
def test_r38_resistance_does_not_protect_the_player(reading):
    lanes = (NO_LANES, ("SOLDIER", ""))
    settings = {"resistance": True}
    table = SoloTable("z", hand="a b c d", lanes=lanes, settings=settings, to_move=AI)
    table.assault()
    assert table.hand(PLAYER) == "a b c BASTION d"


# ---- R38: the ability given to all AI creatures, and to nobody else


ABILITIES = pytest.mark.parametrize("ability", PRICES["ability"])


def walls_after(ability, side, move):
    """The damage to three walls of a side, two in the upper lane, after a move against them."""
    lanes = [("WALL WALL", "WALL"), ("SOLDIER", "")]
    table = SoloTable(
        "BLAST COST12 z",
        hand="BOLT u v",
        lanes=lanes if side == PLAYER else lanes[::-1],
        settings={"ability": ability},
        to_move=1 - side,
    )
    move(table)
    return table.damages(side, 0), table.damages(side, 1)


@ABILITIES
def test_r38_what_attacks_of_the_ai_reach(ability):
    damages = {"splash": ([3, 0], [3]), "perforation": ([3, 3], [0])}
    assert walls_after(ability, PLAYER, SoloTable.activate) == damages.get(ability, ([3, 0], [0]))


@ABILITIES
def test_r38_what_attacks_of_the_player_reach(ability):
    damages = ([0, 0], [0]) if ability == "protection" else ([3, 0], [0])
    assert walls_after(ability, AI, SoloTable.activate) == damages


@ABILITIES
def test_r38_incantations_of_the_ai_are_given_nothing(ability):
    assert walls_after(ability, PLAYER, SoloTable.reveal) == ([3, 0], [0])


@ABILITIES
def test_r38_incantations_of_the_player_are_given_nothing(ability):
    damages = ([0, 0], [0]) if ability == "protection" else ([3, 0], [0])
    assert walls_after(ability, AI, lambda table: table.cast("BOLT", side=AI)) == damages


def test_r38_given_protection_absorbs_the_first_source_of_the_turn():
    lanes = (("SOLDIER SOLDIER", ""), ("SOLDIER", ""))
    table = SoloTable("z", lanes=lanes, settings={"ability": "protection"})
    assert [attack.destroyed for attack in table.assault()] == [[], ["SOLDIER"]]


@ABILITIES
def test_r38_given_rage_attacks_creatures_on_arrival_and_never_the_fortress(ability):
    """The first goes to the upper lane, where nobody stands."""
    lanes = (("", "WALL"), NO_LANES)
    table = SoloTable("GIANT GIANT COST12 z", lanes=lanes, settings={"ability": ability}, to_move=AI)
    table.reveal()
    attacks = [("GIANT", "creature")] if ability == "rage" else []
    assert [(attack.card, attack.target) for attack in table.assault()][: len(attacks)] == attacks
    assert table.damages(PLAYER, 1) == ([5] if ability == "rage" else [0])


@ABILITIES
def test_r38_the_players_creatures_have_no_rage(ability):
    table = SoloTable(hand="SOLDIER u v", lanes=(NO_LANES, ("x", "")), settings={"ability": ability})
    table.summon("SOLDIER")
    assert table.next_attacker() is None


@ABILITIES
@pytest.mark.parametrize("side", [PLAYER, AI])
def test_r38_given_berserk_is_the_ais_only(ability, side):
    lanes = [("x", ""), ("SOLDIER", "")]
    table = SoloTable(
        "COST6 z",
        lanes=lanes if side == AI else lanes[::-1],
        settings={"ability": ability},
        to_move=side,
    )
    further = ["fortress"] if (ability, side) == ("berserk", AI) else []
    assert [attack.target for attack in table.activate()] == ["creature", *further]


def test_r38_an_ability_is_given_beside_those_of_the_card():
    lanes = (("WALL WALL", "WALL"), ("LANCER", ""))
    table = SoloTable("z", lanes=lanes, settings={"ability": "splash"}, to_move=AI)
    table.activate()
    assert (table.damages(PLAYER, 0), table.damages(PLAYER, 1)) == ([2, 2], [2])


@ABILITIES
def test_r38_creatures_of_the_new_deck_have_it_too(ability):
    table = SoloTable("COST1", "GIANT", lanes=(("", "WALL"), NO_LANES), settings={"ability": ability})
    table.start_ai_turn()
    table.reveal()
    assert table.lane(AI, 1) == ["GIANT"]
    table.assault()
    assert table.damages(PLAYER, 1) == ([5] if ability == "rage" else [0])
