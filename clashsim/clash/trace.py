"""Games step by step, as records that anyone can check by the rules ("clashsim-trace/1").

The steps come from the event buffer of the core that plays the counted games (trace_reading.py).
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from clashsim.clash.cards import Card
from clashsim.clash.core.duel import OUTCOME, TOTALS, play_games
from clashsim.clash.core.events import LOG, LOG_ROOM, SOLO_LOG, new_log
from clashsim.clash.core.solo import SOLO_OUTCOME, play_solo_games
from clashsim.clash.core.state import AI, NO_WINNER, PLAYER, SOLO_STATE, STATE, STOPPED, one_record
from clashsim.clash.duels import Duel
from clashsim.clash.faults import PolicyFault, describe_fault
from clashsim.clash.policies.scratch import SEARCH, SOLO_SEARCH, new_search
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import SoloSettings
from clashsim.clash.solos import Solo
from clashsim.clash.trace_checks import PRICE_SWITCHES
from clashsim.clash.trace_files import FORMAT
from clashsim.clash.trace_reading import Event, EventReader, Trace, events_of

AI_DECK = "ai"  # named in the place of a deck: the AI has all other cards


class _Mode(NamedTuple):
    """What games are played with, and the records that it takes."""

    play: Callable
    state: np.dtype
    log: np.dtype
    search: np.dtype
    outcome: np.dtype


_DUEL = _Mode(play_games, STATE, LOG, SEARCH, OUTCOME)
_SOLO = _Mode(play_solo_games, SOLO_STATE, SOLO_LOG, SOLO_SEARCH, SOLO_OUTCOME)


@dataclass(frozen=True)
class Tracer:
    """Traces the games of one condition: of duels, or of solo games."""

    condition: Duel | Solo

    def game(self, number: int) -> Trace:
        """Return the trace of game `number` of the condition.

        Raises
        ------
        PolicyFault
            A user's policy did what it may not; the trace of the game up to there is in the error.
        """
        outcome, events, fault = self._play(number)
        reader = EventReader(self._names, solo=isinstance(self.condition, Solo))
        winner, reason = _end(self.condition, int(outcome["winner"]))
        trace = {
            "format": FORMAT,
            **self._heading(number),
            "setup": reader.state(events[0]),
            "steps": [reader.step(event) for event in events[1:]],
            "result": {"winner": winner, "reason": reason, "turns": int(outcome["turns"])},
        }
        if fault:
            raise PolicyFault(fault, trace)
        return trace

    def lines(self, first_game: int, n_games: int) -> Iterator[str]:
        """Return the traces of some games as lines of JSON."""
        for number in range(first_game, first_game + n_games):
            yield json.dumps(self.game(number), separators=(",", ":"))

    def _play(self, number: int) -> tuple[np.ndarray, list[Event], str]:
        """Play a game, again for each further buffer full of events.

        Returns
        -------
        outcome, events, fault
            The fault of a user's policy in words, "" if there is none.
        """
        mode = _SOLO if isinstance(self.condition, Solo) else _DUEL
        events: list[Event] = []
        outcomes, totals = np.zeros(1, mode.outcome), np.zeros(1, TOTALS)
        state, log, search = one_record(mode.state), new_log(mode.log), new_search(mode.search)
        while not events or state["events"][0] > len(events):
            log["opens_at"], log["closes_at"] = len(events), len(events) + LOG_ROOM
            with np.errstate(over="ignore"):
                mode.play(state, self.condition.match, totals, log, search, number, outcomes)
            events += events_of(log["events"][0][: int(state["events"][0]) - len(events)])
        stopped = outcomes["winner"][0] == STOPPED
        fault = describe_fault(self.condition, number, state[0], search[0]) if stopped else ""
        return outcomes[0], events, fault

    def _heading(self, number: int) -> Trace:
        """Return what is known of a game before it begins."""
        condition = self.condition
        policies: list[str | None] = [policy.name for policy in condition.policies]
        mode: Trace = {"mode": "duel", "rules": _rules(condition.rules)}
        first = number & 1
        if isinstance(condition, Solo):
            mode = {**mode, "mode": "solo", "solo": _settings(condition.settings)}
            first = AI if condition.settings.first == "ai" else PLAYER
            policies, decks = [*policies, None], [condition.deck_name, AI_DECK]
        else:
            decks = [deck.name for deck in condition.decks]
        return {
            **mode,
            "cards": self._cards,
            "first": first,
            "policies": policies,
            "seed": condition.seed,
            "game": number,
            "decks": decks,
        }

    @cached_property
    def _names(self) -> dict[int, str]:
        """Card names by card number."""
        return {number: card.name for number, card in self.condition.numbered_cards.items()}

    @cached_property
    def _cards(self) -> dict[str, Trace]:
        return {card.name: _face(card) for card in self.condition.numbered_cards.values()}


def _end(condition: Duel | Solo, winner: int) -> tuple[int | None, str]:
    """Return who won, if anybody, and why the game ended (R17, R31, R36)."""
    if winner == STOPPED:
        return None, "stopped"
    if winner == NO_WINNER:
        return None, "turn_limit"
    return winner, "last_turn" if isinstance(condition, Solo) and winner == PLAYER else "fort"


def _rules(rules: Rules) -> Trace:
    return {name: value for name, value in rules.as_dict().items() if name not in PRICE_SWITCHES}


def _settings(settings: SoloSettings) -> Trace:
    return {**settings.as_dict(), "ability": next(iter(settings.given), None)}


def _face(card: Card) -> Trace:
    return {
        "kind": card.kind,
        "cost": card.cost,
        "attack": card.attack,
        "health": card.health,
        "abilities": list(card.abilities),
        "auras": list(card.auras),
    }
