"""What a user's policy did that it may not, in words: the action, why it is illegal, or the error it raised."""

import json
from collections.abc import Mapping
from itertools import count
from pathlib import Path

import numpy as np

from clashsim.clash.cards import Card
from clashsim.clash.core.lists import PLACES
from clashsim.clash.core.state import LANES
from clashsim.clash.duels import Duel
from clashsim.clash.policies.users.answers import (
    CAST,
    MINE,
    NOWHERE,
    SUMMON,
    THEIRS,
    is_action,
    kind_of,
    lane_of,
    position_of,
    side_of,
    slot_of,
)
from clashsim.clash.policies.users.decide import RAISED
from clashsim.clash.policies.users.loading import function_at, place_in
from clashsim.clash.policies.users.seeing import fill_view
from clashsim.clash.policies.users.view import SOLO_VIEW, VIEW
from clashsim.clash.solos import Solo
from clashsim.clash.trace_files import Trace, new_trace_file
from clashsim.errors import CheckFailed

_PHASES = "summon phase", "assault phase"
_LANES = "upper", "lower"
_NO_ACTION = "expected STOP, summon(slot, lane), cast(slot, side, lane, position) or one of view.actions"


class PolicyFault(CheckFailed):
    """A user's policy did what it may not, and the game was stopped.

    Attributes
    ----------
    trace : dict
        The game up to there (clashsim-trace/1), which ends with reason "stopped".
    """

    def __init__(self, message: str, trace: Trace) -> None:
        super().__init__(message)
        self.trace = trace


def describe_fault(condition: Duel | Solo, game: int, state: np.record, search: np.record) -> str:
    """Return one line on a game that was stopped, from the state in which it was and the unit's notes."""
    policy = condition.policies[int(state.active)]
    where = _place(condition, game, state, search)
    if search.fault == RAISED:
        return f"policy {policy.name}: it raises an error in {where}: {_error(condition, state, search)}"
    action, reason = _illegal(condition, state, bool(search.in_assault), int(search.answer))
    return f"policy {policy.name}: illegal action in {where}: {action}: {reason}"


def _place(condition: Duel | Solo, game: int, state: np.record, search: np.record) -> str:
    when = f"turn {int(state.turn)}, {_PHASES[search.in_assault]}"
    if isinstance(condition, Solo):
        return f"solo game {game} of deck {condition.deck_name} (seed {condition.seed}), {when}"
    decks = ",".join(deck.name for deck in condition.decks)
    return f"game {game} of decks {decks} (seed {condition.seed}), {when}, playing {'AB'[int(state.active)]}"


def _error(condition: Duel | Solo, state: np.record, search: np.record) -> str:
    """Ask the function once more, as plain Python, for what it raises."""
    policy = condition.policies[int(state.active)]
    view = np.zeros(1, SOLO_VIEW if isinstance(condition, Solo) else VIEW)[0]
    with np.errstate(over="ignore"):
        fill_view(state, condition.match[0], int(search.in_assault), view)
    try:
        with np.errstate(divide="raise", invalid="raise"):  # as the compiled function does
            function_at(policy.chooser)(view)
    except Exception as error:
        place = place_in(error, policy.python_files[0])
        return f"{place}{type(error).__name__}: {error}".rstrip(": ")
    return "only when compiled, not as plain Python"


def _illegal(condition: Duel | Solo, state: np.record, in_assault: bool, answer: int) -> tuple[str, str]:
    """Return an action in words, and why it is illegal."""
    if not is_action(answer):
        return f"{answer} is no action", _NO_ACTION
    side, mana = state.sides[int(state.active)], int(state.mana)
    slot, lane = int(slot_of(answer)), int(lane_of(answer))
    summons = kind_of(answer) == SUMMON
    card = _card_at(condition.numbered_cards, int(side.hand), slot)
    named = f"{'summon' if summons else 'cast'} of {'a slot out of bounds' if slot == NOWHERE else f'slot {slot}'}"
    if card is None:
        return named, f"there is no such slot: {int(side.hand_size)} cards are in hand, from slot 0"
    named = f"{named} ({card.name}, cost {card.cost})"
    target = (
        f"{_LANES[lane]} lane"
        if lane < LANES
        else "lane out of bounds"
        if lane == NOWHERE
        else f"lane {lane}"
    )
    if summons:
        named = f"{named} into the {target} with {mana} mana left"
    else:
        owner = {MINE: "own", THEIRS: "enemy"}.get(int(side_of(answer)), f"(side {side_of(answer)})")
        place = f"position {position_of(answer)} of the {target}"
        named = f"{named} on the {owner} creature at {place} with {mana} mana left"
    if kind_of(answer) == CAST and card.kind != "incantation":
        return named, "it is a creature; expected summon(slot, lane)"
    if summons and card.kind == "incantation":
        return named, "it is an Incantation; expected cast(slot, side, lane, position)"
    if slot >= condition.rules.window:
        return named, f"only the {condition.rules.window} leftmost cards can be reached (R4)"
    if card.cost > mana:
        return named, "it costs more (R4)"
    if summons:
        return named, _why_no_summon(side, slot, lane, in_assault)
    return named, "there is no creature (R8)"


def _why_no_summon(side: np.record, slot: int, lane: int, in_assault: bool) -> str:
    if in_assault:
        return "creatures are summoned in the summon phase only (R8)"
    if lane >= LANES:
        return "expected the lane UPPER or LOWER"
    if side.hand_size == 1:
        return "the last card must stay in hand (R7)"
    if side.fortress == side.hand_size - 1 == slot:
        return "it would breach the own fortress, which the rules of this run forbid (R19)"
    return "expected an action as summon(slot, lane) makes it"


def _card_at(cards: Mapping[int, Card], hand: int, slot: int) -> Card | None:
    return cards.get(hand.to_bytes(PLACES, "little")[slot]) if slot < PLACES else None


def save_trace(trace: Trace, folder: str | None) -> Path:
    """Write the trace of a game that was stopped into a folder, by default the current one, under a new name.

    Raises
    ------
    InputError
        If it can not be written there.
    """
    home = Path(folder) if folder is not None and Path(folder).is_dir() else Path()
    name = f"stopped-game-{trace['game']}"
    path = home / f"{name}.jsonl"
    for number in count(2):
        if not path.exists():
            break
        path = home / f"{name}-{number}.jsonl"
    with new_trace_file(path) as file:
        print(json.dumps(trace, separators=(",", ":")), file=file)
    return path


def last_turn(trace: Trace) -> Trace:
    """Return what a trace tells of its last turn, as a trace of its own to be drawn."""
    steps = trace["steps"]
    start = max((index for index, step in enumerate(steps) if step["do"] == "start_turn"), default=0)
    return trace | {"setup": steps[start - 1]["state"] if start else trace["setup"], "steps": steps[start:]}
