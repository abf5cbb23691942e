"""The events of the core (core/events.py) read into the steps and states of a trace, with the names of the cards."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from clashsim.clash.core import events
from clashsim.clash.core.lists import PLACES
from clashsim.clash.core.state import AI, LANES, SIDES
from clashsim.clash.core.wide import WIDE_PLACES

Trace = dict[str, Any]


class Event(NamedTuple):
    """An event as it lies in memory: by words, as most of its fields are, and by bytes, as lists are (core/lists.py).

    A whole game is converted at once, which is much faster than field by field.
    """

    words: list[int]
    data: bytes


def events_of(recorded: np.ndarray) -> list[Event]:
    """Return recorded events, EVENT or SOLO_EVENT, in a form to read from."""
    size, data = recorded.dtype.itemsize, recorded.tobytes()
    words = np.frombuffer(data, np.int64).reshape(len(recorded), -1).tolist()
    return [
        Event(row, data[start : start + size])
        for row, start in zip(words, range(0, len(data), size), strict=True)
    ]


_WORD = 8


def _places(record: np.dtype, start: int = 0) -> SimpleNamespace:
    """Return the place of each field of a record, in words, if it begins at word `start`."""
    fields: Any = record.fields
    return SimpleNamespace(**{name: start + field[1] // _WORD for name, field in fields.items()})


class _Layout:
    """Where the fields of an event are, and how long the lists of its lanes."""

    def __init__(self, event: np.dtype, lane_places: int) -> None:
        kinds: Any = event.fields
        state = kinds["state"][0]
        side = state.fields["sides"][0].base
        lane = side.fields["lanes"][0].base
        self.lane_places = lane_places
        self.event = _places(event)
        self.state = _places(state, self.event.state)
        self.sides = [
            _places(side, self.state.sides + number * side.itemsize // _WORD) for number in range(SIDES)
        ]
        self.lanes = [
            [_places(lane, place.lanes + number * lane.itemsize // _WORD) for number in range(LANES)]
            for place in self.sides
        ]


_DUEL = _Layout(events.EVENT, PLACES)
_SOLO = _Layout(events.SOLO_EVENT, WIDE_PLACES)


class EventReader:
    """Reads events into steps and states.

    Parameters
    ----------
    names : mapping of int to str
        Of the cards, by their numbers.
    solo : bool
        Whether the events are those of a solo game.
    """

    def __init__(self, names: Mapping[int, str], solo: bool = False) -> None:
        self._names = names
        self._solo = solo
        self._at = _SOLO if solo else _DUEL

    def step(self, event: Event) -> Trace:
        """Return an event as a step of the format."""
        words, at = event.words, self._at.event
        step: Trace
        match words[at.kind]:
            case events.START_TURN:
                state = self._at.state
                step = {"do": "start_turn", "turn": words[state.turn], "side": words[state.active]}
                step["mana"] = words[state.mana]
            case events.SUMMON:
                step = {"do": "summon", "card": self._card(words), "lane": words[at.lane]}
            case events.CAST:
                step = {"do": "cast", "card": self._card(words), "target": self._target(words)}
                step["destroyed"] = self._destroyed(event)
            case events.ATTACK:
                hit = "creature" if words[at.target] == events.AT_CREATURE else "fortress"
                step = {"do": "attack", "card": self._card(words), "lane": words[at.lane]}
                step |= {"position": words[at.position], "target": hit}
                step["destroyed"] = self._destroyed(event)
            case events.RESHUFFLE:
                step = {"do": "reshuffle", "deck": self._deck(event, self._at.sides[AI])}
            case _:
                step = {"do": "end_turn"}
        step["state"] = self.state(event)
        return step

    def state(self, event: Event) -> Trace:
        """Return the state right after an event."""
        return {"sides": [self._side(event, number) for number in range(SIDES)]}

    def _side(self, event: Event, number: int) -> Trace:
        side = self._at.sides[number]
        lanes = [self._lane(event, lane) for lane in self._at.lanes[number]]
        if self._solo and number == AI:
            discard = self._pile(event, side.discard, side.discard_size)
            fortress = _fortress(event, side)
            return {"deck": self._deck(event, side), "discard": discard, "fortress": fortress, "lanes": lanes}
        return {"hand": self._hand(event, side), "lanes": lanes}

    def _card(self, words: list[int]) -> str:
        return self._names[words[self._at.event.card]]

    def _target(self, words: list[int]) -> Trace | None:
        at = self._at.event
        if words[at.position] == events.NO_TARGET:
            return None
        return {"side": words[at.side], "lane": words[at.lane], "position": words[at.position]}

    def _destroyed(self, event: Event) -> list[list[Any]]:
        owner = event.words[self._at.event.side]
        return [[owner, self._names[card]] for card in _listed(event, self._at.event.fallen)]

    def _hand(self, event: Event, side: SimpleNamespace) -> list[str]:
        hand = [self._names[card] for card in _listed(event, side.hand)]
        hand.insert(event.words[side.fortress], _fortress(event, side))
        return hand

    def _deck(self, event: Event, side: SimpleNamespace) -> list[str]:
        """Return the AI's deck, the top card first."""
        return self._pile(event, side.deck, side.deck_size)[::-1]

    def _pile(self, event: Event, place: int, size: int) -> list[str]:
        return [self._names[card] for card in _bytes_at(event, place, event.words[size])]

    def _lane(self, event: Event, lane: SimpleNamespace) -> list[list[Any]]:
        width = self._at.lane_places
        damages = _bytes_at(event, lane.damages, width)
        cards = _listed(event, lane.cards, width)
        return [[self._names[card], damages[place]] for place, card in enumerate(cards)]


def _fortress(event: Event, side: SimpleNamespace) -> str:
    return "BASTION" if event.words[side.bastion] else "FORT"


def _bytes_at(event: Event, place: int, length: int) -> bytes:
    return event.data[place * _WORD : place * _WORD + length]


def _listed(event: Event, place: int, width: int = PLACES) -> bytes:
    """Return the numbers in a list of cards, up to the first empty place."""
    return _bytes_at(event, place, width).rstrip(b"\0")
