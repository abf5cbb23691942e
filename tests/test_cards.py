"""The shipped card sets, and decks: what loads, what is refused, and how clearly."""

from dataclasses import replace

import pytest

from clashsim.clash.cards import (
    ABILITIES,
    Card,
    CardSet,
    load_cards,
    load_deck,
)
from clashsim.errors import InputError

DECKS = {
    "1": {"ANNIHILATION", "BARON", "BOOM!", "BRUTE", "CARAPACE", "PARTISAN", "REVENANT", "TROLL"},
    "2": {"ABOMINATION", "ALPHA", "COMBUSTION", "LIEUTENANT", "MICROCTOPUS", "OGRE", "SCRIBE", "SHAMAN"},
    "3": {"BRIGAND", "DISCIPLE", "GNOME", "GRRR", "MARTYR", "METEORITE", "PARASITE", "VORTEX"},
    "4": {"ABERRATION", "ASSASSIN", "CARNIVORE", "CYCLONE", "MACHINE", "MUTANT", "REPTILE", "ZOMBIE"},
}
DECK_1 = sorted(DECKS["1"])


@pytest.fixture
def kit():
    return load_cards("starter-kit")


# The shipped sets


@pytest.mark.parametrize("name", ["starter-kit", "starter-kit-community"])
def test_shipped_sets_hold_the_four_decks(name):
    cards = load_cards(name)
    assert cards.name == name
    assert {label: {card.name for card in deck.cards} for label, deck in cards.decks.items()} == DECKS


def test_starter_kit_has_the_numbers_of_the_printed_faces(kit):
    aberration = ("Sprint", "Rage", "Berserk", "Perforation", "Indestructible")
    assert kit["ABERRATION"] == Card("ABERRATION", "creature", 7, 2, 4, aberration, (), "4", "printed face")
    assert kit["MACHINE"].auras == ("Protection",)
    assert kit["CYCLONE"].health is None
    totals = [sum(getattr(card, field) or 0 for card in kit.cards) for field in ("cost", "attack", "health")]
    assert totals == [120, 84, 83]
    assert [card.name for card in kit.cards if card.source != "printed face"] == ["PARASITE"]


def test_printed_costs_follow_the_prices_of_abilities_to_within_half_a_mana(kit):
    creature = dict(zip(ABILITIES, (1, 1, 1.5, 2, 0.5, 1, 0.5), strict=True))
    incantation = {"Splash": 1, "Perforation": 2}
    for card in kit.cards:
        if card.kind == "incantation":
            price = card.attack / 2 + 1 + sum(incantation[ability] for ability in card.abilities)
        else:
            price = (card.attack + card.health) / 2 - 1 + sum(creature[ability] for ability in card.abilities)
            price += sum(creature[ability] + 1 for ability in card.auras)
        assert abs(card.cost - price) <= 0.5, card.name


def test_community_set_differs_on_four_cards(kit):
    other = load_cards("starter-kit-community")
    numbers = {c.name: (c.attack, c.health, c.cost) for c in other.cards}
    changed = {c.name: numbers[c.name] for c in kit.cards if numbers[c.name] != (c.attack, c.health, c.cost)}
    assert changed == {
        "REVENANT": (2, 3, 3),
        "PARTISAN": (2, 2, 3),
        "SCRIBE": (3, 2, 4),
        "CYCLONE": (3, None, 6),
    }
    assert all(kit[c.name].abilities == c.abilities and kit[c.name].auras == c.auras for c in other.cards)
    assert {card.source for card in other.cards} == {"community card code"}
    assert kit.hash != other.hash


def test_unknown_set_names_the_sets_and_the_nearest():
    with pytest.raises(
        InputError, match=r"'starter-kti'; expected starter-kit, .*Did you mean starter-kit\?"
    ):
        load_cards("starter-kti")


# Looking a card up


def test_cards_are_found_in_any_case_and_indexed_exactly(kit):
    assert kit.find("troll") is kit["TROLL"]
    with pytest.raises(InputError, match=r"no card 'troll' .*Did you mean TROLL\?"):
        kit["troll"]


# The hash


def test_hash_ignores_order_deck_and_source(kit):
    shuffled = tuple(
        replace(card, deck=None, source="", abilities=card.abilities[::-1]) for card in reversed(kit.cards)
    )
    assert CardSet("other", shuffled).hash == kit.hash


@pytest.mark.parametrize(
    "change",
    [
        {"name": "TROLLS"},
        {"cost": 5},
        {"attack": 4},
        {"health": 7},
        {"abilities": ("Rage",)},
        {"auras": ("Rage",)},
    ],
)
def test_hash_sees_every_rule_relevant_field(kit, change):
    cards = tuple(replace(card, **change) if card.name == "TROLL" else card for card in kit.cards)
    assert CardSet("other", cards).hash != kit.hash


# Decks


def test_decks_load_by_label_number_and_names(kit):
    deck = load_deck("1", kit)
    assert {card.name for card in deck.cards} == DECKS["1"]
    assert load_deck(1, kit) == deck
    assert load_deck(DECK_1[::-1], kit).cards == tuple(kit[name] for name in DECK_1[::-1])


@pytest.mark.parametrize(("line", "name"), [("", "mine"), ('name = "Rush"\n', "Rush")])
def test_deck_file(kit, tmp_path, line, name):
    path = tmp_path / "mine.toml"
    path.write_text(f"{line}cards = {DECK_1}")
    deck = load_deck(path, kit)
    assert deck.name == name
    assert [card.name for card in deck.cards] == DECK_1
    assert load_deck(str(path), kit) == deck


def test_unknown_deck_names_the_decks_and_the_file_way(kit):
    with pytest.raises(
        InputError, match=r"unknown deck '5'; .*starter-kit \(1, 2, 3, 4\) or the path of a \.toml"
    ):
        load_deck("5", kit)
    with pytest.raises(InputError, match=r"card set own \(none\)"):
        load_deck("1", CardSet("own", (replace(kit["TROLL"], deck=None),)))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (f"cards = {DECK_1[:7]}", "7 cards; expected exactly 8"),
        (f"cards = {[*DECK_1, 'OGRE']}", "9 cards; expected exactly 8"),
        (f"cards = {[*DECK_1[:7], 'BARON']}", "BARON is in the deck 2 times"),
        (f"cards = {[*DECK_1[:7], 'troll']}", r"no card 'troll' .*Did you mean TROLL\?"),
        ("cards = [1, 2]", "expected a list of 8 card names"),
        ('cards = "TROLL"', "expected a list of 8 card names"),
        ('name = "x"', "no field 'cards'"),
        ("crads = []", r"unknown field 'crads'; .*Did you mean cards\?"),
        (f"name = 3\ncards = {DECK_1}", "name is 3; expected text"),
    ],
)
def test_bad_deck_file_is_refused(kit, tmp_path, content, message):
    path = tmp_path / "mine.toml"
    path.write_text(content)
    with pytest.raises(InputError, match=f"mine.toml: .*{message}"):
        load_deck(path, kit)


def test_missing_deck_file_is_refused(kit, tmp_path):
    with pytest.raises(InputError, match="no deck file"):
        load_deck(tmp_path / "none.toml", kit)
