"""`tactician`: no win of this turn is missed, the own Fort is not given away, hidden cards do not matter."""

import random
from dataclasses import replace

import numpy as np
import pytest
from coregames import random_duel
from corekit import Table
from naive.positions import position
from naive.referee import check_trace
from naive.wins import can_win

from clashsim.clash.cards import load_cards
from clashsim.clash.core.state import NO_WINNER
from clashsim.clash.duels import Duel
from clashsim.clash.policy_files import load_policy
from clashsim.clash.trace import Tracer

pytestmark = pytest.mark.jit

KIT = load_cards().cards
CREATURES = [card.name for card in KIT if card.kind == "creature"]
INCANTATIONS = [card.name for card in KIT if card.kind == "incantation"]


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


def compare(seed, positions):
    """Count the positions with a win that exhaustive search finds; the tactician must win exactly those."""
    rng = random.Random(seed)
    cards, wins = naive_cards(), 0
    for _ in range(positions):
        hands, lanes = random_position(rng)
        mana = rng.randint(3, 8)
        expected = can_win(position(hands, lanes, mana, cards=cards))
        table = Table(hands, lanes, mana=mana, policies=("tactician", "random"))
        table.play_turn()
        assert (table.winner == 0) == expected, (hands, lanes, mana)
        wins += expected
    return wins


def test_every_win_of_this_turn_is_found():
    assert compare(seed=1, positions=40) >= 10


@pytest.mark.slow
def test_every_win_of_this_turn_is_found_in_many_positions():
    wins = compare(seed=2, positions=1500)
    print(f"{wins} wins in 1500 positions")
    assert wins >= 200


def test_its_own_fort_is_not_given_away():
    rng = random.Random(3)
    for _ in range(100):
        hands, lanes = random_position(rng)
        table = Table(hands, lanes, mana=rng.randint(0, 9), policies=("tactician", "random"))
        table.play_turn()
        assert table.winner != 1


def test_the_order_of_cards_never_seen_does_not_matter():
    rng = random.Random(4)
    for _ in range(30):
        hands, lanes = random_position(rng)
        before = list(hands[1].split())
        cards = [name for name in before if name != "FORT"]
        rng.shuffle(cards)
        cards.insert(before.index("FORT"), "FORT")
        tables = [
            Table((hands[0], enemy), lanes, mana=7, policies=("tactician", "random"))
            for enemy in (hands[1], " ".join(cards))
        ]
        for table in tables:
            table.play_turn()
        one, other = (table.position()["sides"][0] for table in tables)
        assert one == other


def test_it_plays_whole_games_and_beats_greedy():
    decks = list(load_cards().decks.values())
    results = np.zeros(3, np.int64)
    for one in decks[:2]:
        for other in decks[2:]:
            duel = Duel((one, other), (load_policy("tactician"), load_policy("greedy")))
            results += duel.tally(0, 20)["results"].sum(axis=0)
    assert (results[0] + results[1] / 2) / results.sum() > 0.8


@pytest.mark.parametrize("opponent", ["tactician", "wild"])
def test_all_it_does_is_legal(opponent):
    """By the referee, with the kit's and with made-up cards, under every rule switch."""
    players = (load_policy("tactician"), load_policy(opponent))
    for seed in range(40):
        check_trace(Tracer(replace(random_duel(seed), policies=players)).game(seed % 5))


def test_game_i_does_not_depend_on_the_games_before_it():
    decks = list(load_cards().decks.values())
    duel = Duel((decks[0], decks[1]), (load_policy("tactician"),) * 2)
    together, _ = duel.outcomes(0, 8)
    for game in (3, 6):
        alone, _ = duel.outcomes(game, 1)
        assert alone[0] == together[game]
    assert (together["winner"] != NO_WINNER).any()
