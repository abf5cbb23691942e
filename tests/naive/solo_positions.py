"""Solo positions built by hand, from words, and turns of them carried out."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from naive.positions import CARDS, creature, hand_of, incantation, lined_up, names, words
from naive.solo import AI, PLAYER, Solo

FACES = {
    **CARDS,
    "TWO": creature(cost=2),
    "THREE": creature(cost=3),
    "FOUR": creature(cost=4),
    "SIX": creature(cost=6),
    "GIANT": creature(attack=5, health=5),
    "SPRINTER": creature(attack=2, abilities=("Sprint",)),
    "SWEEPER": creature(attack=3, health=3, abilities=("Splash", "Perforation")),
    "BLAST": incantation(3, cost=6),
    "STORM": incantation(3, cost=6, abilities=("Splash", "Perforation")),
}


def solo_of(
    deck: str,
    discard: str = "",
    hand: str = "",
    lanes: Sequence[Sequence[str]] = (("", ""), ("", "")),
    to_move: int = PLAYER,
    solo: Mapping[str, Any] = MappingProxyType({}),
    **rules: Any,
) -> Solo:
    """A solo position at the start of a turn, the first: of the player, with 20 mana, or of the AI (R33)."""
    game = Solo(FACES, rules, {"first": ("player", "ai")[to_move], **solo}, (), words(deck))
    game.player.hand = hand_of(hand)
    game.ai.discard = words(discard)
    for owner, side in enumerate(game.sides):
        side.lanes = lined_up(owner, lanes[owner])
    game.start_turn()
    if to_move != AI:
        game.mana = 20
    return game


def ai_turn(deck: str, **settings) -> Solo:
    return solo_of(deck, to_move=AI, **settings)


def given_order(owner, destroyed):
    return destroyed


def backwards(owner, destroyed):
    return destroyed[::-1]


def reveal_all(solo: Solo, order=given_order) -> list[tuple[str, int]]:
    """All reveals of the AI's turn, cards and lanes; a due reshuffle turns the discard pile over."""
    revealed = []
    while solo.must_reveal:
        reveal = solo.reveal(order)
        revealed.append((reveal.name, reveal.lane))
        if solo.reshuffle_due:
            solo.reshuffle(solo.ai.discard[::-1])
    return revealed


def attack_all(solo: Solo, order=given_order) -> list[tuple[str, str]]:
    """The whole assault: each attacker with its target."""
    attacks = []
    while solo.loser is None and (attacker := solo.next_activation()):
        attacker.activated = True
        again = solo.attacks(attacker)
        while again:
            attack = solo.attack(attacker, order)
            attacks.append((attacker.name, attack.target))
            again = attack.again
    return attacks


def ai_lanes(solo: Solo) -> list[list[str]]:
    return [names(lane) for lane in solo.ai.lanes]
