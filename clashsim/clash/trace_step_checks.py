"""Check the states and the steps of a trace, each step against the state before."""

from collections.abc import Mapping, Sequence
from typing import Any

from clashsim.clash.cards import Card
from clashsim.clash.record_checks import Record, check_keys, choice, listed, whole
from clashsim.errors import InputError

FORTRESSES = ("BASTION", "FORT")
PLAYER, AI = 0, 1  # sides of a solo game

_STEP_KEYS = {
    "start_turn": ("turn", "side", "mana"),
    "summon": ("card", "lane"),
    "cast": ("card", "target", "destroyed"),
    "attack": ("card", "lane", "position", "target", "destroyed"),
    "reshuffle": ("deck",),
    "end_turn": (),
}
_OF_DUELS = tuple(do for do in _STEP_KEYS if do != "reshuffle")


def check_state(state: Any, cards: Mapping[str, Card], where: str, solo: bool) -> None:
    """Check a STATE by itself."""
    check_keys(state, ("sides",), where)
    there: list[str] = []
    for number, side in enumerate(listed(state["sides"], f"{where}: sides", length=2)):
        spot = f"{where}: sides[{number}]"
        held = _check_deck(side, cards, spot) if solo and number == AI else _check_hand(side, cards, spot)
        names = held + _check_lanes(side["lanes"], cards, f"{spot}: lanes")
        _check_distinct(names, spot)
        there += names
    if solo:
        _check_distinct(there, where)


def _check_hand(side: Any, cards: Mapping[str, Card], where: str) -> list[str]:
    check_keys(side, ("hand", "lanes"), where)
    names = _names(side["hand"], (*FORTRESSES, *cards), f"{where}: hand")
    if sum(name in FORTRESSES for name in names) != 1:
        raise InputError(f"{where}: hand: expected exactly one fortress, {' or '.join(FORTRESSES)}")
    return [name for name in names if name not in FORTRESSES]


def _check_deck(side: Any, cards: Mapping[str, Card], where: str) -> list[str]:
    """Check what the AI has in place of a hand."""
    check_keys(side, ("deck", "discard", "fortress", "lanes"), where)
    choice(side["fortress"], FORTRESSES, f"{where}: fortress")
    return [
        name for pile in ("deck", "discard") for name in _names(side[pile], tuple(cards), f"{where}: {pile}")
    ]


def _names(value: Any, known: Sequence[str], where: str) -> list[str]:
    return [choice(name, known, f"{where}: card") for name in listed(value, where)]


def _check_lanes(lanes: Any, cards: Mapping[str, Card], where: str) -> list[str]:
    creatures = [name for name, card in cards.items() if card.kind == "creature"]
    names = []
    for number, lane in enumerate(listed(lanes, where, length=2)):
        spot = f"{where}[{number}]"
        for entry in listed(lane, spot):
            name, damage = listed(entry, f"{spot}: creature", length=2)
            names.append(choice(name, creatures, f"{spot}: creature"))
            whole(damage, f"{spot}: damage of {name}")
    return names


def _check_distinct(names: Sequence[str], where: str) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise InputError(f"{where}: {twice} is there twice; expected every card once")


def check_steps(trace: Record, cards: Mapping[str, Card], where: str, solo: bool) -> None:
    """Check all steps of a trace whose setup is checked."""
    before = trace["setup"]
    active: int | None = None  # the side whose turn it is
    if not listed(trace["steps"], f"{where}: steps"):
        raise InputError(f"{where}: no steps; expected at least a start_turn")
    for index, step in enumerate(trace["steps"]):
        spot = f"{where}: steps[{index}]"
        check_keys(step, ("do", "state"), spot)
        do = choice(step["do"], tuple(_STEP_KEYS) if solo else _OF_DUELS, f"{spot}: do")
        spot += f" ({do})"
        check_keys(step, _STEP_KEYS[do], spot)
        check_state(step["state"], cards, f"{spot}: state", solo)
        if (active is None) != (do == "start_turn"):
            raise InputError(f"{spot}: expected {'a start_turn' if active is None else 'no start_turn'} here")
        if active is None:
            active = _check_start(step, spot)
        elif do in ("summon", "cast") and solo and active == AI:
            _check_reveal(step, before, cards, spot)
        elif do not in ("end_turn", "reshuffle"):
            _check_move(step, before, active, cards, spot)
        _check_in_play(step, before, active, spot)
        if solo:
            _check_piles(step, before, active, spot)
        before, active = step["state"], None if do == "end_turn" else active


def _check_start(step: Record, where: str) -> int:
    whole(step["turn"], f"{where}: turn", least=1)
    whole(step["mana"], f"{where}: mana")
    return choice(step["side"], (0, 1), f"{where}: side")


def _check_move(step: Record, before: Record, active: int, cards: Mapping[str, Card], where: str) -> None:
    """Check what a summon, cast or attack names against the state before it."""
    own, enemy = before["sides"][active], before["sides"][1 - active]
    match step["do"]:
        case "attack":
            lane = choice(step["lane"], (0, 1), f"{where}: lane")
            _check_stands(own, lane, step["position"], where, step["card"])
            target = choice(step["target"], ("creature", "fortress"), f"{where}: target")
            if target == "creature" and not enemy["lanes"][lane]:
                raise InputError(f"{where}: target is a creature; the enemy has none in lane {lane}")
        case "summon":
            choice(step["lane"], (0, 1), f"{where}: lane")
            _check_held(step["card"], own, "creature", cards, where)
        case "cast":
            _check_held(step["card"], own, "incantation", cards, where)
            _check_target(step["target"], before, (0, 1), f"{where}: target")


def _check_reveal(step: Record, before: Record, cards: Mapping[str, Card], where: str) -> None:
    """Check that the AI plays the top card of its deck (R34)."""
    kind = "creature" if step["do"] == "summon" else "incantation"
    top = [name for name in before["sides"][AI]["deck"][:1] if cards[name].kind == kind]
    choice(step["card"], top, f"{where}: card", what=f"the {kind} on top of the deck")
    if kind == "creature":
        choice(step["lane"], (0, 1), f"{where}: lane")
    elif step["target"] is not None:
        _check_target(step["target"], before, (PLAYER,), f"{where}: target")


def _check_target(target: Any, before: Record, sides: Sequence[int], where: str) -> None:
    check_keys(target, ("side", "lane", "position"), where)
    side = before["sides"][choice(target["side"], sides, f"{where}: side")]
    _check_stands(side, choice(target["lane"], (0, 1), f"{where}: lane"), target["position"], where)


_ANY = object()  # whichever creature stands there


def _check_held(card: Any, side: Record, kind: str, cards: Mapping[str, Card], where: str) -> None:
    held = [name for name in side["hand"] if name not in FORTRESSES and cards[name].kind == kind]
    choice(card, held, f"{where}: card", what=f"the hand's {kind}s")


def _check_stands(side: Record, lane: int, position: Any, where: str, card: Any = _ANY) -> None:
    creatures = [name for name, _ in side["lanes"][lane]]
    if not creatures:
        raise InputError(f"{where}: lane {lane} has no creature")
    whole(position, f"{where}: position", most=len(creatures) - 1)
    if card is not _ANY:
        choice(card, (creatures[position],), f"{where}: card", what=f"at position {position} of lane {lane}")


def _check_in_play(step: Record, before: Record, active: int | None, where: str) -> None:
    """Check that the creatures in play are those from before, without the destroyed, with a summoned one."""
    expected = [set(in_play(side)) for side in before["sides"]]
    for entry in listed(step.get("destroyed", []), f"{where}: destroyed"):
        side, name = listed(entry, f"{where}: destroyed: creature", length=2)
        standing = expected[choice(side, (0, 1), f"{where}: destroyed: side")]
        standing.remove(choice(name, sorted(standing), f"{where}: destroyed: creature"))
    if step["do"] == "summon" and active is not None:
        expected[active].add(step["card"])
    for number, side in enumerate(step["state"]["sides"]):
        odd = sorted(expected[number] ^ set(in_play(side)))
        if odd:
            raise InputError(
                f"{where}: state: sides[{number}]: {odd[0]} came into play or left it without cause"
            )


def _check_piles(step: Record, before: Record, active: int | None, where: str) -> None:
    """Check that the AI's deck changes by reveals, attacks and reshuffles only (R34, R36)."""
    was, now = before["sides"][AI], step["state"]["sides"][AI]
    spot = f"{where}: state: sides[{AI}]: deck"
    if step["do"] == "reshuffle":
        if was["deck"] or was["fortress"] != "FORT":
            raise InputError(f"{where}: expected an empty deck on the FORT before it")
        if now["deck"] != listed(step["deck"], f"{where}: deck") or sorted(now["deck"]) != sorted(
            was["discard"]
        ):
            raise InputError(f"{spot}: expected the step's deck, the cards of the discard pile")
        return
    taken = len(was["deck"]) - len(now["deck"])
    if step["do"] in ("summon", "cast") and active == AI:
        fits = taken == 1
    else:
        fits = taken == 0 or (step["do"] == "attack" and active == PLAYER and step["target"] == "fortress")
    if not fits or taken < 0 or was["deck"][taken:] != now["deck"]:
        raise InputError(f"{spot}: its cards came or went without cause")


def in_play(side: Record) -> dict[str, int]:
    """Return the damage of each creature of a side, by name; upper lane first, each from the front."""
    return {name: damage for lane in side["lanes"] for name, damage in lane}
