"""Games step by step, as records that anyone can check by the rules ("clashsim-trace/1").

The steps come from the event buffer of the core that plays the counted games; here they only get their names.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np

from clashsim.clash.cards import Card
from clashsim.clash.core import events
from clashsim.clash.core.duel import OUTCOME, TOTALS, play_games
from clashsim.clash.core.events import LOG_ROOM, new_log
from clashsim.clash.core.lists import PLACES
from clashsim.clash.core.state import (
    FIRST_CARD,
    LANE,
    LANES,
    NO_WINNER,
    SIDE,
    SIDES,
    STATE,
    STOPPED,
    new_state,
)
from clashsim.clash.duels import Duel
from clashsim.clash.faults import PolicyFault, describe_fault
from clashsim.clash.policies.scratch import new_search
from clashsim.clash.trace_files import FORMAT

Trace = dict[str, Any]


@dataclass(frozen=True)
class Tracer:
    """Traces the games of one condition."""

    duel: Duel

    def game(self, number: int) -> Trace:
        """Return the trace of game `number` of the condition.

        Raises
        ------
        PolicyFault
            A user's policy did what it may not; the trace of the game up to there is in the error.
        """
        outcome, log, fault = self._play(number)
        reader = _Reader(self._names)
        winner = int(outcome["winner"])
        policies = [policy.name for policy in self.duel.policies]
        reason = "stopped" if fault else "turn_limit" if winner == NO_WINNER else "fort"
        trace = {
            "format": FORMAT,
            "mode": "duel",
            "rules": self.duel.rules.as_dict(),
            "cards": self._cards,
            "first": number & 1,
            "policies": policies,
            "seed": self.duel.seed,
            "game": number,
            "decks": [deck.name for deck in self.duel.decks],
            "setup": reader.state(log[0]),
            "steps": [reader.step(row) for row in log[1:]],
            "result": {
                "winner": winner if reason == "fort" else None,
                "reason": reason,
                "turns": int(outcome["turns"]),
            },
        }
        if fault:
            raise PolicyFault(fault, trace)
        return trace

    def lines(self, first_game: int, n_games: int) -> Iterator[str]:
        """Return the traces of some games as lines of JSON."""
        for number in range(first_game, first_game + n_games):
            yield json.dumps(self.game(number), separators=(",", ":"))

    def _play(self, number: int) -> tuple[np.ndarray, list[list[int]], str]:
        """Play a game, again for each further buffer full of events.

        Returns
        -------
        outcome, events, fault
            The events as lists of words; the fault of a user's policy in words, "" if there is none.
        """
        rows: list[list[int]] = []
        outcomes = np.zeros(1, OUTCOME)
        state, log, search = new_state(), new_log(), new_search()
        while not rows or state["events"][0] > len(rows):
            log["opens_at"], log["closes_at"] = len(rows), len(rows) + LOG_ROOM
            with np.errstate(over="ignore"):
                play_games(state, self.duel.match, np.zeros(1, TOTALS), log, search, number, outcomes)
            new = log["events"][0][: int(state["events"][0]) - len(rows)]
            rows += new.view(np.int64).reshape(len(new), -1).tolist()
        stopped = outcomes["winner"][0] == STOPPED
        fault = describe_fault(self.duel, number, state[0], search[0]) if stopped else ""
        return outcomes[0], rows, fault

    @cached_property
    def _names(self) -> dict[int, str]:
        """Card names by card number."""
        return {
            first + slot: card.name
            for first, deck in zip(FIRST_CARD, self.duel.decks, strict=True)
            for slot, card in enumerate(deck.cards)
        }

    @cached_property
    def _cards(self) -> dict[str, Trace]:
        return {card.name: _face(card) for deck in self.duel.decks for card in deck.cards}


def _face(card: Card) -> Trace:
    return {
        "kind": card.kind,
        "cost": card.cost,
        "attack": card.attack,
        "health": card.health,
        "abilities": list(card.abilities),
        "auras": list(card.auras),
    }


# Every field of an event is one word of eight bytes. A whole game is converted to lists of words at once, which is much
# faster than field by field; these are the fields' places in such a list.
_WORD = 8


def _places(record: np.dtype, start: int = 0) -> SimpleNamespace:
    """Return the place of each field of a record that begins at word `start`."""
    fields: Any = record.fields
    return SimpleNamespace(**{name: start + field[1] // _WORD for name, field in fields.items()})


_EVENT = _places(events.EVENT)
_STATE = _places(STATE, _EVENT.state)
_SIDES = [_places(SIDE, _STATE.sides + side * SIDE.itemsize // _WORD) for side in range(SIDES)]
_LANES = [
    [_places(LANE, side.lanes + lane * LANE.itemsize // _WORD) for lane in range(LANES)] for side in _SIDES
]


class _Reader:
    """Reads events, as lists of words, into steps and states with the names of the cards."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = names

    def step(self, words: list[int]) -> Trace:
        """Return an event as a step of the format."""
        step: Trace
        match words[_EVENT.kind]:
            case events.START_TURN:
                step = {"do": "start_turn", "turn": words[_STATE.turn], "side": words[_STATE.active]}
                step["mana"] = words[_STATE.mana]
            case events.SUMMON:
                step = {"do": "summon", "card": self._card(words), "lane": words[_EVENT.lane]}
            case events.CAST:
                target = {name: words[getattr(_EVENT, name)] for name in ("side", "lane", "position")}
                step = {"do": "cast", "card": self._card(words), "target": target}
                step["destroyed"] = self._destroyed(words)
            case events.ATTACK:
                hit = "creature" if words[_EVENT.target] == events.AT_CREATURE else "fortress"
                step = {"do": "attack", "card": self._card(words), "lane": words[_EVENT.lane]}
                step |= {"position": words[_EVENT.position], "target": hit}
                step["destroyed"] = self._destroyed(words)
            case _:
                step = {"do": "end_turn"}
        step["state"] = self.state(words)
        return step

    def state(self, words: list[int]) -> Trace:
        """Return the state right after an event."""
        return {
            "sides": [
                {"hand": self._hand(words, side), "lanes": [self._lane(words, lane) for lane in lanes]}
                for side, lanes in zip(_SIDES, _LANES, strict=True)
            ]
        }

    def _card(self, words: list[int]) -> str:
        return self._names[words[_EVENT.card]]

    def _destroyed(self, words: list[int]) -> list[list[Any]]:
        return [[words[_EVENT.side], self._names[card]] for card in _cards(words[_EVENT.fallen])]

    def _hand(self, words: list[int], side: SimpleNamespace) -> list[str]:
        hand = [self._names[card] for card in _cards(words[side.hand])]
        hand.insert(words[side.fortress], "BASTION" if words[side.bastion] else "FORT")
        return hand

    def _lane(self, words: list[int], lane: SimpleNamespace) -> list[list[Any]]:
        damages = words[lane.damages].to_bytes(PLACES, "little")
        return [[self._names[card], damages[place]] for place, card in enumerate(_cards(words[lane.cards]))]


def _cards(cards: int) -> bytes:
    """Return the numbers in a packed list of cards, up to the first empty place."""
    return cards.to_bytes(PLACES, "little").rstrip(b"\0")
