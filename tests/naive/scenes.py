"""Games of moves given in words, legal or not, as whole traces."""

from collections.abc import Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import Any

from naive.game import Recorder
from naive.generate import Cards, solo_trace_of, trace_of
from naive.rules import Creature, Duel
from naive.solo import Solo
from naive.solo_game import SoloRecorder

FIELDS = ("kind", "cost", "attack", "health", "abilities", "auras")
CARDS = {
    "RAT": ("creature", 0, 1, 1, [], []),
    "GUARD": ("creature", 0, 1, 2, [], []),
    "WALL": ("creature", 0, 0, 9, [], []),
    "TOWER": ("creature", 0, 0, 9, [], []),
    "RUNNER": ("creature", 0, 1, 1, ["Rage"], []),
    "BANNER": ("creature", 0, 1, 2, [], ["Rage"]),
    "BERSERKER": ("creature", 0, 2, 3, ["Berserk", "Perforation"], []),
    "DRAGON": ("creature", 7, 1, 1, [], []),
    "OGRE": ("creature", 0, 7, 1, [], []),
    "ZAP": ("incantation", 1, 2, None, [], []),
    **{f"FILLER{i}": ("creature", 0, 0, 1, [], []) for i in range(8)},
    **{f"WYRM{i}": ("creature", 7, 0, 1, [], []) for i in range(8)},
    "DOOM": ("incantation", 7, 2, None, [], []),
}


def faces() -> Cards:
    return {name: dict(zip(FIELDS, deepcopy(values), strict=True)) for name, values in CARDS.items()}


def given_order(owner: int, destroyed: list[Creature]) -> list[Creature]:
    return destroyed


def hand_of(words: str) -> list[str]:
    """Eight cards, the given ones first."""
    cards = words.split()
    return cards + [f"FILLER{i}" for i in range(8 - len(cards))]


def move(record: Recorder, words: str) -> None:
    """Carry out "summon CARD lane", "cast CARD side lane position", "attack CARD" or "reveal", legal or not."""
    if words == "reveal":
        record.reveal(given_order)
        return
    duel = record.duel
    do, name, *numbers = words.split()
    place = [int(number) for number in numbers]
    if do == "summon":
        record.summon(name, place[0])
    elif do == "cast":
        side, lane, position = place
        record.cast(name, duel.sides[side].lanes[lane][position], given_order)
    else:
        lanes = duel.sides[duel.active].lanes
        record.attack(next(one for lane in lanes for one in lane if one.name == name), given_order)


def scene(hands: tuple[str, str], turns: list[str], **rules: Any) -> dict[str, Any]:
    """A trace of the given moves, one string per turn, up to the fall of a Fort or the last turn."""
    rules = {"window": 8, "turn_limit": len(turns), **rules}
    cards = faces()
    record = Recorder(Duel(cards, rules, [hand_of(hand) for hand in hands], first=0))
    carry_out(record, turns)
    return trace_of(cards, rules, 0, ["wild", "wild"], record.finish())


def solo_scene(
    hand: str, deck: str, turns: list[str], solo: Mapping[str, Any] = MappingProxyType({}), **rules: Any
) -> dict[str, Any]:
    """The same for a solo game; the discard pile is turned over for the new deck."""
    rules = {"window": 8, "turn_limit": len(turns), **rules}
    cards = faces()
    game = Solo(cards, rules, solo, hand_of(hand), deck.split())
    record = SoloRecorder(game, lambda discard: discard[::-1])
    carry_out(record, turns)
    return solo_trace_of(cards, rules, solo, "wild", record.finish())


def carry_out(record: Recorder, turns: list[str]) -> None:
    for turn in turns:
        record.start_turn()
        for words in filter(None, turn.split(", ")):
            move(record, words)
        if record.duel.loser is None:
            record.end_turn()
