"""The event buffer: every step of a game with the state right after it, filled where it has room.

Games that are counted run with a closed buffer, games that are traced with an open one, through the same
compiled code. A game with more events than a buffer holds is played again with the buffer opened further on
(LOG.opens_at).
"""

from typing import TypeAlias

import numpy as np

from clashsim.clash.core.jit import cold, jit
from clashsim.clash.core.state import SHORT_SOLO_STATE, SOLO_STATE, STATE, State, record, wide_record

SETUP, START_TURN, SUMMON, CAST, ATTACK, RESHUFFLE, END_TURN = range(7)
NO_TARGET = -1  # position of what an Incantation of the AI's hits that finds no creature (R34)
AT_CREATURE, AT_FORTRESS = 0, 1

LOG_ROOM = 2048


def _event_fields(state: np.dtype) -> list[tuple]:
    return [
        ("kind", np.int64),
        ("card", np.int64),
        ("side", np.int64),  # of a cast's target
        ("lane", np.int64),
        ("position", np.int64),
        ("target", np.int64),  # of an attack: AT_CREATURE or AT_FORTRESS
        ("fallen", np.int64),  # destroyed cards in the order of their return (lists.py)
        ("state", state),
    ]


def _log_fields(event: np.dtype) -> list[tuple]:
    return [
        ("opens_at", np.int64),  # number of the first event of the game that is recorded
        ("closes_at", np.int64),  # number of the first one after it that is not
        ("events", event, LOG_ROOM),
    ]


EVENT = record(_event_fields(STATE))
LOG = record(_log_fields(EVENT))
SOLO_EVENT = wide_record(_event_fields(SOLO_STATE))
SOLO_LOG = wide_record(_log_fields(SOLO_EVENT))
SHORT_SOLO_LOG = record(_log_fields(record(_event_fields(SHORT_SOLO_STATE))))  # never opened


Log: TypeAlias = np.record  # for annotations


def new_log(log_type: np.dtype = LOG) -> np.ndarray:
    """Return an array of one LOG, or SOLO_LOG, that is closed; its memory is not touched before it is opened."""
    log = np.empty(1, log_type)
    log["opens_at"] = log["closes_at"] = 0
    return log


@jit
def note(
    log: Log,
    state: State,
    kind: int,
    card: int,
    side: int,
    lane: int,
    position: int,
    target: int,
    fallen: int,
) -> None:
    """Record a step, if the buffer is open."""
    if log.closes_at > 0:
        _write(log, state, kind, card, side, lane, position, target, fallen)


@jit
def note_phase(log: Log, state: State, kind: int) -> None:
    """Record a step that no card takes part in."""
    note(log, state, kind, 0, 0, 0, 0, 0, 0)


@cold
def _write(
    log: Log,
    state: State,
    kind: int,
    card: int,
    side: int,
    lane: int,
    position: int,
    target: int,
    fallen: int,
) -> None:
    if log.opens_at <= state.events < log.closes_at:
        event = log.events[state.events - log.opens_at]
        event.kind = kind
        event.card = card
        event.side = side
        event.lane = lane
        event.position = position
        event.target = target
        event.fallen = fallen
        event.state = state
    state.events += 1
