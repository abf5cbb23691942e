"""Games step by step, as records that anyone can check by the rules ("clashsim-trace/1").

The steps come from the event buffer of the core that plays the counted games; here they only get their names.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from clashsim.clash.cards import Card
from clashsim.clash.core import events
from clashsim.clash.core.duel import OUTCOME, TOTALS, play_games
from clashsim.clash.core.events import LOG_ROOM, new_log
from clashsim.clash.core.lists import BYTE, BYTE_MASK
from clashsim.clash.core.state import FIRST_CARD, NO_WINNER, new_state
from clashsim.clash.duels import Duel

FORMAT = "clashsim-trace/1"

Trace = dict[str, Any]


@dataclass(frozen=True)
class Tracer:
    """Traces the games of one condition."""

    duel: Duel

    def game(self, number: int) -> Trace:
        """Return the trace of game `number` of the condition."""
        outcome, log = self._play(number)
        noted = [_Event(row, self._names) for row in log]
        steps: list[Trace] = [event.step() for event in noted[1:]]
        winner = int(outcome["winner"])
        policies = [policy.name for policy in self.duel.policies]
        return {
            "format": FORMAT,
            "mode": "duel",
            "rules": self.duel.rules.as_dict(),
            "cards": self._cards,
            "first": number & 1,
            "policies": policies,
            "seed": self.duel.seed,
            "game": number,
            "decks": [deck.name for deck in self.duel.decks],
            "setup": noted[0].state(),
            "steps": steps,
            "result": {
                "winner": None if winner == NO_WINNER else winner,
                "reason": "turn_limit" if winner == NO_WINNER else "fort",
                "turns": int(outcome["turns"]),
            },
        }

    def lines(self, first_game: int, n_games: int) -> Iterator[str]:
        """Return the traces of some games as lines of JSON."""
        for number in range(first_game, first_game + n_games):
            yield json.dumps(self.game(number), ensure_ascii=False, separators=(",", ":"))

    def _play(self, number: int) -> tuple[np.ndarray, list[np.ndarray]]:
        """Play a game, again for each further buffer full of events."""
        blocks: list[np.ndarray] = []
        outcomes = np.zeros(1, OUTCOME)
        state, log = new_state(), new_log()
        while not blocks or state["events"][0] > log["closes_at"][0]:
            opens_at = LOG_ROOM * len(blocks)
            log = new_log()
            log["opens_at"], log["closes_at"] = opens_at, opens_at + LOG_ROOM
            with np.errstate(over="ignore"):
                play_games(state, self.duel.match, np.zeros(1, TOTALS), log, number, outcomes)
            blocks.append(log["events"][0][: min(int(state["events"][0]) - opens_at, LOG_ROOM)])
        return outcomes[0], [row for block in blocks for row in block]

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


@dataclass(frozen=True)
class _Event:
    """One row of the event buffer, read with the names of the cards."""

    row: Any  # an element of an array of EVENT
    names: dict[int, str]

    def step(self) -> Trace:
        """Return the step as the format has it."""
        row = self.row
        match row["kind"]:
            case events.START_TURN:
                state = row["state"]
                step = {
                    "do": "start_turn",
                    "turn": int(state["turn"]),
                    "side": int(state["active"]),
                    "mana": int(state["mana"]),
                }
            case events.SUMMON:
                step = {"do": "summon", "card": self._card, "lane": int(row["lane"])}
            case events.CAST:
                target = {key: int(row[key]) for key in ("side", "lane", "position")}
                step = {"do": "cast", "card": self._card, "target": target, "destroyed": self._destroyed()}
            case events.ATTACK:
                step = {
                    "do": "attack",
                    "card": self._card,
                    "lane": int(row["lane"]),
                    "position": int(row["position"]),
                    "target": "creature" if row["target"] == events.AT_CREATURE else "fortress",
                    "destroyed": self._destroyed(),
                }
            case _:
                step = {"do": "end_turn"}
        return step | {"state": self.state()}

    @property
    def _card(self) -> str:
        return self.names[int(self.row["card"])]

    def _destroyed(self) -> list[list[Any]]:
        return [[int(self.row["side"]), self.names[card]] for card in _bytes(self.row["fallen"])]

    def state(self) -> Trace:
        """Return the state right after the step."""
        return {"sides": [self._side(side) for side in self.row["state"]["sides"]]}

    def _side(self, side: Any) -> Trace:
        hand = [self.names[card] for card in _bytes(side["hand"])]
        hand.insert(int(side["fortress"]), "BASTION" if side["bastion"] else "FORT")
        return {"hand": hand, "lanes": [self._lane(lane) for lane in side["lanes"]]}

    def _lane(self, lane: Any) -> list[list[Any]]:
        damages = int(lane["damages"])
        return [
            [self.names[card], damages >> (BYTE * place) & BYTE_MASK]
            for place, card in enumerate(_bytes(lane["cards"]))
        ]


def _bytes(values: np.integer) -> list[int]:
    """Return the values of a packed list of cards: up to the first empty place."""
    return [value for value in int(values).to_bytes(8, "little") if value]
