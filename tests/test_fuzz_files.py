"""Card files, deck files and traces, damaged in every way: loaded as what they say, or refused in one line."""

import csv
import io
import json
import math
import re
import tomllib
from collections import Counter

import pytest
from fuzzing import ODD_VALUES, THOROUGHLY, changed, damaged, fuzz, run, spots
from hypothesis import strategies as st

from clashsim.clash.cards import load_cards, to_toml

KIT = load_cards()
KIT_TOML = to_toml(KIT).encode()
FIELDS = ("name", "kind", "cost", "attack", "health", "abilities", "auras", "deck", "source")
ABILITIES = {"Splash", "Perforation", "Berserk", "Indestructible", "Protection", "Rage", "Sprint"}
OF_INCANTATIONS = {"Splash", "Perforation"}


# ---- what the documentation says of the files, once more and apart from the program


def is_text(value, longest=40, empty=False):
    return (
        isinstance(value, str)
        and value.isprintable()
        and value == value.strip()
        and (empty or value != "")
        and len(value) <= longest
    )


def is_whole(value, least):
    return type(value) is int and least <= value <= 15


def is_label(value):
    return is_text(value) and value.upper() != "ALL" and not re.search(r"[,/\\]|\.(toml|csv)$", value, re.I)


def are_abilities(value, allowed):
    return (
        isinstance(value, list)
        and all(isinstance(one, str) for one in value)
        and len(set(value)) == len(value)
        and set(value) <= allowed
    )


def is_card(card):
    if not isinstance(card, dict) or not {"name", "kind", "cost", "attack"} <= set(card) <= set(FIELDS):
        return False
    spell = card["kind"] == "incantation"
    return (
        card["kind"] in ("creature", "incantation")
        and is_text(card["name"])
        and card["name"].upper() not in ("BASTION", "FORT")
        and is_whole(card["cost"], 1 if spell else 0)
        and is_whole(card["attack"], 0)
        and ("health" not in card if spell else is_whole(card.get("health"), 1))
        and are_abilities(card.get("abilities", []), OF_INCANTATIONS if spell else ABILITIES)
        and are_abilities(card.get("auras", []), set() if spell else ABILITIES)
        and ("deck" not in card or is_label(card["deck"]))
        and is_text(card.get("source", ""), 400, empty=True)
    )


def are_cards(cards):
    if not isinstance(cards, list) or not cards or not all(is_card(card) for card in cards):
        return False
    sizes = Counter(card["deck"] for card in cards if "deck" in card)
    return set(sizes.values()) <= {8} and len({card["name"].casefold() for card in cards}) == len(cards)


def cards_in_toml(content):
    """The cards of a card set in TOML; None if it is not sound."""
    try:
        table = tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    texts = [("name", 400, False), ("title", 400, True), ("source", 400, True)]
    sound = (
        set(table) <= {"name", "title", "source", "card"}
        and are_cards(table.get("card"))
        and all(is_text(table.get(key, "x"), longest, empty) for key, longest, empty in texts)
    )
    return table["card"] if sound else None


def cards_in_csv(content):
    """The cards of a card set in CSV; None if it is not sound."""
    try:
        lines = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
        rows = [[cell.strip() for cell in row] for row in lines if any(cell.strip() for cell in row)]
    except (ValueError, csv.Error):
        return None
    header, *rows = rows or [[]]
    if len(set(header)) != len(header) or any(len(row) != len(header) for row in rows):
        return None
    cards = []
    for row in rows:
        card = {key: cell for key, cell in zip(header, row, strict=True) if cell}
        for key in {"cost", "attack", "health"} & set(card):
            card[key] = int(card[key]) if re.fullmatch(r"[+-]?[0-9]{1,9}", card[key]) else None
        for key in {"abilities", "auras"} & set(card):
            card[key] = [part.strip() for part in card[key].split("|")]
        cards.append(card)
    return cards if set(header) <= set(FIELDS) and are_cards(cards) else None


def deck_in_toml(content):
    """The name and the cards of a deck file called own.toml; None if it is not sound."""
    try:
        table = tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    name, cards = table.get("name", "own"), table.get("cards")
    known = {card.name for card in KIT.cards}
    sound = (
        set(table) <= {"name", "cards"}
        and is_text(name)
        and name.upper() != "ALL"
        and isinstance(cards, list)
        and len(cards) == 8
        and all(isinstance(card, str) and card in known for card in cards)
        and len(set(cards)) == 8
    )
    return (name, cards) if sound else None


# ---- files with one thing changed


def toml(value):
    """Write a value as TOML has it, or as nothing that it has."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case float():
            return "nan" if math.isnan(value) else str(value)
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case dict():
            return f"{{{', '.join(f'{json.dumps(key)} = {toml(one)}' for key, one in value.items())}}}"
        case str():
            return json.dumps(value, ensure_ascii=False)
    return str(value)


def toml_file(table):
    lines = [f"{json.dumps(key)} = {toml(value)}" for key, value in table.items()]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


SOME_CARDS = [
    {key: list(value) if isinstance(value, tuple) else value for key, value in fields.items() if value != ()}
    for fields in (
        {field: getattr(card, field) for field in FIELDS if getattr(card, field) not in (None, "")}
        for card in KIT.decks["3"].cards
    )
]
CARD_TABLE = {"title": "Some", "card": SOME_CARDS}
CSV_ROWS = [
    list(FIELDS),
    *(
        [
            "|".join(value) if isinstance(value := card.get(field, ""), list) else str(value)
            for field in FIELDS
        ]
        for card in SOME_CARDS
    ),
]


@st.composite
def csv_files(draw):
    rows = draw(changed(CSV_ROWS)).value
    buffer = io.StringIO(newline="")
    rows = [row if isinstance(row, list) else [row] for row in rows]
    csv.writer(buffer, lineterminator=draw(st.sampled_from(["\n", "\r\n"]))).writerows(rows)
    return buffer.getvalue().encode("utf-8", "surrogatepass")


def checked_cards(path, expected):
    """Check that a card file is refused, or that it is listed with the faces that are expected."""
    listed, checked = (
        run("cards", "--cards", path, "--format", "json"),
        run("cards", "--cards", path, "--check"),
    )
    assert listed.code == checked.code == (2 if expected is None else 0), listed.err
    if expected is None:
        assert path.name in listed.err
        return
    empty = {"deck": None, "health": None, "abilities": [], "auras": []}
    faces = [{key: card.get(key, empty.get(key)) for key in FIELDS if key != "source"} for card in expected]
    assert json.loads(listed.out) == [{key: row[key] for key in row if key in FIELDS} for row in faces]


@THOROUGHLY
def test_a_card_file_says_what_it_says_or_is_refused(scale, tmp_path):
    def check(content):
        path = tmp_path / "own.toml"
        path.write_bytes(content)
        checked_cards(path, cards_in_toml(content))

    assert cards_in_toml(toml_file(CARD_TABLE)) == SOME_CARDS
    check(toml_file(CARD_TABLE))
    fuzz(check, 50 * scale, changed(CARD_TABLE).map(lambda change: toml_file(change.value)))
    fuzz(check, 25 * scale, damaged(KIT_TOML))


@THOROUGHLY
def test_a_card_file_in_csv_says_what_it_says_or_is_refused(scale, tmp_path):
    def check(content):
        path = tmp_path / "own.csv"
        path.write_bytes(content)
        checked_cards(path, cards_in_csv(content))

    whole = "\n".join(",".join(row) for row in CSV_ROWS).encode()
    assert cards_in_csv(whole) == SOME_CARDS
    fuzz(check, 50 * scale, csv_files())
    fuzz(check, 25 * scale, damaged(whole))


DECK_TABLE = {"name": "own deck", "cards": [card["name"] for card in SOME_CARDS]}


@pytest.mark.jit
@THOROUGHLY
def test_a_deck_file_is_the_deck_it_names_or_is_refused(scale, tmp_path):
    def check(content):
        path = tmp_path / "own.toml"
        path.write_bytes(content)
        expected = deck_in_toml(content)
        outcome = run("trace", "--policy=greedy", "--decks", f"2,{path}")
        assert outcome.code == (2 if expected is None else 0), outcome.err
        if expected is None:
            assert path.name in outcome.err
            assert outcome.out == ""
            return
        trace = json.loads(outcome.out)
        hand = set(trace["setup"]["sides"][1]["hand"]) - {"BASTION", "FORT"}
        assert (trace["decks"][1], hand) == (expected[0], set(expected[1]))

    assert deck_in_toml(toml_file(DECK_TABLE)) == tuple(DECK_TABLE.values())
    check(toml_file(DECK_TABLE))
    fuzz(check, 60 * scale, changed(DECK_TABLE).map(lambda change: toml_file(change.value)))
    fuzz(check, 30 * scale, damaged(toml_file(DECK_TABLE)))


# ---- traces


@pytest.fixture(scope="module")
def trace():
    """A short game, as the program writes it."""
    outcome = run("trace", "--policy=greedy", "--decks", "1,3", "--where", "turns<20", "--limit", "1")
    return json.loads(outcome.out)


def kind_of(value):
    return type(value) if not isinstance(value, dict | list) else {dict: "object", list: "list"}[type(value)]


def value_at(value, spot):
    for key in spot:
        value = value[key]
    return value


MAY_BE_MISSING = {("rules", "first_mana"), ("rules", "window")}  # traces of an earlier program lack them


def is_malformed(change, before):
    """Tell whether a change has taken a key away, or put a value of another type in its place."""
    if change.spot in MAY_BE_MISSING and change.kind != "replace":
        return False
    holder = value_at(before, change.spot[:-1])
    if isinstance(holder, dict) and change.kind in ("delete", "move"):
        return True
    if change.kind != "replace" or change.spot == ("result", "winner"):
        return False
    return kind_of(value_at(change.value, change.spot)) != kind_of(value_at(before, change.spot))


@pytest.mark.jit
@THOROUGHLY
def test_a_trace_is_drawn_or_refused(scale, trace, tmp_path):
    path = tmp_path / "game.jsonl"

    def check(change):
        path.write_text(json.dumps(change.value))
        outcome = run("replay", path)
        assert (outcome.out == "") == (outcome.code != 0)
        if is_malformed(change, trace):
            assert outcome.code == 2, (change.spot, change.kind)
            assert path.name in outcome.err

    short = trace | {"steps": trace["steps"][:12]}
    heads = [spot for spot in spots(trace) if spot[0] != "steps"]
    steps = [spot for spot in spots(trace) if spot[0] == "steps"]
    fuzz(check, 60 * scale, changed(trace, st.sampled_from(heads)))
    fuzz(check, 40 * scale, changed(trace, st.sampled_from(steps)))
    fuzz(check, 30 * scale, changed(trace, st.sampled_from([s for s in spots(short) if len(s) < 4])))


@pytest.mark.jit
@THOROUGHLY
def test_a_damaged_trace_is_no_game(scale, trace, tmp_path):
    path = tmp_path / "game.jsonl"
    whole = json.dumps(trace).encode() + b"\n"

    def check(content):
        path.write_bytes(content)
        outcome = run("replay", path)
        lines = [line for line in content.split(b"\n") if line.strip()]
        try:
            games = [json.loads(line.decode("utf-8-sig")) for line in lines]
        except (ValueError, RecursionError):
            games = []
        if not games or any(game != games[0] for game in games):
            assert outcome.code == 2
            assert path.name in outcome.err
        if games == [trace]:
            assert outcome.code == 0

    check(whole)
    fuzz(check, 40 * scale, damaged(whole))


@pytest.mark.parametrize("value", ODD_VALUES, ids=lambda value: repr(value)[:12])
def test_an_odd_value_in_place_of_a_file_is_no_file(value, tmp_path, monkeypatch):
    """Whatever its content, and by whatever name it is asked for."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "odd.toml"
    path.write_bytes(toml(value).encode("utf-8", "surrogatepass"))
    for command in (["cards", "--cards"], ["trace", "--policy=greedy", "--decks"], ["replay"]):
        given = f"1,{path}" if command[0] == "trace" else path
        assert run(*command, given).code == 2
        name = str(value) if isinstance(value, int | float | str) else repr(value)
        if command[0] == "replay" or name not in ("starter-kit", "1"):
            assert run(*command, name).code == 2
