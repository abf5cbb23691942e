"""Check that a record is the trace of a game: its keys, types and names, each step against the state before.

No referee: enough for a drawing that says nothing wrong, but whether a step was legal is not looked at.
"""

from collections.abc import Mapping
from typing import Any

from clashsim.clash.card_checks import check_card, check_text, shown
from clashsim.clash.cards import Card
from clashsim.clash.record_checks import Record, check_keys, choice, listed, whole
from clashsim.clash.rules import SWITCHES, Rules
from clashsim.clash.solo_settings import PRICES, SoloSettings
from clashsim.clash.trace_step_checks import AI, PLAYER, check_state, check_steps
from clashsim.errors import InputError

PRICE_SWITCHES = (
    "no_bastion_points",
)  # of difficulty points: they change no game, and traces leave them out

_KEYS = ("rules", "cards", "first", "policies", "seed", "decks", "setup", "steps", "result")
_CARD_KEYS = ("kind", "cost", "attack", "health", "abilities", "auras")
_LATER_SWITCHES = ("first_mana", "window", *PRICE_SWITCHES)  # traces may leave them out


def check_trace(trace: Record, where: str) -> None:
    """Check a whole trace whose format is already known to be the right one.

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
    solo = choice(trace["mode"], ("duel", "solo"), f"{where}: mode") == "solo"
    check_keys(trace, ("solo", *_KEYS) if solo else _KEYS, where)
    first = choice(trace["first"], (0, 1), f"{where}: first")
    whole(trace["seed"], f"{where}: seed")
    _check_names(trace, where, solo)
    rules_of(trace["rules"], f"{where}: rules")
    if solo:
        starter = AI if settings_of(trace["solo"], f"{where}: solo").first == "ai" else PLAYER
        choice(first, (starter,), f"{where}: first", what="by the solo settings")
    cards = cards_of(trace["cards"], f"{where}: cards")
    check_state(trace["setup"], cards, f"{where}: setup", solo)
    check_steps(trace, cards, where, solo)
    _check_result(trace["result"], f"{where}: result", solo)


def _check_names(trace: Record, where: str, solo: bool) -> None:
    for key in ("policies", "decks"):
        names = listed(trace[key], f"{where}: {key}", length=2)
        for name in names[:1] if solo and key == "policies" else names:
            check_text(name, key, where)
    if solo:
        choice(trace["policies"][AI], (None,), f"{where}: policies[{AI}]", what="the AI has none")


def rules_of(record: Any, where: str = "rules") -> Rules:
    """Return the rules that a trace names."""
    check_keys(record, [name for name in SWITCHES if name not in _LATER_SWITCHES], where)
    try:
        return Rules(**{name: record[name] for name in SWITCHES if name in record})
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def settings_of(record: Any, where: str = "solo") -> SoloSettings:
    """Return the settings that a trace of a solo game names."""
    check_keys(record, PRICES, where)
    abilities = {name.capitalize(): name for name in PRICES["ability"] if name != "none"}
    ability = choice(record["ability"], (None, *abilities), f"{where}: ability")
    values = {name: record[name] for name in PRICES} | {"ability": abilities.get(ability, "none")}
    for name, value in values.items():
        choice(value, tuple(PRICES[name]), f"{where}: {name}")
    return SoloSettings(**values)


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


def _check_result(result: Any, where: str, solo: bool) -> None:
    check_keys(result, ("winner", "reason", "turns"), where)
    winner = choice(result["winner"], (0, 1, None), f"{where}: winner")
    reasons: Mapping[int | None, tuple[str, ...]] = {
        None: ("turn_limit", "stopped"),
        PLAYER: ("last_turn",) if solo else ("fort",),
        AI: ("fort",),
    }
    choice(result["reason"], reasons[winner], f"{where}: reason")
    whole(result["turns"], f"{where}: turns", least=1)
