"""Check that a record is the trace of a duel: its keys, types and names, each step against the state before.

No referee: enough for a drawing that says nothing wrong, but whether a step was legal is not looked at.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clashsim.clash.card_checks import check_card, check_text, shown
from clashsim.clash.cards import Card
from clashsim.clash.rules import SWITCHES, Rules
from clashsim.errors import InputError, nearest

FORTRESSES = ("BASTION", "FORT")

_KEYS = ("rules", "cards", "first", "policies", "seed", "decks", "setup", "steps", "result")
_CARD_KEYS = ("kind", "cost", "attack", "health", "abilities", "auras")
_LATER_SWITCHES = ("first_mana", "window")  # traces may leave them out
_STEP_KEYS = {
    "start_turn": ("turn", "side", "mana"),
    "summon": ("card", "lane"),
    "cast": ("card", "target", "destroyed"),
    "attack": ("card", "lane", "position", "target", "destroyed"),
    "end_turn": (),
}

Record = Mapping[str, Any]


def check_trace(trace: Record, where: str) -> None:
    """Check a whole trace of a duel whose format is already known to be the right one.

    Parameters
    ----------
    trace : mapping
        As JSON gives it.
    where : str
        The file, the line and the game, for error messages.

    Raises
    ------
    InputError
        At the first thing that is malformed, naming its place in the trace.
    """
    check_keys(trace, ("mode",), where)
    if trace["mode"] == "solo":
        raise InputError(f"{where}: a solo game; only duels can be drawn so far")
    _choice(trace["mode"], ("duel",), f"{where}: mode")
    check_keys(trace, _KEYS, where)
    _choice(trace["first"], (0, 1), f"{where}: first")
    whole(trace["seed"], f"{where}: seed")
    for key in ("policies", "decks"):
        for name in _list(trace[key], f"{where}: {key}", length=2):
            check_text(name, key, where)
    rules_of(trace["rules"], f"{where}: rules")
    cards = cards_of(trace["cards"], f"{where}: cards")
    _check_state(trace["setup"], cards, f"{where}: setup")
    _check_steps(trace, cards, where)
    _check_result(trace["result"], f"{where}: result")


def rules_of(record: Any, where: str = "rules") -> Rules:
    """Return the rules that a trace names."""
    check_keys(record, [name for name in SWITCHES if name not in _LATER_SWITCHES], where)
    try:
        return Rules(**{name: record[name] for name in SWITCHES if name in record})
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def cards_of(record: Any, where: str = "cards") -> dict[str, Card]:
    """Return the cards that a trace names, by name."""
    check_keys(record, (), where)
    return {name: _card(name, face, f"{where}[{shown(name)}]") for name, face in record.items()}


def _card(name: str, face: Any, where: str) -> Card:
    check_keys(face, _CARD_KEYS, where)
    fields = {key: face[key] for key in _CARD_KEYS}
    if fields["health"] is None:  # as traces write the health of an Incantation
        del fields["health"]
    return Card(**check_card({"name": name, **fields}, where))


def _check_result(result: Any, where: str) -> None:
    check_keys(result, ("winner", "reason", "turns"), where)
    winner = _choice(result["winner"], (0, 1, None), f"{where}: winner")
    _choice(result["reason"], ("turn_limit", "stopped") if winner is None else ("fort",), f"{where}: reason")
    whole(result["turns"], f"{where}: turns", least=1)


def _check_state(state: Any, cards: Mapping[str, Card], where: str) -> None:
    check_keys(state, ("sides",), where)
    for number, side in enumerate(_list(state["sides"], f"{where}: sides", length=2)):
        _check_side(side, cards, f"{where}: sides[{number}]")


def _check_side(side: Any, cards: Mapping[str, Card], where: str) -> None:
    check_keys(side, ("hand", "lanes"), where)
    hand = _list(side["hand"], f"{where}: hand")
    names = [_choice(name, (*FORTRESSES, *cards), f"{where}: hand: card") for name in hand]
    if sum(name in FORTRESSES for name in names) != 1:
        raise InputError(f"{where}: hand: expected exactly one fortress, {' or '.join(FORTRESSES)}")
    creatures = [name for name, card in cards.items() if card.kind == "creature"]
    for number, lane in enumerate(_list(side["lanes"], f"{where}: lanes", length=2)):
        spot = f"{where}: lanes[{number}]"
        for entry in _list(lane, spot):
            name, damage = _list(entry, f"{spot}: creature", length=2)
            names.append(_choice(name, creatures, f"{spot}: creature"))
            whole(damage, f"{spot}: damage of {name}")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise InputError(f"{where}: {twice} is there twice; expected every card once")


def _check_steps(trace: Record, cards: Mapping[str, Card], where: str) -> None:
    before = trace["setup"]
    active: int | None = None  # the side whose turn it is
    if not _list(trace["steps"], f"{where}: steps"):
        raise InputError(f"{where}: no steps; expected at least a start_turn")
    for index, step in enumerate(trace["steps"]):
        spot = f"{where}: steps[{index}]"
        check_keys(step, ("do", "state"), spot)
        do = _choice(step["do"], tuple(_STEP_KEYS), f"{spot}: do")
        spot += f" ({do})"
        check_keys(step, _STEP_KEYS[do], spot)
        _check_state(step["state"], cards, f"{spot}: state")
        if (active is None) != (do == "start_turn"):
            raise InputError(f"{spot}: expected {'a start_turn' if active is None else 'no start_turn'} here")
        if active is None:
            active = _check_start(step, spot)
        elif do != "end_turn":
            _check_move(step, before, active, cards, spot)
        _check_in_play(step, before, active, spot)
        before, active = step["state"], None if do == "end_turn" else active


def _check_start(step: Record, where: str) -> int:
    whole(step["turn"], f"{where}: turn", least=1)
    whole(step["mana"], f"{where}: mana")
    return _choice(step["side"], (0, 1), f"{where}: side")


def _check_move(step: Record, before: Record, active: int, cards: Mapping[str, Card], where: str) -> None:
    """Check what a summon, cast or attack names against the state before it."""
    own, enemy = before["sides"][active], before["sides"][1 - active]
    match step["do"]:
        case "attack":
            lane = _choice(step["lane"], (0, 1), f"{where}: lane")
            _check_stands(own, lane, step["position"], where, step["card"])
            target = _choice(step["target"], ("creature", "fortress"), f"{where}: target")
            if target == "creature" and not enemy["lanes"][lane]:
                raise InputError(f"{where}: target is a creature; the enemy has none in lane {lane}")
        case "summon":
            _choice(step["lane"], (0, 1), f"{where}: lane")
            _check_held(step["card"], own, "creature", cards, where)
        case "cast":
            _check_held(step["card"], own, "incantation", cards, where)
            target, spot = step["target"], f"{where}: target"
            check_keys(target, ("side", "lane", "position"), spot)
            side = before["sides"][_choice(target["side"], (0, 1), f"{spot}: side")]
            _check_stands(side, _choice(target["lane"], (0, 1), f"{spot}: lane"), target["position"], spot)


_ANY = object()  # whichever creature stands there


def _check_held(card: Any, side: Record, kind: str, cards: Mapping[str, Card], where: str) -> None:
    held = [name for name in side["hand"] if name not in FORTRESSES and cards[name].kind == kind]
    _choice(card, held, f"{where}: card", what=f"the hand's {kind}s")


def _check_stands(side: Record, lane: int, position: Any, where: str, card: Any = _ANY) -> None:
    creatures = [name for name, _ in side["lanes"][lane]]
    if not creatures:
        raise InputError(f"{where}: lane {lane} has no creature")
    whole(position, f"{where}: position", most=len(creatures) - 1)
    if card is not _ANY:
        _choice(card, (creatures[position],), f"{where}: card", what=f"at position {position} of lane {lane}")


def _check_in_play(step: Record, before: Record, active: int | None, where: str) -> None:
    """Check that the creatures in play are those from before, without the destroyed, with a summoned one."""
    expected = [set(in_play(side)) for side in before["sides"]]
    for entry in _list(step.get("destroyed", []), f"{where}: destroyed"):
        side, name = _list(entry, f"{where}: destroyed: creature", length=2)
        standing = expected[_choice(side, (0, 1), f"{where}: destroyed: side")]
        standing.remove(_choice(name, sorted(standing), f"{where}: destroyed: creature"))
    if step["do"] == "summon" and active is not None:
        expected[active].add(step["card"])
    for number, side in enumerate(step["state"]["sides"]):
        odd = sorted(expected[number] ^ set(in_play(side)))
        if odd:
            raise InputError(
                f"{where}: state: sides[{number}]: {odd[0]} came into play or left it without cause"
            )


def in_play(side: Record) -> dict[str, int]:
    """Return the damage of each creature of a side, by name; upper lane first, each from the front."""
    return {name: damage for lane in side["lanes"] for name, damage in lane}


def check_keys(record: Any, keys: Iterable[str], where: str) -> None:
    """Refuse what is no object, or lacks one of these keys."""
    if not isinstance(record, Mapping):
        raise InputError(f"{where}: {shown(record)}; expected an object")
    for key in keys:
        if key not in record:
            raise InputError(f"{where}: no key {key!r}.{nearest(key, record)}")


def whole(value: Any, where: str, least: int = 0, most: int | None = None) -> int:
    """Return `value` if it is a whole number within bounds; true and 1.0 are none."""
    if type(value) is not int or value < least or (most is not None and value > most):
        bounds = f"from {least}" if most is None else f"from {least} to {most}"
        raise InputError(f"{where} is {shown(value)}; expected a whole number {bounds}")
    return value


def _list(value: Any, where: str, length: int | None = None) -> Sequence[Any]:
    if not isinstance(value, list) or (length is not None and len(value) != length):
        size = "" if length is None else f" of {length}"
        raise InputError(f"{where} is {shown(value)}; expected a list{size}")
    return value


def _choice(value: Any, choices: Sequence[Any], where: str, what: str = "") -> Any:
    """Return `value` if it is one of the choices and of the same type."""
    if any(type(value) is type(choice) and value == choice for choice in choices):
        return value
    listed = ", ".join("null" if choice is None else str(choice) for choice in choices[:8])
    listed += ", ..." if len(choices) > 8 else ""
    words = [choice for choice in choices if isinstance(choice, str)]
    near = nearest(value, words) if isinstance(value, str) else ""
    raise InputError(f"{where} is {shown(value)}; expected {what and what + ': '}{listed or 'none'}.{near}")
