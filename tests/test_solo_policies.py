"""`tactician` and `planner` in solo games: wins of the turn are found, lost last turns shunned, the deck is hidden."""

import random
from typing import Any

import pytest
from corekit import creature
from naive.positions import hand_of, lined_up, words
from naive.solo import Solo as NaiveSolo
from naive.wins import can_win
from solokit import NO_LANES, PLAYER, SoloTable
from test_lookahead import CREATURES, INCANTATIONS, naive_cards

from clashsim.clash.policies.lookahead.search import damage_needed
from clashsim.clash.solo_settings import PRICES

SEARCHING = pytest.mark.parametrize("policy", ["tactician", "planner"])


def random_position(rng, most_left, most_attackers=3):
    """A position late in a game, as arguments of SoloTable: the AI has few cards left."""
    names = rng.sample(CREATURES, 24) + rng.sample(INCANTATIONS, 5)
    rng.shuffle(names)
    own, others = names[:8], names[8:]
    own_lanes, ai_lanes = lanes_from(rng, own, 4), lanes_from(rng, others, most_attackers)
    hand = [name for name in own if name not in " ".join(own_lanes).split()]
    hand.insert(rng.randint(0, len(hand) - 1), rng.choice(("BASTION", "FORT")))
    left = [name for name in others if name not in " ".join(ai_lanes).split()]
    cards = rng.randint(1, most_left)
    fortress = rng.choice(("BASTION", "FORT", "FORT"))
    deck = rng.randint(fortress == "BASTION", cards)
    return {
        "deck": " ".join(left[:deck]),
        "discard": " ".join(left[deck:cards]),
        "fortress": fortress,
        "hand": " ".join(hand),
        "lanes": (own_lanes, ai_lanes),
        "mana": rng.randint(2, 8),
        "settings": {"resistance": rng.random() < 0.3, "ability": rng.choice(list(PRICES["ability"]))},
    }


def lanes_from(rng, names, most):
    creatures = [name for name in names if name in CREATURES][: rng.randint(1, most)]
    cut = rng.randint(0, len(creatures))
    return " ".join(creatures[:cut]), " ".join(creatures[cut:])


def naive_solo(position: dict[str, Any]) -> NaiveSolo:
    """The position on the plain reference."""
    settings = {**position["settings"]}
    settings["ability"] = None if settings["ability"] == "none" else settings["ability"].capitalize()
    solo = NaiveSolo(naive_cards(), {}, settings, (), words(position["deck"]))
    solo.start_turn()
    solo.player.hand = hand_of(position["hand"])
    solo.ai.discard, solo.ai.fortress = words(position["discard"]), position["fortress"]
    for owner, side in enumerate(solo.sides):
        side.lanes = lined_up(owner, position["lanes"][owner])
    solo.mana = position["mana"]
    solo.last_turn = None if solo.ai.deck else solo.turn + 1
    return solo


def finish(table):
    """Let the policy play its turn, and the AI its next one."""
    table.play_turn()
    if table.winner is None:
        table.end_turn()
        table.start_ai_turn()
        table.reveal()
        table.finish_ai_turn()


def compare(policy, seed, positions):
    """Count the positions in which the plain search finds a win; the policy must win exactly those."""
    rng, wins = random.Random(seed), 0
    for _ in range(positions):
        position = random_position(rng, most_left=6)
        expected = can_win(naive_solo(position))
        table = SoloTable(policy=policy, **position)
        finish(table)
        assert (table.winner == PLAYER) == expected, position
        wins += expected
    return wins


# ---- R36: wins of this turn


@SEARCHING
def test_a_win_of_this_turn_is_found(policy):
    """In few positions, and so uncompiled too."""
    assert 0 < compare(policy, seed=9, positions=6) < 6


@pytest.mark.jit
@SEARCHING
def test_every_win_of_this_turn_is_found(policy):
    assert 10 < compare(policy, seed=2, positions=40) < 30


@pytest.mark.jit
@pytest.mark.slow
def test_every_win_of_this_turn_is_found_in_many_positions():
    wins = compare("tactician", seed=4, positions=600)
    print(f"{wins} wins in 600 positions")
    assert 150 < wins < 450


@SEARCHING
@pytest.mark.parametrize(
    ("mana", "winner"),
    [
        (1, None),  # enough for one of two: not to clear the way to the last cards, but to live on
        (2, PLAYER),  # enough for both
    ],
)
def test_a_last_turn_that_is_lost_is_worth_nothing(policy, mana, winner):
    table = SoloTable(
        "z " * 15,
        fortress="FORT",
        hand="FORT BOLT u",
        lanes=(("BRUTE", ""), ("SOLDIER", "SOLDIER")),
        mana=mana,
        policy=policy,
        faces=[creature("BRUTE", attack=15, health=5), creature("u", cost=15), creature("z", cost=12)],
    )
    finish(table)
    assert table.winner == winner


@SEARCHING
def test_in_the_last_turn_of_the_ai_only_survival_counts(policy):
    """A blocker in the lower lane saves the Fort; the dear one, in the other lane, would make more of the board."""
    table = SoloTable(
        "",
        "a b",
        fortress="FORT",
        hand="FORT OGRE u v",
        lanes=(NO_LANES, ("", "GIANT")),
        policy=policy,
        faces=[creature("OGRE", attack=9, health=6, cost=3), creature("u", cost=15), creature("v", cost=15)],
    )
    finish(table)
    assert table.winner == PLAYER


def test_no_turn_can_win_with_less_damage_than_is_needed():
    """As the search bounds it: as many attacks of 1, one after the other, and not one less."""
    for fortress in ("BASTION", "FORT"):
        for deck, discard in ((1, 0), (3, 0), (1, 4), (5, 2)):
            table = SoloTable("z " * deck, "z " * discard, fortress=fortress)
            needed = int(table.call(damage_needed, table.state, table.ai))
            for _ in range(needed - 1):
                table.damage_deck(1)
            assert table.last_turn is None
            table.damage_deck(1)
            assert table.last_turn == 1
            assert table.call(damage_needed, table.state, table.ai) == 0


# ---- R43: what nobody knows


def plan_of(policy, position, order=None, stream=0):
    """The plan for a position, with the deck in another order, and other random numbers of a new deck."""
    table = SoloTable(policy=policy, **position)
    if order is not None:
        table.permute_deck(order)
    table.ai.stream = stream
    table.play_turn()
    return table.plan


def hidden_alike(policy, seed, positions):
    """Plan in positions that differ in what is hidden only; count those in which the own attacks reach the deck."""
    rng, reached = random.Random(seed), 0
    for _ in range(positions):
        position = random_position(rng, most_left=20, most_attackers=5)
        order = list(range(len(position["deck"].split())))
        plan = plan_of(policy, position)
        for _ in range(2):
            rng.shuffle(order)
            assert plan_of(policy, position, order, rng.getrandbits(62)) == plan, position
        table = SoloTable(policy=policy, **position)
        table.play_turn()
        reached += table.deck != position["deck"].split()
    return reached


@SEARCHING
def test_r43_the_order_of_the_ais_deck_changes_no_plan_in_few_positions(policy):
    assert hidden_alike(policy, seed=5, positions=2) > 0


@pytest.mark.jit
@SEARCHING
def test_r43_the_order_of_the_ais_deck_changes_no_plan(policy):
    assert hidden_alike(policy, seed=6, positions=60) > 20


@pytest.mark.jit
def test_r43_what_is_in_the_deck_is_known():
    """Both deck lists are public: with other cards in the deck some plans of the planner are other ones."""
    rng, others = random.Random(7), 0
    for _ in range(40):
        position = random_position(rng, most_left=20)
        in_deck = len(position["deck"].split())
        harmless = {**position, "deck": "z " * in_deck}
        others += plan_of("planner", position) != plan_of("planner", harmless)
    assert others > 0
