"""`tactician` and `planner`: no win of the turn is missed, the own Fort not given away, hidden cards do not matter."""

import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from coregames import random_duel
from corekit import Table, creature, incantation
from naive.positions import position
from naive.referee import check_trace
from naive.wins import can_win

from clashsim.clash.cards import load_cards
from clashsim.clash.core.lists import swapped
from clashsim.clash.core.state import NO_WINNER
from clashsim.clash.duels import Duel
from clashsim.clash.policy_files import load_policy
from clashsim.clash.trace import Tracer

KIT = load_cards().cards
CREATURES = [card.name for card in KIT if card.kind == "creature"]
INCANTATIONS = [card.name for card in KIT if card.kind == "incantation"]


DREW = 1


def deck(label):
    return load_cards().decks[label]


def random_position(rng):
    """Words of a position late in a game: the enemy on its Fort with few cards, creatures on both sides."""
    names = rng.sample(CREATURES, 13) + rng.sample(INCANTATIONS, 3)
    rng.shuffle(names)
    own, enemy = names[:8], names[8:]

    def lanes(cards, most):
        creatures = [name for name in cards if name in CREATURES][: rng.randint(1, most)]
        cut = rng.randint(0, len(creatures))
        return creatures[:cut], creatures[cut:]

    def hand(cards, in_play, fortress):
        left = [name for name in cards if name not in in_play]
        left.insert(rng.randint(0, len(left) - 1), fortress)
        return " ".join(left)

    own_lanes, enemy_lanes = lanes(own, 3), lanes(enemy, 4)
    hands = (
        hand(own, [*own_lanes[0], *own_lanes[1]], rng.choice(("BASTION", "FORT"))),
        hand(enemy, [*enemy_lanes[0], *enemy_lanes[1]], "FORT"),
    )
    return hands, tuple(tuple(" ".join(lane) for lane in side) for side in (own_lanes, enemy_lanes))


def naive_cards():
    return {
        card.name: {
            "kind": card.kind,
            "cost": card.cost,
            "attack": card.attack,
            "health": card.health,
            "abilities": card.abilities,
            "auras": card.auras,
        }
        for card in KIT
    }


def compare(policy, seed, positions):
    """Count the positions with a win that exhaustive search finds; the policy must win exactly those."""
    rng = random.Random(seed)
    cards, wins = naive_cards(), 0
    for _ in range(positions):
        hands, lanes = random_position(rng)
        mana = rng.randint(3, 8)
        expected = can_win(position(hands, lanes, mana, cards=cards))
        table = Table(hands, lanes, mana=mana, policies=(policy, "random"))
        table.play_turn()
        assert (table.winner == 0) == expected, (hands, lanes, mana)
        wins += expected
    return wins


SEARCHING = pytest.mark.parametrize("policy", ["tactician", "planner"])


@SEARCHING
def test_a_win_of_this_turn_is_found(policy):
    """In few positions, and so uncompiled too."""
    assert compare(policy, seed=1, positions=2) == 2


def test_the_planner_looks_at_several_lines():
    """Uncompiled too: two cards, three places to be."""
    table = Table(
        ("FORT ZOMBIE OGRE", "FORT TROLL"), (("", ""), ("", "")), mana=1, policies=("planner", "random")
    )
    table.play_turn()
    assert table.winner is None
    assert table.search.candidates[1].length > 0


@pytest.mark.jit
@SEARCHING
def test_every_win_of_this_turn_is_found(policy):
    assert compare(policy, seed=1, positions=40) >= 10


@pytest.mark.jit
@SEARCHING
@pytest.mark.parametrize("lane", [0, 1])
def test_a_win_is_found_among_very_many_ways_to_play(policy, lane):
    """Made-up cards: eight casts on one blocker of five creatures, or none will do; summoning one spoils it."""
    incantations, walls = [f"I{number}" for number in range(4)], [f"W{number}" for number in range(4)]
    faces = [
        creature("A", 0, 3, 1),
        creature("X", 1, 1, 15),
        creature("Y", 1, 1, 15),
        creature("ATTACKER", 9, 15),
    ]
    faces += [creature("BLOCKER", 0, 8), *(incantation(name, 1, 1) for name in incantations)]
    faces += [creature(name, 0, 15) for name in walls]
    own, enemy = ["ATTACKER", ""], ["BLOCKER", " ".join(walls)]
    table = Table(
        (f"FORT A {' '.join(incantations)} X Y", "FORT p q r"),
        (own[:: 1 - 2 * lane], enemy[:: 1 - 2 * lane]),
        mana=8,
        policies=(policy, "random"),
        faces=faces,
    )
    table.play_turn()
    assert table.winner == 0


@pytest.mark.jit
@pytest.mark.slow
def test_every_win_of_this_turn_is_found_in_many_positions():
    wins = compare("tactician", seed=2, positions=1500)
    print(f"{wins} wins in 1500 positions")
    assert wins >= 200


@pytest.mark.jit
@SEARCHING
def test_its_own_fort_is_not_given_away(policy):
    rng = random.Random(3)
    for _ in range(100):
        hands, lanes = random_position(rng)
        table = Table(hands, lanes, mana=rng.randint(0, 9), policies=(policy, "random"))
        table.play_turn()
        assert table.winner != 1


@pytest.mark.jit
@SEARCHING
def test_the_order_of_cards_never_seen_does_not_matter(policy):
    rng = random.Random(4)
    for _ in range(30):
        hands, lanes = random_position(rng)
        tables = [Table(hands, lanes, mana=7, policies=(policy, "random")) for _ in range(2)]
        for table in tables:
            enemy = table.state.sides[1]
            enemy.unseen = enemy.hand_size
        for last in range(int(enemy.hand_size) - 1, 0, -1):  # of the second one
            other = rng.randint(0, last)
            enemy.hand = swapped(int(enemy.hand), other, last)
            enemy.prices = swapped(int(enemy.prices), other, last)
        for table in tables:
            table.play_turn()
        one, other = (table.position()["sides"][0] for table in tables)
        assert one == other


@pytest.mark.jit
@pytest.mark.parametrize(("better", "worse"), [("tactician", "greedy"), ("planner", "tactician")])
def test_each_rung_beats_the_one_below(better, worse):
    decks = list(load_cards().decks.values())
    results = np.zeros(3, np.int64)
    for one, other in product(decks, decks):
        duel = Duel((one, other), (load_policy(better), load_policy(worse)))
        results += duel.tally(0, 10)["results"].sum(axis=0)
    assert (results[0] + results[1] / 2) / results.sum() > 0.6


@pytest.mark.jit
def test_greedy_stalls_because_it_repeats_itself():
    """A quarter of deck 1 against itself: from some turn on the same eight turns again and again."""
    duel = Duel((deck("1"),) * 2, (load_policy("greedy"),) * 2)
    outcomes, _ = duel.outcomes(0, 40)
    draws = np.flatnonzero(outcomes["winner"] == NO_WINNER)
    assert draws.size > 2
    for game in draws:
        steps = Tracer(duel).game(int(game))["steps"]
        ends = [step["state"] for step in steps if step["do"] == "end_turn"]
        assert ends[-1] in ends[101:-1:2]


@pytest.mark.jit
@SEARCHING
def test_players_that_search_do_not_stall(policy):
    """Not even in the pairings in which they did before they shunned positions they had seen."""
    for one, other in (("1", "1"), ("1", "3"), ("2", "3")):
        duel = Duel((deck(one), deck(other)), (load_policy(policy),) * 2)
        assert duel.tally(0, 40)["results"][:, DREW].sum() == 0


@pytest.mark.jit
@SEARCHING
@pytest.mark.parametrize("opponent", ["tactician", "wild"])
def test_all_it_does_is_legal(policy, opponent):
    """By the referee, with the kit's and with made-up cards, under every rule switch."""
    players = (load_policy(policy), load_policy(opponent))
    for seed in range(40 if policy == "tactician" else 10):
        check_trace(Tracer(replace(random_duel(seed), policies=players)).game(seed % 5))


@pytest.mark.jit
@SEARCHING
def test_game_i_does_not_depend_on_the_games_before_it(policy):
    duel = Duel((deck("1"), deck("2")), (load_policy(policy),) * 2)
    together, _ = duel.outcomes(0, 8)
    for game in (3, 6):
        alone, _ = duel.outcomes(game, 1)
        assert alone[0] == together[game]
    assert (together["winner"] != NO_WINNER).any()
