"""Cards, card sets and decks: the data of the game, loaded and checked."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from clashsim.clash.abilities import ABILITIES, INCANTATION_ABILITIES
from clashsim.clash.card_checks import (
    CARD_FIELDS,
    LONGEST_NAME,
    OPTIONAL_FIELDS,
    REQUIRED_FIELDS,
    RESERVED_DECKS,
    DeckSizeError,
    check_card,
    check_keys,
    check_text,
    from_csv,
    place,
    shown,
)
from clashsim.clash.card_files import read_csv, read_toml
from clashsim.errors import InputError, nearest

__all__ = [
    "ABILITIES",
    "DECK_SIZE",
    "INCANTATION_ABILITIES",
    "Card",
    "CardSet",
    "Deck",
    "check_cards",
    "differences",
    "load_cards",
    "load_deck",
    "shipped_sets",
    "to_toml",
]

DECK_SIZE = 8  # R1
LONGEST_TITLE = 400
_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Card:
    """One card.

    Attributes
    ----------
    name : str
    kind : str
        "creature" or "incantation".
    cost : int
        Mana to play it.
    attack : int
        Attack value; an Incantation's damage.
    health : int or None
        None for an Incantation.
    abilities, auras : tuple of str
        Abilities it has, and abilities it gives to both neighbours (R29).
    deck : str or None
        Label of the preconstructed deck it belongs to.
    source : str
        Where the numbers come from.
    """

    name: str
    kind: str
    cost: int
    attack: int
    health: int | None
    abilities: tuple[str, ...] = ()
    auras: tuple[str, ...] = ()
    deck: str | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Deck:
    """Eight distinct cards (R1)."""

    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardSet:
    """The cards that decks are made of."""

    name: str
    cards: tuple[Card, ...]
    title: str = ""
    source: str = ""

    def __getitem__(self, name: str) -> Card:
        """Return the card called exactly `name`; raise InputError with the nearest name if there is none."""
        for card in self.cards:
            if card.name == name:
                return card
        names = [card.name for card in self.cards]
        raise InputError(f"no card {shown(name)} in the card set {self.name}.{nearest(name, names)}")

    def find(self, word: str) -> Card:
        """Return the card called `word`, upper and lower case being the same."""
        by_name = {card.name.casefold(): card.name for card in self.cards}
        return self[by_name.get(word.casefold(), word)]

    @property
    def decks(self) -> dict[str, Deck]:
        """The preconstructed decks by label, in the order of the file."""
        labels = dict.fromkeys(card.deck for card in self.cards if card.deck is not None)
        return {label: Deck(label, tuple(c for c in self.cards if c.deck == label)) for label in labels}

    @property
    def hash(self) -> str:
        """16 hexadecimal digits of the rule-relevant content, whatever the order, decks and sources."""
        content = sorted(
            [c.name, c.kind, c.cost, c.attack, c.health, sorted(c.abilities), sorted(c.auras)]
            for c in self.cards
        )
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def shipped_sets() -> tuple[str, ...]:
    """Return the names of the card sets that come with the package."""
    return tuple(sorted(path.stem for path in _DATA.glob("*.toml")))


def card_file(name_or_path: str | PathLike[str]) -> Path:
    """Return the file of a card set: of a shipped one by its name, else the path as it is."""
    text = str(name_or_path)
    return _DATA / f"{text}.toml" if text in shipped_sets() else Path(text)


def load_cards(name_or_path: str | PathLike[str] = "starter-kit") -> CardSet:
    """Load and check a card set.

    Parameters
    ----------
    name_or_path : str or path
        A shipped set ("starter-kit", "starter-kit-community") or the path of a .toml or .csv file.

    Raises
    ------
    InputError
        Naming the file, the card, the field, what is wrong and what is allowed.
    """
    text = str(name_or_path)
    path = card_file(text)
    match path.suffix.lower():
        case ".toml":
            return _load_toml(path)
        case ".csv":
            return _load_csv(path)
    sets = shipped_sets()
    raise InputError(
        f"unknown card set {shown(text)}; expected {', '.join(sets)} or the path of a .toml or .csv file."
        f"{nearest(text, sets)}"
    )


def load_deck(
    spec: str | int | PathLike[str] | Sequence[str] | Deck,
    cards: CardSet,
    also: Sequence[str] = (),
    size: int = DECK_SIZE,
) -> Deck:
    """Load and check a deck.

    Parameters
    ----------
    spec : str, int, path, sequence of str or Deck
        The label of a deck of the set, the path of a TOML file with `cards = [names]` and optionally
        `name = "..."`, or the names themselves.
    cards : CardSet
        The set that the cards are taken from.
    also : sequence of str
        What the caller takes besides, for the message.
    size : int
        Number of cards: 8, or 10 of a constructed deck (R41).

    Raises
    ------
    InputError
        If there is no such deck, or it is not so many distinct cards of the set (R1).
    """
    if isinstance(spec, Deck):
        names = [card.name for card in spec.cards]
        return Deck(spec.name, _checked_deck(names, cards, f"deck {spec.name}", size))
    if not isinstance(spec, str | int | PathLike):
        return Deck("custom", _checked_deck(spec, cards, "deck", size))
    label = str(spec)
    decks = cards.decks
    if label in decks:
        _checked_deck([card.name for card in decks[label].cards], cards, f"deck {label}", size)
        return decks[label]
    if Path(label).suffix.lower() == ".toml":
        return _load_deck_file(Path(label), cards, size)
    labels = ", ".join(decks) or "none"
    raise InputError(
        f"unknown deck {shown(label)}; expected a deck of the card set {cards.name} ({labels})"
        f"{''.join(f', {word}' for word in also)} or the path of a .toml file.{nearest(label, [*decks, *also])}"
    )


def deck_file(spec: str | int | PathLike[str] | Sequence[str] | Deck, cards: CardSet) -> Path | None:
    """Return the file that `load_deck` reads for a deck; None for a deck of the set or one given by its cards."""
    if not isinstance(spec, str | PathLike) or str(spec) in cards.decks:
        return None
    return Path(spec)


def check_cards(cards: CardSet) -> CardSet:
    """Check a card set that was made in Python as strictly as one from a file, and return it."""
    places = []
    for card in cards.cards:
        record = {field: getattr(card, field) for field in CARD_FIELDS if getattr(card, field) is not None}
        record |= {field: list(record.get(field, ())) for field in ("abilities", "auras")}
        places.append((f"card set {cards.name}: card {shown(card.name)}", record))
    _checked_cards(places, Path(cards.name))
    return cards


def differences(cards: CardSet, base: CardSet) -> list[str]:
    """Say, a line per card, how the faces of `cards` differ from those of `base`; cards left out are not mentioned."""
    faces = {card.name: card for card in base.cards}
    lines = []
    for card in cards.cards:
        printed = faces.get(card.name)
        if printed is None:
            lines.append(f"{card.name} is new")
            continue
        changes = [
            f"{name} {_shown_value(getattr(printed, name))} -> {_shown_value(getattr(card, name))}"
            for name in ("kind", "cost", "attack", "health", "abilities", "auras")
            if _shown_value(getattr(printed, name)) != _shown_value(getattr(card, name))
        ]
        if changes:
            lines.append(f"{card.name} {', '.join(changes)}")
    return lines


def _shown_value(value: Any) -> str:
    if isinstance(value, tuple):
        return "+".join(sorted(value)) or "none"
    return "none" if value is None else str(value)


def to_toml(card_set: CardSet) -> str:
    """Return `card_set` as the text of a TOML file that loads back as the same cards.

    The set's name is left out: a set loaded from a file is called like the file.
    """
    head = {
        "title": f"Made from: {card_set.title or card_set.name}"[:LONGEST_TITLE],
        "source": card_set.source,
    }
    blocks = ["".join(f"{key} = {_toml_value(text)}\n" for key, text in head.items())]
    for card in card_set.cards:
        values = {field: getattr(card, field) for field in CARD_FIELDS}
        lines = [
            f"{field} = {_toml_value(value)}\n" for field, value in values.items() if value or value == 0
        ]
        blocks.append("[[card]]\n" + "".join(lines))
    return "\n".join(blocks)


def _toml_value(value: str | int | tuple[str, ...]) -> str:
    # JSON writes texts, whole numbers and lists of texts as TOML does.
    return json.dumps(value, ensure_ascii=False)


def _load_toml(path: Path) -> CardSet:
    content = read_toml(path, "card set")
    check_keys(content, ("card",), ("name", "title", "source", "card"), str(path))
    records = content["card"]
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise InputError(f"{path}: 'card' is {shown(records)}; expected [[card]] tables")
    head = {
        key: check_text(content.get(key, default), key, str(path), empty=key != "name")
        for key, default in (("name", path.stem), ("title", ""), ("source", ""))
    }
    places = [
        (place(path, f"card {number}", record), record) for number, record in enumerate(records, start=1)
    ]
    return CardSet(cards=_checked_cards(places, path), **head)


def _load_csv(path: Path) -> CardSet:
    rows = [
        (place(path, line, row), row)
        for line, row in read_csv(path, "card set", REQUIRED_FIELDS, OPTIONAL_FIELDS)
    ]
    return CardSet(path.stem, _checked_cards([(where, from_csv(row, where)) for where, row in rows], path))


def _checked_cards(places: Sequence[tuple[str, dict[str, Any]]], path: Path) -> tuple[Card, ...]:
    if not places:
        raise InputError(f"{path}: no cards; expected at least one")
    cards: dict[str, Card] = {}
    for where, record in places:
        card = Card(**check_card(record, where))
        twin = cards.setdefault(card.name.casefold(), card)
        if twin is not card:
            raise InputError(f"{where}: name {card.name!r} is taken by another card; names must be unique")
    sizes = Counter(card.deck for card in cards.values() if card.deck is not None)
    for label, size in sizes.items():
        if size != DECK_SIZE:
            raise InputError(
                f"{path}: deck {label!r} has {size} cards; expected {DECK_SIZE}"
                " (leave 'deck' out on a card in no deck)"
            )
    return tuple(cards.values())


def _load_deck_file(path: Path, cards: CardSet, size: int) -> Deck:
    content = read_toml(path, "deck")
    check_keys(content, ("cards",), ("name", "cards"), str(path))
    name = check_text(content.get("name", path.stem), "name", str(path), longest=LONGEST_NAME)
    if name.upper() in RESERVED_DECKS:
        raise InputError(f"{path}: name {name} is taken by the tables; expected another name")
    return Deck(name, _checked_deck(content["cards"], cards, str(path), size))


def _checked_deck(names: object, cards: CardSet, where: str, size: int) -> tuple[Card, ...]:
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{where}: cards is {shown(names)}; expected a list of {size} card names")
    try:
        deck = tuple(cards[name] for name in names)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    rule = "" if size == DECK_SIZE else " (R41)"
    for name, count in Counter(names).items():
        if count > 1:
            raise InputError(
                f"{where}: {name} is in the deck {count} times; expected {size} distinct cards{rule}"
            )
    if len(names) != size:
        message = f"{where}: {len(names)} cards; expected exactly {size} distinct ones{rule}"
        raise DeckSizeError(message, len(names))
    return deck
