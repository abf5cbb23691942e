"""Changes of cards and decks: what if this card cost more, if that one were in the deck instead?"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clashsim.clash.abilities import ABILITIES
from clashsim.clash.card_checks import check_card, shown
from clashsim.clash.card_files import read_toml
from clashsim.clash.cards import Card, CardSet, Deck
from clashsim.clash.rules import SWITCHES
from clashsim.errors import InputError, nearest

NUMBERS = ("cost", "attack", "health")
LISTS = ("abilities", "auras")
FIELDS = (*NUMBERS, *LISTS)
ANY = "*"
"""In a swap: every card, one after the other."""

_PATCH_KEYS = ("card", "swap", "rules")


@dataclass(frozen=True, slots=True)
class CardChange:
    """A new value of a field of a card.

    Attributes
    ----------
    card, field : str
    sign : str
        "" if the value takes the place of the printed one, "+" if it is added to it, "-" if it is taken off.
    value : int or tuple of str
    """

    card: str
    field: str
    sign: str
    value: int | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """A card of a deck that another one takes the place of; either may be `ANY`."""

    deck: str
    out: str
    into: str


@dataclass(frozen=True, slots=True)
class Patch:
    """Changes as they are named, of cards, decks and rule switches."""

    cards: tuple[CardChange, ...] = ()
    swaps: tuple[Swap, ...] = ()
    rules: tuple[str, ...] = ()  # NAME=VALUE

    def __add__(self, other: "Patch") -> "Patch":
        return Patch(self.cards + other.cards, self.swaps + other.swaps, self.rules + other.rules)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is named."""
        return not (self.cards or self.swaps or self.rules)


def parse_set(text: str, cards: CardSet) -> CardChange:
    """Read a change of a card such as "CYCLONE.cost=6", "GNOME.health+=1" or "TROLL.abilities-=Rage".

    Raises
    ------
    InputError
        It has another form, or names no card or field.
    """
    found = re.fullmatch(r"\s*(.+)\.\s*([^.=+-]+?)\s*([+-]?)=\s*(.*?)\s*", text)
    if not found:
        raise InputError(f"change {shown(text)}: expected CARD.FIELD=VALUE, such as CYCLONE.cost=6")
    name, field, sign, value = found.groups()
    card = cards.find(name.strip())
    return _change(card, field, sign, value, f"change {shown(text)}")


def parse_swap(text: str, cards: CardSet) -> Swap:
    """Read a swap such as "1:TROLL=OGRE", "1:TROLL=*" or "1:*=*"; names may have the signs, too.

    Raises
    ------
    InputError
        It has another form.
    """
    names = {ANY, *(card.name.casefold() for card in cards.cards)}
    readings = [
        Swap(deck.strip(), out.strip(), into.strip())
        for deck, rest in _splits(text, ":")
        for out, into in _splits(rest, "=")
        if deck.strip() and out.strip() and into.strip()
    ]
    known = [swap for swap in readings if {swap.out.casefold(), swap.into.casefold()} <= names]
    if not readings:
        raise InputError(f"swap {shown(text)}: expected DECK:CARD=CARD, such as 1:TROLL=OGRE")
    return (known or readings)[0]


def _splits(text: str, sign: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to cut a text at a sign."""
    for place, letter in enumerate(text):
        if letter == sign:
            yield text[:place], text[place + 1 :]


def read_patch(path: Path, cards: CardSet) -> Patch:
    """Read a patch file: tables [card.NAME] with fields, [swap.DECK] with CARD = "CARD", [rules] with switches.

    Raises
    ------
    InputError
        Naming the file, the entry, what is wrong and what is allowed.
    """
    content = read_toml(path, "patch")
    for key in content:
        if key not in _PATCH_KEYS:
            raise InputError(
                f"{path}: {shown(key)} is unknown; expected {', '.join(_PATCH_KEYS)}.{nearest(key, _PATCH_KEYS)}"
            )
    changes = [
        _change(_card_of(cards, name, path), field, "", value, f"{path}: card.{name}")
        for name, fields in _tables(content, "card", path).items()
        for field, value in fields.items()
    ]
    swaps = []
    for deck, pairs in _tables(content, "swap", path).items():
        for out, into in pairs.items():
            if not isinstance(into, str):
                raise InputError(f"{path}: swap.{deck}.{out} is {shown(into)}; expected the name of a card")
            swaps.append(Swap(deck, out, into))
    rules = content.get("rules", {})
    if not isinstance(rules, dict):
        raise InputError(f"{path}: rules is {shown(rules)}; expected a table of switches, such as window = 5")
    for name in rules:
        if name not in SWITCHES:
            raise InputError(
                f"{path}: unknown rule {shown(name)}; expected one of {', '.join(SWITCHES)}.{nearest(name, SWITCHES)}"
            )
    try:
        changed_cards(cards, changes)
        for swap in swaps:
            for name in (swap.out, swap.into):
                if name != ANY:
                    cards.find(name)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    patch = Patch(tuple(changes), tuple(swaps), tuple(f"{name}={value}" for name, value in rules.items()))
    if patch.is_empty:
        raise InputError(f"{path}: it changes nothing; expected tables such as [card.CYCLONE] with cost = 6")
    return patch


def changed_cards(cards: CardSet, changes: Iterable[CardChange]) -> CardSet:
    """Return the card set with changed cards, as strictly checked as one from a file.

    Raises
    ------
    InputError
        A field is given twice, or a card would have a value that no card may have.
    """
    records = {card.name: _record(card) for card in cards.cards}
    given: dict[tuple[str, str], list[CardChange]] = {}
    for change in changes:
        before = given.setdefault((change.card, change.field), [])
        if any(_collide(change, other) for other in before):
            raise InputError(f"{change.card}.{change.field} is changed twice; expected once")
        before.append(change)
        record = records[change.card]
        record[change.field] = _changed_value(change, record.get(change.field))
    made = []
    for card in cards.cards:
        record = records[card.name]
        made.append(card if record == _record(card) else Card(**check_card(record, card.name)))
    return replace(cards, cards=tuple(made))


def _collide(one: CardChange, other: CardChange) -> bool:
    """Tell whether two changes of a field can not both be meant; different abilities may be added and taken off."""
    if isinstance(one.value, int) or isinstance(other.value, int) or "" in (one.sign, other.sign):
        return True
    return bool(set(one.value) & set(other.value))


def swapped_deck(deck: Deck, swaps: Sequence[Swap], cards: CardSet) -> Deck:
    """Return a deck, its cards as the card set has them, with those swaps made that are of this deck.

    Raises
    ------
    InputError
        A card to go is not in the deck, one to come is in it already or is no card of the set.
    """
    slots = [cards[card.name] for card in deck.cards]
    for swap in swaps:
        if swap.deck != deck.name:
            continue
        out, into = cards.find(swap.out), cards.find(swap.into)
        if out not in slots:
            names = [card.name for card in slots]
            raise InputError(
                f"swap {swap.deck}:{swap.out}={swap.into}: {out.name} is not in deck {deck.name}; expected one of "
                f"{', '.join(names)}"
            )
        if into in slots:
            raise InputError(
                f"swap {swap.deck}:{swap.out}={swap.into}: {into.name} is in deck {deck.name} already; expected "
                "another card (R1)"
            )
        slots[slots.index(out)] = into
    return Deck(deck.name, tuple(slots))


def spelled_out(swap: Swap, deck: Deck, cards: CardSet) -> list[Swap]:
    """Return the swaps that a swap stands for: one, or where it names any card, all that are possible."""
    names = [card.name for card in deck.cards]
    others = [card.name for card in cards.cards if card.name not in names]
    outs = names if swap.out == ANY else [cards.find(swap.out).name]
    intos = others if swap.into == ANY else [cards.find(swap.into).name]
    return [Swap(swap.deck, out, into) for out in outs for into in intos]


def _change(card: Card, field: str, sign: str, value: Any, where: str) -> CardChange:
    if field not in FIELDS:
        raise InputError(
            f"{where}: unknown field {shown(field)}; expected {', '.join(FIELDS)}.{nearest(field, FIELDS)}"
        )
    if field in LISTS:
        return CardChange(card.name, field, sign, _abilities(value, where))
    if isinstance(value, str):
        if not re.fullmatch(r"-?[0-9]{1,9}", value):
            raise InputError(f"{where}: {field} is {shown(value)}; expected a whole number")
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{where}: {field} is {shown(value)}; expected a whole number")
    return CardChange(card.name, field, sign, value)


def _abilities(value: Any, where: str) -> tuple[str, ...]:
    """Return abilities from a list or from a text such as "Rage+Sprint"; "none" and "" are no abilities."""
    if isinstance(value, str):
        value = (
            [] if value.casefold() in ("", "none") else [name.strip() for name in re.split(r"[+|,]", value)]
        )
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InputError(
            f"{where}: {shown(value)} are no abilities; expected some such as Rage+Sprint, or none"
        )
    by_name = {ability.casefold(): ability for ability in ABILITIES}
    for name in value:
        if name.casefold() not in by_name:
            raise InputError(
                f"{where}: unknown ability {shown(name)}; expected {', '.join(ABILITIES)}.{nearest(name, ABILITIES)}"
            )
    return tuple(by_name[name.casefold()] for name in value)


def _changed_value(change: CardChange, printed: Any) -> Any:
    if change.sign == "":
        return change.value
    where = f"{change.card}.{change.field}"
    if isinstance(change.value, int):
        if printed is None:
            raise InputError(f"{where}: an Incantation has none")
        return printed + change.value if change.sign == "+" else printed - change.value
    for ability in change.value:
        if (ability in printed) == (change.sign == "+"):
            has = "already" if change.sign == "+" else "not"
            raise InputError(f"{where}: {ability} is {has} among them; expected another ability")
    if change.sign == "+":
        return (*printed, *change.value)
    return tuple(ability for ability in printed if ability not in change.value)


def _record(card: Card) -> dict[str, Any]:
    values = {name: getattr(card, name) for name in Card.__dataclass_fields__}
    return {name: value for name, value in values.items() if value is not None}


def _tables(content: Mapping[str, Any], key: str, path: Path) -> dict[str, dict[str, Any]]:
    tables = content.get(key, {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        example = "[card.CYCLONE] with cost = 6" if key == "card" else '[swap.1] with TROLL = "OGRE"'
        raise InputError(f"{path}: {key} is {shown(tables)}; expected tables such as {example}")
    return tables


def _card_of(cards: CardSet, name: str, path: Path) -> Card:
    try:
        return cards.find(name)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
