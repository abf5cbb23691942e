"""What-ifs, card values, prices and abilities in a handful of games: small enough to be played without the compiler."""

from dataclasses import replace

import clashsim as cs
from clashsim.clash.dealt import DealtDuel
from clashsim.clash.drafting import ALL_DRAFTERS, Worths
from clashsim.clash.drafts import DraftDuel, DraftSolo
from clashsim.clash.policies import POLICIES
from clashsim.clash.solos import Solo
from clashsim.experiments.ability_bodies import creature_of
from clashsim.experiments.ability_columns import ABILITY_COLUMNS
from clashsim.experiments.ability_games import StandIns
from clashsim.experiments.ability_layout import Layout
from clashsim.experiments.audit_columns import AUDIT_COLUMNS
from clashsim.experiments.card_columns import CARD_COLUMNS
from clashsim.experiments.card_steps import CardSteps, steps_of
from clashsim.experiments.columns import COLUMNS, dictionary
from clashsim.experiments.constructed_columns import CONSTRUCTED_COLUMNS
from clashsim.experiments.draft_columns import DRAFT_COLUMNS
from clashsim.experiments.price_columns import PRICE_COLUMNS
from clashsim.experiments.whatif_columns import WHATIF_COLUMNS

KIT = cs.load_cards()


def test_a_what_if():
    found = cs.whatif({"TROLL": {"cost": 1}}, decks=["1", "2"], games=6, policy="greedy")
    assert found.whatif["games"].tolist() == [6]
    assert found.findings().attachments().keys() == {"whatif_base.jsonl", "whatif_changed.jsonl"}


def test_a_what_if_of_solo_games():
    settings = [cs.SoloSettings(), cs.SoloSettings(fixed=8)]
    found = cs.whatif(
        {"TROLL": {"cost": 1}}, scope="solo", decks="1", settings=settings, games=40, policy="random"
    )
    assert found.decks["settings"].tolist() == [2]
    assert found.findings().answer


def test_card_values():
    found = cs.card_values(games=20, policy="random")
    assert len(found.card_values) == 32
    assert found.findings().answer


def test_drafts():
    costs = Worths(tuple(card.cost / 100 for card in KIT.cards))
    drafters = (ALL_DRAFTERS["denial"].by(costs), ALL_DRAFTERS["random"])
    duels = DraftDuel(KIT, (POLICIES["random"],) * 2, drafters=drafters)
    assert duels.tally(0, 8)["by_pick"].sum() == 8 * 16
    games = DraftSolo(Solo(KIT, ALL_DRAFTERS["value"].by(costs), POLICIES["random"]))
    assert games.tally(0, 4)["by_card"].sum() == 4 * 8


def test_constructed_decks():
    deck_a, deck_b = (
        cs.Deck(name, KIT.cards[first : first + 10]) for name, first in (("one", 0), ("two", 5))
    )
    found = cs.constructed_play(deck_a, deck_b, games=4, value_games=4, policy="random")
    assert found.constructed["games"].tolist() == [4]
    assert found.findings().answer


def test_a_search_for_constructed_decks():
    cards = cs.CardSet("few", tuple(replace(card, deck=None) for card in KIT.cards[:11]))
    found = cs.constructed_search(
        cards=cards, generations=1, population=4, games=1, value_games=4, policy="random"
    )
    assert len(found.constructed_tens) == 4
    assert found.findings().attachments().keys() >= {"ten-1.toml", "ten-4.toml"}
    for table in found.tables.values():
        assert set(table.columns) <= set(dictionary())


def test_every_column_is_explained():
    """And by one text: the dictionaries that it is put together from have no name in common."""
    parts = [
        AUDIT_COLUMNS,
        WHATIF_COLUMNS,
        CARD_COLUMNS,
        PRICE_COLUMNS,
        DRAFT_COLUMNS,
        ABILITY_COLUMNS,
        CONSTRUCTED_COLUMNS,
    ]
    assert len(COLUMNS) - len(set().union(*parts)) == len(set(COLUMNS) - set().union(*parts))
    assert sum(map(len, parts)) == len(set().union(*parts))
    runs = [
        cs.whatif({"TROLL": {"cost": 1}}, decks=["1", "2"], games=4, policy="random"),
        cs.whatif({"TROLL": {"cost": 1}}, scope="solo", decks="1", games=4, policy="random"),
        cs.card_values(games=4, policy="random"),
        cs.draft(drafter="random", games=160, policy="random"),
        cs.solo_draft(cs.SoloSettings(), drafter="random", games=40, table_games=40, policy="random"),
    ]
    for run in runs:
        for table in run.tables.values():
            assert set(table.columns) <= set(dictionary())


def test_steps_of_a_card():
    card = KIT["BOOM!"]
    steps = CardSteps(DealtDuel(KIT, (POLICIES["random"],) * 2, held=card.name), tuple(steps_of(card))[:2])
    tally = steps.tally(0, 4)
    assert tally["joint"].shape == (2, 40, 3, 3)
    assert tally["joint"].sum() == 8


def test_sets_of_abilities():
    body = creature_of("3/3")
    run = Layout(KIT, list(KIT.decks.values()), [POLICIES["random"]], [body], "TROLL")
    condition = run.condition(run.rows[0], body.variants[:3])
    assert isinstance(condition, StandIns)
    tally = condition.tally(0, 4)
    assert tally["joint"].shape == (3, 40, 3, 3)
    assert tally["joint"].sum() == 12


def test_abilities_of_the_ai():
    run = Layout(KIT, [KIT.decks["1"]], [POLICIES["random"]], [creature_of("3/3")], "TROLL")
    tally = run.condition(run.rows[-1]).tally(0, 2)
    assert tally["joint"].shape == (5, 40, 3, 3)
    assert tally["joint"].sum() == 10
