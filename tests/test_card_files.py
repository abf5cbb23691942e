"""Card sets of one's own, in TOML and CSV: what loads, what is refused, and how clearly."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clashsim.clash.cards import (
    ABILITIES,
    INCANTATION_ABILITIES,
    Card,
    CardSet,
    load_cards,
    shipped_sets,
    to_toml,
)
from clashsim.errors import InputError

TROLL = """
[[card]]
name = "TROLL"
kind = "creature"
cost = 6
attack = 3
health = 6
abilities = ["Rage", "Berserk"]
"""
BOOM = """
[[card]]
name = "BOOM!"
kind = "incantation"
cost = 1
attack = 1
"""
HEADER = "name,deck,kind,cost,attack,health,abilities,auras"


@pytest.fixture
def load(tmp_path):
    """Write a text or bytes into a file and load it as a card set."""

    def load(content, name="own.toml"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return load_cards(path)

    return load


def abilities_of(*names):
    return st.lists(st.sampled_from(names), unique=True).map(tuple)


names = st.text(min_size=1, max_size=40).filter(
    lambda text: text.isprintable() and text == text.strip() and text.upper() not in ("BASTION", "FORT")
)
numbers = st.integers(0, 15)
creatures = st.builds(
    Card,
    names,
    st.just("creature"),
    numbers,
    numbers,
    st.integers(1, 15),
    abilities_of(*ABILITIES),
    abilities_of(*ABILITIES),
    source=st.sampled_from(["", 'a "quoted" \\ source']),
)
incantations = st.builds(
    Card,
    names,
    st.just("incantation"),
    st.integers(1, 15),
    numbers,
    st.none(),
    abilities_of(*INCANTATION_ABILITIES),
)
card_sets = st.lists(
    st.one_of(creatures, incantations), min_size=1, max_size=8, unique_by=lambda card: card.name.casefold()
).map(lambda cards: CardSet("own", tuple(cards), title="A title", source="A source"))


@given(card_sets)
def test_toml_loads_back(tmp_path_factory, card_set):
    path = tmp_path_factory.mktemp("cards") / "own.toml"
    path.write_text(to_toml(card_set), encoding="utf-8")
    assert replace(load_cards(path), title=card_set.title) == card_set


@pytest.mark.parametrize("name", shipped_sets())
def test_shipped_sets_load_back_from_toml(load, name):
    cards = load_cards(name)
    loaded = load(to_toml(cards))
    assert loaded.title == f"Made from: {cards.title}"
    assert replace(loaded, name=name, title=cards.title) == cards


def test_csv_and_toml_give_the_same_cards(load):
    rows = f"{HEADER}\nTROLL,,creature,6,3,6,Rage|Berserk,\n\nBOOM!,,incantation,1,1,,,\n"
    assert load(rows, "own.csv") == load(TROLL + BOOM)


def test_csv_columns_come_in_any_order_and_as_spreadsheets_write_them(load):
    rows = "\ufeffcost,health,kind,name,attack\r\n 6 ,6,creature,TROLL,3\r\n"
    assert load(rows, "own.csv").cards == (Card("TROLL", "creature", 6, 3, 6),)


def test_ability_may_be_printed_and_given_as_aura(load):
    assert load(TROLL + 'auras = ["Rage"]').cards[0].auras == ("Rage",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cost = 6", "cost = 16", r"card 1 \(TROLL\): cost is 16; expected a whole number from 0 to 15"),
        ("cost = 6", "cost = -1", "cost is -1"),
        ("cost = 6", "cost = 2.5", "cost is 2.5; expected a whole number"),
        ("cost = 6", "cost = 6.0", "cost is 6.0"),
        ("cost = 6", "cost = true", "cost is True"),
        ("cost = 6", 'cost = "6"', "cost is '6'"),
        ("cost = 6", "", "no field 'cost'; required are name, kind, cost, attack"),
        ("cost = 6", "cots = 6", r"unknown field 'cots'; .*Did you mean cost\?"),
        ("health = 6", "health = 0", "health is 0; expected a whole number from 1 to 15"),
        ("health = 6", "", "no field 'health'; a creature needs one"),
        ("attack = 3", "attack = nan", "attack is nan"),
        ('"creature"', '"creatur"', r"kind is 'creatur'; .*Did you mean creature\?"),
        ('"creature"', "[]", r"kind is \[\]"),
        ('["Rage", "Berserk"]', '["Rag"]', r"unknown ability 'Rag' in abilities; .*Did you mean Rage\?"),
        ('["Rage", "Berserk"]', '["Rage", "Rage"]', "Rage is given twice in abilities"),
        ('["Rage", "Berserk"]', '"Rage"', "abilities is 'Rage'; expected a list"),
        ('["Rage", "Berserk"]', "[1]", r"abilities is \[1\]; expected a list"),
        ('"TROLL"', '""', "name is empty"),
        ('"TROLL"', '" TROLL"', "no spaces at the ends"),
        ('"TROLL"', '"TR\\nOLL"', "expected printable characters"),
        ('"TROLL"', '"Bastion"', "reserved for the fortress"),
        ('"TROLL"', '"FORT"', "reserved for the fortress"),
        ('"TROLL"', f'"{"X" * 41}"', "41 characters; expected at most 40"),
        ('"TROLL"', "7", "name is 7; expected text"),
        ("health = 6", "health = 6\ndeck = 1", "deck is 1; expected text in quotes"),
        ("health = 6", 'health = 6\ndeck = "1,2"', "without commas"),
        ("health = 6", 'health = 6\ndeck = "a.toml"', "not a file name"),
        ("health = 6", 'health = 6\ndeck = "1"', "deck '1' has 1 cards; expected 8"),
        ("[[card]]", "[card]", r"expected \[\[card\]\] tables"),
        ("[[card]]", "[[cards]]", r"unknown field 'cards'; .*Did you mean card\?"),
        ("[[card]]", "name = 3\n[[card]]", "name is 3; expected text"),
        ("cost = 6", "cost = ", r"not valid TOML: .*line 5"),
        ("cost = 6", "cost = " + "9" * 5000, "not valid TOML"),
        ("cost = 6", "cost = " + "[" * 5000, "not valid TOML"),
    ],
)
def test_bad_creature_is_refused(load, old, new, message):
    assert old in TROLL
    with pytest.raises(InputError, match=f"own.toml: .*{message}"):
        load(TROLL.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cost = 1", "cost = 0", r"card 1 \(BOOM!\): cost is 0; expected a whole number from 1 to 15"),
        ("cost = 1", "cost = 1\nhealth = 1", "health is 1; an Incantation has none"),
        ("cost = 1", 'cost = 1\nabilities = ["Berserk"]', "only Splash and Perforation"),
        ("cost = 1", 'cost = 1\nauras = ["Splash"]', "can have no auras"),
    ],
)
def test_bad_incantation_is_refused(load, old, new, message):
    with pytest.raises(InputError, match=message):
        load(BOOM.replace(old, new, 1))


@pytest.mark.parametrize("twin", ["TROLL", "Troll"])
def test_names_are_unique_in_any_case(load, twin):
    with pytest.raises(InputError, match=rf"card 2 \({twin}\): name '{twin}' is taken"):
        load(TROLL + TROLL.replace("TROLL", twin))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("TROLL,1,creature,6,3,6,,\n", "no header; the first line must name the columns name,kind"),
        (f"{HEADER}\n", "no cards"),
        ("name;kind;cost;attack\n", "separated by semicolons"),
        ("name,kind,cost\n", "no column 'attack'"),
        ("name,kind,cost,attak\n", r"unknown column 'attak'; .*Did you mean attack\?"),
        ("name,kind,cost,attack,cost\n", "column 'cost' is given twice"),
        (f"{HEADER}\nTROLL,,creature,6,3\n", "line 2 has 5 cells; expected 8"),
        (f"{HEADER}\nTROLL,,creature,6,3,6,Rage|,\n", r"line 2 \(TROLL\): unknown ability ''"),
        (
            f"{HEADER}\nTROLL,,creature,2.5,3,6,,\n",
            r"line 2 \(TROLL\): cost is '2.5'; expected a whole number",
        ),
        (f"{HEADER}\nTROLL,,creature,\u0666,3,6,,\n", "expected a whole number"),
        (f"{HEADER}\nTROLL,,creature,,3,6,,\n", "no field 'cost'"),
        (f"{HEADER}\nBOOM!,,incantation,1,1,2,,\n", "an Incantation has none"),
        (f'{HEADER}\n"TROLL,,creature,6,3,6,,\n', "not valid CSV: .*line 2"),
    ],
)
def test_bad_csv_is_refused(load, content, message):
    with pytest.raises(InputError, match=f"own.csv: .*{message}"):
        load(content, "own.csv")


@pytest.mark.parametrize("suffix", ["toml", "csv"])
@pytest.mark.parametrize(
    ("content", "message"), [(b"", "is empty"), (b" \n", "is empty"), (b"name,\xff\xfe", "not UTF-8 text")]
)
def test_unreadable_content_is_refused(load, suffix, content, message):
    with pytest.raises(InputError, match=message):
        load(content, f"own.{suffix}")


def test_set_without_cards_is_refused(load):
    with pytest.raises(InputError, match="no cards; expected at least one"):
        load("card = []")


def test_unreadable_paths_are_refused(tmp_path):
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "mine.csv").write_text(HEADER)
    with pytest.raises(InputError, match="is a folder"):
        load_cards(tmp_path / "folder.toml")
    with pytest.raises(InputError, match=r"no card set file .*Did you mean mine\.csv\?"):
        load_cards(tmp_path / "mien.csv")
    with pytest.raises(InputError, match="can not read"):
        load_cards(tmp_path / f"{'x' * 300}.csv")
    with pytest.raises(InputError, match="expected starter-kit, starter-kit-community or the path"):
        load_cards(tmp_path / "mine.xlsx")


@given(st.binary(max_size=200), st.sampled_from(["toml", "csv"]))
def test_any_bytes_load_or_are_refused_in_one_line(tmp_path_factory, content, suffix):
    path = tmp_path_factory.mktemp("cards") / f"own.{suffix}"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"^[^\n]*own\."):
        load_cards(path)
