"""What-ifs, card values and prices in a handful of games: small enough to be played without the compiler."""

import clashsim as cs
from clashsim.clash.dealt import DealtDuel
from clashsim.clash.policies import POLICIES
from clashsim.experiments.card_steps import CardSteps, steps_of

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


def test_steps_of_a_card():
    card = KIT["BOOM!"]
    steps = CardSteps(DealtDuel(KIT, (POLICIES["random"],) * 2, held=card.name), tuple(steps_of(card))[:2])
    tally = steps.tally(0, 4)
    assert tally["joint"].shape == (2, 40, 3, 3)
    assert tally["joint"].sum() == 8
