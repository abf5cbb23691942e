"""Changes of cards and decks, from the command line and from patch files."""

from dataclasses import replace

import pytest

import clashsim as cs
from clashsim.clash.changes import (
    CardChange,
    Swap,
    changed_cards,
    parse_set,
    parse_swap,
    read_patch,
    spelled_out,
    swapped_deck,
)

KIT = cs.load_cards()


def changed(*texts):
    return changed_cards(KIT, [parse_set(text, KIT) for text in texts])


@pytest.mark.parametrize(
    ("text", "card", "field", "value"),
    [
        ("CYCLONE.cost=6", "CYCLONE", "cost", 6),
        ("gnome.health=2", "GNOME", "health", 2),
        (" GNOME . attack = 0 ", "GNOME", "attack", 0),
        ("BOOM!.cost+=1", "BOOM!", "cost", 2),
        ("MARTYR.cost-=2", "MARTYR", "cost", 5),
        ("TROLL.abilities=Rage", "TROLL", "abilities", ("Rage",)),
        ("TROLL.abilities=splash|Sprint", "TROLL", "abilities", ("Splash", "Sprint")),
        ("TROLL.abilities=none", "TROLL", "abilities", ()),
        ("TROLL.abilities-=Rage", "TROLL", "abilities", ("Berserk",)),
        ("TROLL.abilities+=Splash+Sprint", "TROLL", "abilities", ("Rage", "Berserk", "Splash", "Sprint")),
        ("VORTEX.auras=", "VORTEX", "auras", ()),
    ],
)
def test_a_card_is_changed_and_nothing_else(text, card, field, value):
    made = changed(text)
    assert getattr(made[card], field) == value
    for before, after in zip(KIT.cards, made.cards, strict=True):
        assert (before == after) == (before.name != card)
        if before.name == card:
            others = {name for name in before.__dataclass_fields__ if name != field}
            assert all(getattr(before, name) == getattr(after, name) for name in others)


def test_fields_of_one_card_are_changed_together():
    card = changed("GNOME.health=2", "GNOME.cost=4", "GNOME.abilities-=Rage", "GNOME.abilities+=Sprint")[
        "GNOME"
    ]
    assert (card.health, card.cost, card.abilities) == (2, 4, ("Berserk", "Sprint"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CYCLON.cost=6", r"no card 'CYCLON' .*Did you mean CYCLONE\?"),
        ("CYCLONE.costs=6", r"unknown field 'costs'; expected cost, .*Did you mean cost\?"),
        ("CYCLONE.name=X", "unknown field 'name'"),
        ("CYCLONE.cost", "expected CARD.FIELD=VALUE"),
        ("cost=6", "expected CARD.FIELD=VALUE"),
        ("", "expected CARD.FIELD=VALUE"),
        ("CYCLONE.cost=cheap", "cost is 'cheap'; expected a whole number"),
        ("CYCLONE.cost=6.5", "cost is '6.5'; expected a whole number"),
        ("CYCLONE.cost=-1", "cost is -1; expected a whole number from"),
        ("CYCLONE.cost=" + "9" * 30, "expected a whole number"),
        ("CYCLONE.cost=1000", "cost is 1000; expected a whole number from"),
        ("CYCLONE.cost-=9", "cost is -4; expected a whole number from"),
        ("CYCLONE.health=3", "an Incantation has none"),
        ("CYCLONE.health+=3", "an Incantation has none"),
        ("CYCLONE.abilities+=Rage", "an Incantation can have only"),
        ("GNOME.health=0", "health is 0; expected"),
        ("TROLL.abilities=Rages", r"unknown ability 'Rages'; .*Did you mean Rage\?"),
        ("TROLL.abilities=Rage+Rage", "given twice"),
        ("TROLL.abilities+=Rage", "Rage is already among them"),
        ("TROLL.abilities-=Sprint", "Sprint is not among them"),
    ],
)
def test_what_is_no_change_of_a_card_is_named(text, message):
    with pytest.raises(cs.InputError, match=message):
        changed(text)


@pytest.mark.parametrize(
    "texts",
    [
        ("GNOME.cost=2", "gnome.cost=4"),
        ("GNOME.cost+=1", "GNOME.cost+=2"),
        ("GNOME.cost+=1", "GNOME.cost-=1"),
        ("GNOME.cost=2", "GNOME.cost+=1"),
        ("GNOME.cost+=1", "GNOME.cost=2"),
        ("GNOME.abilities=Rage", "GNOME.abilities+=Sprint"),
        ("GNOME.abilities-=Rage", "GNOME.abilities+=Rage"),
    ],
)
def test_a_field_is_changed_once(texts):
    with pytest.raises(cs.InputError, match=r"GNOME\.\w+ is changed twice"):
        changed(*texts)


def test_names_with_signs_can_be_swapped():
    cards = cs.CardSet("odd", (*KIT.cards[:8], replace(KIT.cards[9], name="A=B: C", deck=None)))
    swap = parse_swap(f"one:{KIT.cards[0].name}=A=B: C", cards)
    assert swap == Swap("one", KIT.cards[0].name, "A=B: C")
    assert parse_swap(f"a:b:A=B: C={KIT.cards[0].name}", cards) == Swap("a:b", "A=B: C", KIT.cards[0].name)


def test_a_swapped_card_keeps_the_slot():
    deck = KIT.decks["1"]
    made = swapped_deck(deck, [parse_swap("1:TROLL=OGRE", KIT), parse_swap("2:OGRE=TROLL", KIT)], KIT)
    names, before = [card.name for card in made.cards], [card.name for card in deck.cards]
    assert names == ["OGRE" if name == "TROLL" else name for name in before]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1:OGRE=TROLL", "OGRE is not in deck 1; expected one of"),
        ("1:TROLL=BARON", "BARON is in deck 1 already"),
        ("1:TROLL=OGER", r"no card 'OGER' .*Did you mean OGRE\?"),
        ("TROLL=OGRE", "expected DECK:CARD=CARD"),
        ("1:TROLL", "expected DECK:CARD=CARD"),
        ("1:=OGRE", "expected DECK:CARD=CARD"),
        ("", "expected DECK:CARD=CARD"),
    ],
)
def test_what_is_no_swap_is_named(text, message):
    with pytest.raises(cs.InputError, match=message):
        swapped_deck(KIT.decks["1"], [parse_swap(text, KIT)], KIT)


def test_a_star_stands_for_any_card():
    deck = KIT.decks["1"]
    assert spelled_out(Swap("1", "troll", "ogre"), deck, KIT) == [Swap("1", "TROLL", "OGRE")]
    others = {card.name for card in KIT.cards} - {card.name for card in deck.cards}
    assert {swap.into for swap in spelled_out(Swap("1", "TROLL", "*"), deck, KIT)} == others
    assert len({*spelled_out(Swap("1", "*", "*"), deck, KIT)}) == 8 * 24


def test_a_patch_file_says_the_same(tmp_path):
    path = tmp_path / "patch.toml"
    path.write_text(
        '[card.CYCLONE]\ncost = 6\n[card."BOOM!"]\nattack = 2\nabilities = ["Splash"]\n'
        '[swap.1]\nTROLL = "OGRE"\n[rules]\nfirst_mana = 7\n'
    )
    patch = read_patch(path, KIT)
    assert patch.cards == (
        CardChange("CYCLONE", "cost", "", 6),
        CardChange("BOOM!", "attack", "", 2),
        CardChange("BOOM!", "abilities", "", ("Splash",)),
    )
    assert patch.swaps == (Swap("1", "TROLL", "OGRE"),)
    assert patch.rules == ("first_mana=7",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("# nothing\n", "changes nothing"),
        ("[card]\n", "changes nothing"),
        (
            "[cards.CYCLONE]\ncost = 6\n",
            r"'cards' is unknown; expected card, swap, rules\. Did you mean card\?",
        ),
        ("[card.CYCLON]\ncost = 6\n", r"patch\.toml: no card 'CYCLON'"),
        ("[card.CYCLONE]\ncosts = 6\n", r"patch\.toml: card\.CYCLONE: unknown field 'costs'"),
        ("[card.CYCLONE]\ncost = 6.5\n", "cost is 6.5; expected a whole number"),
        ("[card.CYCLONE]\ncost = true\n", "cost is True; expected a whole number"),
        ("[card.CYCLONE]\nabilities = 3\n", "expected some such as Rage"),
        ("card = 3\n", "expected tables such as"),
        ("[swap]\nTROLL = 'OGRE'\n", "expected tables such as"),
        ("[swap.1]\nTROLL = 3\n", "expected the name of a card"),
        ("rules = 3\n", "expected a table of switches"),
        ("[rules]\nwindo = 5\n", r"unknown rule 'windo'; .*Did you mean window\?"),
        ("[card\n", "not valid TOML"),
    ],
)
def test_what_is_no_patch_is_named(tmp_path, text, message):
    path = tmp_path / "patch.toml"
    path.write_text(text)
    with pytest.raises(cs.InputError, match=message):
        read_patch(path, KIT)
