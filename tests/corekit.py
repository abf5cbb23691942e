"""Positions of the compiled core made from words, moved by card names, and read back as a trace has them.

A hand is written from left to right, "a BASTION b"; without a fortress the Bastion stands leftmost. A lane is
written from the front; a creature can carry what happened to it this turn: "TROLL:2" has taken 2 damage,
"TROLL:arrived", "TROLL:2:struck". Single small letters are creatures with attack 0, health 1 and cost 0.
The same calls run compiled and uncompiled.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np

from clashsim.clash.cards import Card, load_cards
from clashsim.clash.core import combat, events, hand, turn
from clashsim.clash.core.events import LOG_ROOM, new_log
from clashsim.clash.core.lists import PLACES
from clashsim.clash.core.match import new_match
from clashsim.clash.core.state import (
    ARRIVED,
    DECK_SIZE,
    FIRST_CARD,
    LANES,
    NO_WINNER,
    SIDES,
    STRUCK,
    UPPER,
    new_state,
)
from clashsim.clash.core.wide import WIDE_PLACES
from clashsim.clash.policies import POLICIES, action, dispatch
from clashsim.clash.policies.scratch import new_search
from clashsim.clash.policies.units import unit_address
from clashsim.clash.rules import Rules

KIT = load_cards("starter-kit")
FORTRESS = {"BASTION": 1, "FORT": 0}
MARKS = {"arrived": ARRIVED, "struck": STRUCK}
FILLER = "z"


def creature(
    name: str, attack: int = 0, health: int = 1, cost: int = 0, abilities: str = "", auras: str = ""
) -> Card:
    return Card(name, "creature", cost, attack, health, tuple(abilities.split()), tuple(auras.split()))


def incantation(name: str, damage: int, cost: int = 1, abilities: str = "") -> Card:
    return Card(name, "incantation", cost, damage, None, tuple(abilities.split()))


FACES = {
    **{card.name: card for card in KIT.cards},
    **{letter: creature(letter) for letter in "abcdefghijklmnopqrstuvwxyz"},
    **{
        card.name: card
        for card in (
            creature("WALL", health=15),
            creature("SOLDIER", attack=3, health=3),
            creature("BERSERKER", attack=2, health=2, abilities="Berserk"),
            creature("LANCER", attack=2, health=2, abilities="Perforation"),
            creature("SWEEPER", attack=2, health=2, abilities="Splash"),
            creature("RUNNER", attack=1, health=2, abilities="Sprint"),
            creature("RAGER", attack=2, health=2, abilities="Rage"),
            creature("KNIGHT", attack=1, health=4, abilities="Protection"),
            creature("STATUE", health=5, abilities="Indestructible"),
            creature("SENTINEL", health=1, abilities="Indestructible Protection"),
            creature("PRIEST", health=2, auras="Protection"),
            incantation("BOLT", 3),
            incantation("SPARK", 1),
            incantation("DUD", 0),
        )
    },
}


class Attack(NamedTuple):
    """One attack: who, from which position, at a "creature" or the "fortress", and whom it destroyed."""

    card: str
    position: int
    target: str
    destroyed: list[str]


class Table:
    """A position with side 0 to move, in the middle of turn 9.

    Parameters
    ----------
    hands
        Of both sides, as words.
    lanes
        Of both sides: upper and lower, as words.
    faces
        Further cards, or other faces of known ones.
    rules
        Switches that differ from their defaults.
    """

    def __init__(
        self,
        hands: Sequence[str] = ("", ""),
        lanes: Sequence[Sequence[str]] = (("", ""), ("", "")),
        *,
        mana: int = 20,
        policies: Sequence[str] = ("random", "random"),
        faces: Sequence[Card] = (),
        **rules: Any,
    ) -> None:
        self.faces = {**FACES, **{card.name: card for card in faces}}
        full_hands = [full_hand(*sides) for sides in zip(hands, lanes, strict=True)]
        decks = [deck_of(*sides) for sides in zip(full_hands, lanes, strict=True)]
        self.names = {
            first + slot: name
            for first, deck in zip(FIRST_CARD, decks, strict=True)
            for slot, name in enumerate(deck)
        }
        faces_of = [[self.faces[name] for name in deck] for deck in decks]
        chosen = [POLICIES[name] for name in policies]
        self._match = new_match(
            faces_of,
            Rules(**rules),
            [policy.number for policy in chosen],
            np.uint64(0),
            [unit_address(policy.unit) if policy.unit else 0 for policy in chosen],
            [policy.weights for policy in chosen],
            [policy.foresight for policy in chosen],
        )
        self._open(new_state(), new_log(), new_search(), mana)
        for number in range(SIDES):
            cards = iter(range(FIRST_CARD[number], FIRST_CARD[number] + DECK_SIZE))
            self._fill_hand(self.side(number), full_hands[number], cards)
            self._fill_lanes(self.side(number), lanes[number], cards)

    def _open(self, state: np.ndarray, log: np.ndarray, search: np.ndarray, mana: int) -> None:
        """Begin with empty sides, all steps to be recorded."""
        self._state, self._log, self._search = state, log, search
        self._log["closes_at"] = LOG_ROOM
        self.state, self.match, self.log = self._state[0], self._match[0], self._log[0]
        self.search = self._search[0]
        self.state.turn = 9
        self.state.mana = mana
        self.state.winner = NO_WINNER

    def _fill_hand(self, side: np.record, words: Sequence[str], cards: Iterator[int]) -> None:
        for word in words:
            if word in FORTRESS:
                side.fortress, side.bastion = side.hand_size, FORTRESS[word]
            else:
                self.call(hand.put_rightmost, side, self.match, next(cards))

    def _fill_lanes(self, side: np.record, lanes: Sequence[str], cards: Iterator[int]) -> None:
        for lane, line in zip(side.lanes, lanes, strict=True):
            for position, word in enumerate(line.split()):
                damage, marks = _condition(word)
                self.call(combat.add_creature, self.match, lane, next(cards), marks)
                lane.damages |= damage << (8 * position)

    def call(self, function: Callable, *arguments: Any) -> Any:
        """Call a function of the core; random numbers are meant to wrap, which shows uncompiled only."""
        with np.errstate(over="ignore"):
            return function(*arguments)

    def side(self, number: int) -> np.record:
        return self.state.sides[number]

    @property
    def active(self) -> int:
        return int(self.state.active)

    # ---- moves of the active side

    def start_turn(self, number: int) -> None:
        self.call(turn.start_turn, self.state, self.match, self.log, self.side(number), number)

    def summon(self, name: str, lane: int = UPPER) -> None:
        side = self.side(self.active)
        self.call(turn.summon, self.state, self.match, self.log, side, self._slot(name), lane)

    def cast(self, name: str, side: int, lane: int = UPPER, position: int = 0) -> None:
        own = self.side(self.active)
        place = (self._slot(name), side, lane, position)
        self.call(turn.cast, self.state, self.match, self.log, own, *place)

    def next_attacker(self) -> str | None:
        """Who activates next."""
        lane, position = self._next()
        return None if position < 0 else self.lane(self.active, lane)[position]

    def activate(self) -> list[Attack]:
        """Let the next creature activate; return its attacks."""
        lane, position = self._next()
        assert position >= 0, "nobody is left to activate"
        before = int(self.state.events)
        own, enemy = self.side(self.active), self.side(1 - self.active)
        self.call(turn.activate, self.state, self.match, self.log, own, enemy, lane, position)
        return self._attacks_since(before)

    def assault(self) -> list[Attack]:
        """Let all creatures activate; return all attacks."""
        attacks = []
        while self.state.winner == NO_WINNER and self.next_attacker():
            attacks += self.activate()
        return attacks

    def end_turn(self) -> None:
        self.call(turn.end_turn, self.state, self.log)

    def damage_fortress(self, side: int, damage: int) -> None:
        self.call(hand.move_fortress, self.state, self.side(side), side, damage)

    # ---- what may be done

    def summonable(self) -> list[str]:
        side = self.side(self.active)
        return self._in_hand(self.call(hand.summonable_slots, self.state, self.match, side))

    def castable(self) -> list[str]:
        side = self.side(self.active)
        return self._in_hand(self.call(hand.castable_slots, self.state, self.match, side))

    def next_play(self) -> tuple | None:
        """What the policy plays: ("summon", card, lane), ("cast", card, side, lane, position) or None."""
        own, enemy = self.side(self.active), self.side(1 - self.active)
        played = self.call(dispatch.next_play, self.state, self.match, self.search, own, enemy)
        return self._words(played)

    def play_turn(self) -> None:
        """Let the policy of the active side play the turn to its end."""
        side = self.side(self.active)
        while self.state.winner == NO_WINNER and (play := self.next_play()):
            self._carry_out(play)
        while self.state.winner == NO_WINNER:
            asked = (self.state, self.match, self.search, side)
            while play := self._words(self.call(dispatch.next_assault_cast, *asked)):
                self._carry_out(play)
            if self.state.winner != NO_WINNER or not self.next_attacker():
                return
            self.activate()

    def _carry_out(self, play: tuple) -> None:
        do, *rest = play
        (self.summon if do == "summon" else self.cast)(*rest)

    def _words(self, played: action.Action) -> tuple | None:
        if played.kind == action.STOP:
            return None
        card = self.cards(self.active)[int(played.slot)]
        if played.kind == action.SUMMON:
            return ("summon", card, int(played.lane))
        return ("cast", card, int(played.side), int(played.lane), int(played.position))

    # ---- reading back

    @property
    def mana(self) -> int:
        return int(self.state.mana)

    @property
    def winner(self) -> int | None:
        return None if self.state.winner == NO_WINNER else int(self.state.winner)

    def cards(self, side: int) -> list[str]:
        """The hand without the fortress."""
        return [self.names[number] for number in unpacked(self.side(side).hand)]

    def hand(self, side: int) -> str:
        return " ".join(self._whole_hand(side))

    def _whole_hand(self, side: int) -> list[str]:
        cards = self.cards(side)
        cards.insert(int(self.side(side).fortress), "BASTION" if self.side(side).bastion else "FORT")
        return cards

    def lane(self, side: int, lane: int = UPPER) -> list[str]:
        return [self.names[number] for number in unpacked(self.side(side).lanes[lane].cards)]

    def damages(self, side: int, lane: int = UPPER) -> list[int]:
        row = self.side(side).lanes[lane]
        return list(int(row.damages).to_bytes(WIDE_PLACES, "little")[: row.length])

    def position(self) -> dict[str, Any]:
        """The position as STATE of a trace."""
        return {
            "sides": [
                {"hand": self._whole_hand(side), "lanes": [self._pairs(side, lane) for lane in range(LANES)]}
                for side in range(SIDES)
            ]
        }

    def _pairs(self, side: int, lane: int) -> list[list[Any]]:
        return [list(pair) for pair in zip(self.lane(side, lane), self.damages(side, lane), strict=True)]

    def _next(self) -> tuple[int, int]:
        return self.call(turn.next_attacker, self.state, self.side(self.active))

    def _slot(self, name: str) -> int:
        return self.cards(self.active).index(name)

    def _in_hand(self, slots: int) -> list[str]:
        marked = int(slots).to_bytes(PLACES, "little")
        return [name for name, is_in in zip(self.cards(self.active), marked, strict=False) if is_in]

    def _attacks_since(self, event: int) -> list[Attack]:
        steps = self.log.events[event : self.state.events]
        return [self._attack(step) for step in steps if step.kind == events.ATTACK]

    def _attack(self, event: np.record) -> Attack:
        target = "creature" if event.target == events.AT_CREATURE else "fortress"
        destroyed = [self.names[number] for number in unpacked(event.fallen)]
        return Attack(self.names[int(event.card)], int(event.position), target, destroyed)


def unpacked(values: int) -> Iterator[int]:
    """Return the numbers of a packed list, narrow or wide, up to the first empty place."""
    return takewhile(bool, int(values).to_bytes(WIDE_PLACES, "little"))


def full_hand(words: str, lanes: Sequence[str]) -> list[str]:
    """The words of a hand; by default three cards, or as many as are not in play, right of the Bastion."""
    in_play = sum(len(line.split()) for line in lanes)
    cards = words.split() or list("uvw")[: DECK_SIZE - in_play]
    return cards if FORTRESS.keys() & cards else ["BASTION", *cards]


def deck_of(hand_words: list[str], lanes: Sequence[str]) -> list[str]:
    """Eight names: the cards in hand, those in play, and fillers out of the game."""
    names = [word for word in hand_words if word not in FORTRESS]
    names += [word.split(":")[0] for line in lanes for word in line.split()]
    return names + [FILLER] * (DECK_SIZE - len(names))


def _condition(word: str) -> tuple[int, int]:
    """Damage and marks of "NAME", "NAME:2", "NAME:arrived", "NAME:2:struck"."""
    notes = word.split(":")[1:]
    damage = sum(int(note) for note in notes if note.isdigit())
    return damage, sum(MARKS[note] for note in notes if not note.isdigit())
