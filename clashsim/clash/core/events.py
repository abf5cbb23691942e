"""The event buffer: every step of a game with the state right after it, filled where it has room.

Games that are counted run with a closed buffer, games that are traced with an open one, through the same
compiled code. A game with more events than a buffer holds is played again with the buffer opened further on
(LOG.opens_at).
"""

from typing import TypeAlias

import numpy as np

from clashsim.clash.core.jit import cold, jit
from clashsim.clash.core.state import STATE, State, record

SETUP, START_TURN, SUMMON, CAST, ATTACK, END_TURN = range(6)
AT_CREATURE, AT_FORTRESS = 0, 1

EVENT = record(
    [
        ("kind", np.int64),
        ("card", np.int64),
        ("side", np.int64),  # of a cast's target
        ("lane", np.int64),
        ("position", np.int64),
        ("target", np.int64),  # of an attack: AT_CREATURE or AT_FORTRESS
        ("fallen", np.int64),  # destroyed cards in the order of their return (lists.py)
        ("state", STATE),
    ]
)


LOG_ROOM = 2048
LOG = record(
    [
        ("opens_at", np.int64),  # number of the first event of the game that is recorded
        ("closes_at", np.int64),  # number of the first one after it that is not
        ("events", EVENT, LOG_ROOM),
    ]
)


Log: TypeAlias = np.record  # for annotations


def new_log() -> np.ndarray:
    """Return an array of one LOG that is closed; its memory is not touched before it is opened."""
    log = np.empty(1, LOG)
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
