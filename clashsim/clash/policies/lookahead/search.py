"""Every distinct way to play one's turn, each followed by the enemy's assault: what `tactician` chooses from.

A way to play is a path of actions as the core will ask for them: plays and STOP in the summon phase, then
before every activation of the assault casts and STOP. Positions reached twice are searched once. A budget
bounds the search, a far larger one where a win this turn is not excluded: no win is missed that can be reached
in as few whole turns.
"""

from clashsim.clash.core.combat import abilities_in, occupied, with_bit
from clashsim.clash.core.hand import castable_slots, summonable_slots
from clashsim.clash.core.jit import cold, jit
from clashsim.clash.core.lists import nth_place, only, total, value_at
from clashsim.clash.core.match import SPRINT_BIT, Match
from clashsim.clash.core.solo import begin_ai_turn, finish_ai_turn
from clashsim.clash.core.state import (
    ACTIVATED,
    ARRIVED,
    LANES,
    NO_WINNER,
    SIDES,
    Side,
    State,
    by_mode,
    lane_of,
    side_of,
)
from clashsim.clash.core.turn import (
    NO_ATTACKER,
    activate,
    assault,
    cast,
    end_turn,
    next_attacker,
    start_turn,
    summon,
)
from clashsim.clash.policies import GREEDY
from clashsim.clash.policies.action import CAST, STOP, SUMMON, packed, unpacked
from clashsim.clash.policies.lookahead.evaluation import evaluate
from clashsim.clash.policies.lookahead.lines import NO_PLACE, keep, place_for
from clashsim.clash.policies.lookahead.positions import (
    ASSAULTING,
    SUMMONING,
    TURN_OVER,
    is_new,
    position_key,
    times_before,
)
from clashsim.clash.policies.scratch import DEPTH, MOST_MOVES, PLAN_ROOM, Frame, Search

WIN = 1e9
REPETITION = 2.0  # what a position is worth less for each time the side has left it to the enemy before
_LONGEST_ASSAULT = 18  # words of a path: before each of 14 creatures, after the last, the phases
MOST_SPRINT = 7  # creatures that one may pass
_ORDERS = (1, 1, 2, 6)  # in which so many creatures can return

_ARRIVED_BIT = ARRIVED.bit_length() - 1
_ACTIVATED_BIT = ACTIVATED.bit_length() - 1


@cold
def prepare(search: Search, match: Match, me: int) -> None:
    """Let the search imagine the match as a side sees it: the enemy thinks as the side itself does."""
    search.match = match
    for number in range(SIDES):
        search.match.policies[number] = GREEDY  # draws no numbers, keeps the order of the destroyed
        search.match.weights[number] = match.weights[me]


@cold
def search_turn(
    state: State,
    search: Search,
    lines: int,
    most_leaves: int,
    most_leaves_for_a_win: int,
    repeats_matter: int,
) -> None:
    """Fill `search.lines` with the best ways to play the turn that has begun.

    Parameters
    ----------
    lines
        How many to keep, at most MOST_LINES; they lead to different positions. A win is kept alone.
    most_leaves
        Whole turns to be evaluated where no win is in sight.
    most_leaves_for_a_win
        Whole turns to be evaluated where a win is not excluded.
    repeats_matter
        1 to shun positions that the side has left the enemy before.
    """
    me = state.active
    search.me = me
    search.wanted = lines
    search.most_leaves = most_leaves
    search.most_leaves_for_a_win = most_leaves_for_a_win
    search.repeats_matter = repeats_matter
    search.won = 0
    search.leaves = 0
    search.count = 0
    search.stamp += 1
    search.entries[:] = 0
    search.sprint = _gives_sprint(search.match, side_of(state, me))
    search.states[0] = state
    for number in range(SIDES):
        side_of(search.states[0], number).order = 0
    search.frames[0].length = 0
    _open_summon_phase(search, 0)
    depth = 0
    while depth >= 0 and not search.won:
        frame = search.frames[depth]
        if frame.next < frame.count:
            move = frame.moves[frame.next]
            frame.next += 1
            if _make(search, depth, move):
                search.path[frame.length] = move
                depth += 1
                search.frames[depth].length = frame.length + 1
                if frame.in_assault:
                    _open_assault(search, depth)
                else:
                    _open_summon_phase(search, depth)
        elif not _go_on(search, depth):
            depth -= 1


@cold
def _open_summon_phase(search: Search, depth: int) -> None:
    """List the plays in a position of the summon phase."""
    state = search.states[depth]
    frame = search.frames[depth]
    frame.in_assault = SUMMONING
    frame.next = 0
    frame.count = 0
    if _is_too_deep(depth, frame) or not _goes_on(search, state):
        return
    _add_casts(search, state, frame, True)  # first: they open the way for those that can attack
    summonable = summonable_slots(state, search.match, side_of(state, search.me))
    for nth in range(total(summonable)):
        for lane in range(LANES):
            _add(frame, packed(SUMMON, nth_place(summonable, nth), search.me, lane, 0, 0))


@cold
def _open_assault(search: Search, depth: int) -> None:
    """List the casts between two activations: all while a win is not excluded, else those on the enemy."""
    state = search.states[depth]
    frame = search.frames[depth]
    frame.in_assault = ASSAULTING
    frame.next = 0
    frame.count = 0
    if not castable_slots(state, search.match, side_of(state, search.me)) or _is_too_deep(depth, frame):
        return
    if _goes_on(search, state):
        _add_casts(search, state, frame, may_win(search, state))


@cold
def _goes_on(search: Search, state: State) -> bool:
    """Tell whether the budget allows to search on: a larger one where a win this turn is not excluded."""
    if search.leaves < search.most_leaves:
        return True
    return search.leaves < search.most_leaves_for_a_win and may_win(search, state)


@jit
def _is_too_deep(depth: int, frame: Frame) -> bool:
    return depth + 1 >= DEPTH or frame.length + _LONGEST_ASSAULT >= PLAN_ROOM


@jit
def _add_casts(search: Search, state: State, frame: Frame, on_own: bool) -> None:
    castable = castable_slots(state, search.match, side_of(state, search.me))
    for nth in range(total(castable)):
        slot = nth_place(castable, nth)
        for number in range(SIDES if on_own else 1):
            target_side = 1 - search.me if number == 0 else search.me
            for lane in range(LANES):
                for position in range(lane_of(side_of(state, target_side), lane).length):
                    _add(frame, packed(CAST, slot, target_side, lane, position, 0))


@jit
def _add(frame: Frame, move: int) -> None:
    if frame.count < MOST_MOVES:
        frame.moves[frame.count] = move
        frame.count += 1


@cold
def _make(search: Search, depth: int, move: int) -> bool:
    """Make a play one deeper; tell whether that is a position worth searching: new, and not lost."""
    frame = search.frames[depth]
    search.states[depth + 1] = search.states[depth]
    state = search.states[depth + 1]
    side = side_of(state, search.me)
    action, order = unpacked(move)
    if action.kind == SUMMON:
        summon(state, search.match, search.log, side, action.slot, action.lane)
    else:
        target = side_of(state, action.side)
        before = _in_play(target)
        side.order = order
        cast(state, search.match, search.log, side, action.slot, action.side, action.lane, action.position)
        side.order = 0
        fell = before - _in_play(target)
        if order == 0 and action.side == search.me and fell > 1:
            for other in range(1, _ORDERS[min(fell, 3)]):
                _add(frame, packed(CAST, action.slot, action.side, action.lane, action.position, other))
        if frame.in_assault and fell == 0 and not may_win(search, state):
            return False
    return state.winner == NO_WINNER and is_new(search, state, frame.in_assault)


@cold
def _go_on(search: Search, depth: int) -> bool:
    """Make no further play here: go on to the next activation, in place; False when the turn is over."""
    state = search.states[depth]
    frame = search.frames[depth]
    side = side_of(state, search.me)
    search.path[frame.length] = STOP
    frame.length += 1
    if not frame.in_assault:
        frame.in_assault = ASSAULTING
        search.path[frame.length] = STOP  # casts before the first activation have been tried as plays
        frame.length += 1
    lane, position = next_attacker(state, side)
    if position == NO_ATTACKER:
        _finish(search, state, frame.length)
        return False
    _activate(search, state, search.me, lane, position)
    if state.winner != NO_WINNER:
        search.won = 1
        search.count = 0
        keep(search, 0, WIN, frame.length)
        return False
    _open_assault(search, depth)
    return True


@cold
def _activate(search: Search, state: State, number: int, lane: int, position: int) -> None:
    side = side_of(state, number)
    enemy = side_of(state, 1 - number)
    activate(state, search.match, search.log, side, enemy, lane, position)


@cold
def _finish(search: Search, state: State, length: int) -> None:
    """Let the enemy attack with what stands, and keep the path if it is the best so far."""
    search.leaves += 1
    me = search.me
    end_turn(state, search.log)
    key = position_key(state, TURN_OVER)
    search.end = state
    answer(state, search, 1 - me)
    value = evaluate(state, search.match, me)
    if state.winner == 1 - me:
        value -= WIN
    elif state.winner == me:  # who has survived the AI's last turn (R36)
        value += WIN
        search.won = 1
        search.count = 0
    if search.repeats_matter:
        value -= REPETITION * times_before(search, key)
    place = place_for(search, value, key)
    if place != NO_PLACE:
        keep(search, place, value, length)
        search.lines[place].key = key
        search.lines[place].end = search.end
        search.lines[place].leaf = state


@jit
def _answer(state: State, search: Search, number: int) -> None:
    """Play a side's whole turn without any play: its creatures attack."""
    side = side_of(state, number)
    start_turn(state, search.match, search.log, side, number)
    assault(state, search.match, search.log, side, side_of(state, 1 - number))
    if state.winner == NO_WINNER:
        end_turn(state, search.log)


@jit
def _answer_solo(state: State, search: Search, number: int) -> None:
    begin_ai_turn(state, search.match, search.log)
    finish_ai_turn(state, search.match, search.log)


answer = by_mode(_answer, _answer_solo)
"""Let the enemy attack with what stands, without any play; of the AI's deck nobody knows what comes next (R43)."""


@cold
def may_win(search: Search, state: State) -> bool:
    """Tell whether a win this turn is not excluded by the damage that could reach the enemy's fortress at most.

    Only creatures that were in play before the turn attack it (R10, R23), each once (R11, R26); the cards in
    the enemy's hand only get more (R12), and so do those that the AI has still to lose. A solo game is won once
    the AI has had its last turn (R36), in which it can do nothing but attack.
    """
    side = side_of(state, search.me)
    enemy = side_of(state, 1 - search.me)
    needed = damage_needed(state, enemy)
    potential = 0
    for lane_number in range(LANES):
        lane = lane_of(side, lane_number)
        able = occupied(lane) & ~with_bit(lane.marks | lane.marks >> _ACTIVATED_BIT, _ARRIVED_BIT)
        sprinting = able if search.sprint else able & with_bit(abilities_in(lane), SPRINT_BIT)
        potential += total(only(lane.attacks, able)) + MOST_SPRINT * total(sprinting)
    return potential >= needed


@jit
def _damage_needed(state: State, enemy: Side) -> int:
    return enemy.hand_size - enemy.fortress + (enemy.hand_size if enemy.bastion else 0)


@jit
def _damage_needed_solo(state: State, enemy: Side) -> int:
    if state.last_turn > 0:
        return 0
    new_deck = enemy.deck_size + enemy.discard_size if enemy.bastion else 0
    return enemy.deck_size + new_deck


damage_needed = by_mode(_damage_needed, _damage_needed_solo)
"""Return how much damage to its fortress at least decides the game."""


@jit
def _gives_sprint(match: Match, side: Side) -> int:
    """Return 1 if a card of the side, in hand or in play, gives Sprint to its neighbours."""
    auras = 0
    for slot in range(side.hand_size):
        auras |= match.cards[value_at(side.hand, slot)].auras
    for lane_number in range(LANES):
        lane = lane_of(side, lane_number)
        for position in range(lane.length):
            auras |= value_at(lane.auras, position)
    return (auras >> SPRINT_BIT) & 1


@jit
def _in_play(side: Side) -> int:
    return lane_of(side, 0).length + lane_of(side, 1).length
