"""Whole games of the compiled core: random conditions, and the same games on the naive engine."""

from dataclasses import replace
from random import Random
from typing import Any

import numba
import numpy as np
from corekit import KIT
from naive.game import play
from naive.generate import random_cards, random_rules
from naive.policies import POLICIES as NAIVE_POLICIES
from naive.solo_game import replay_solo

from clashsim.clash.cards import Card, Deck
from clashsim.clash.core import rng
from clashsim.clash.drafting import DRAFT_KIT, DRAFTERS, Drafter
from clashsim.clash.duels import Duel
from clashsim.clash.policies import POLICIES
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import all_settings
from clashsim.clash.solos import MOST_CARDS, Solo

COMPILED = not numba.config.DISABLE_JIT
SETTINGS = list(all_settings())
MOST = 15  # the highest cost, attack and health of a card


def duel_of(one: str, other: str, policies: str = "random random", **settings: Any) -> Duel:
    """A duel between two preconstructed decks; `settings` are Duel's, or rule switches."""
    own = {key: settings.pop(key) for key in ("seed", "group") if key in settings}
    players = tuple(POLICIES[name] for name in policies.split())
    return Duel((KIT.decks[one], KIT.decks[other]), players, Rules(**settings), **own)


def random_duel(seed: int) -> Duel:
    """A duel between random decks by random rules: of the starter kit, of custom cards, or of the largest numbers."""
    draw = Random(seed)
    kind = draw.choice(("kit", "custom", "custom", "large"))
    cards = list(KIT.cards) if kind == "kit" else custom_cards(draw, 16)
    rules = random_rules(draw)
    if kind == "large":
        cards = [replace(card, attack=MOST, health=card.health and MOST) for card in cards]
        rules["first_mana"] = 30
    decks = tuple(Deck(name, tuple(draw.sample(cards, 8))) for name in "AB")
    players = tuple(POLICIES[draw.choice(list(NAIVE_POLICIES))] for _ in range(2))
    return Duel(decks, players, Rules(**rules), seed=seed)


def random_solo(seed: int) -> Solo:
    """A solo condition: random settings and rules, the starter kit or custom cards, a deck of one's own or a draft."""
    draw = Random(seed)
    kind = draw.choice(("kit", "custom", "custom", "large", "cheap"))
    cards = (
        list(KIT.cards) if kind == "kit" else custom_cards(draw, draw.choice((9, 12, 24, 32, 32, MOST_CARDS)))
    )
    rules = random_rules(draw)
    if kind == "large":
        cards = [replace(card, attack=MOST, health=card.health and MOST) for card in cards]
    if kind == "cheap":  # so that the AI's lanes are long
        cards = [replace(card, cost=min(card.cost, 2), attack=min(card.attack, 1)) for card in cards]
        cards = [
            replace(card, cost=max(card.cost, 1)) if card.kind == "incantation" else card for card in cards
        ]
    kit = replace(KIT, name=kind, cards=tuple(cards))
    deck: Deck | Drafter = Deck("own", tuple(draw.sample(cards, 8)))
    if len(cards) == DRAFT_KIT and draw.random() < 0.3:
        deck = draw.choice(list(DRAFTERS.values()))
    policy = POLICIES[draw.choice(list(NAIVE_POLICIES))]
    return Solo(kit, deck, policy, draw.choice(SETTINGS), Rules(**rules), seed=seed)


def with_card(duel: Duel, side: int, slot: int, card: Card) -> Duel:
    """The same condition with another card at a slot of a side's deck."""
    decks = list(duel.decks)
    cards = list(decks[side].cards)
    cards[slot] = card
    decks[side] = replace(decks[side], cards=tuple(cards))
    return replace(duel, decks=tuple(decks))


def custom_cards(draw: Random, n: int) -> list[Card]:
    return [
        Card(name, **{**face, "abilities": tuple(face["abilities"]), "auras": tuple(face["auras"])})
        for name, face in random_cards(draw, n).items()
    ]


def replayed(duel: Duel, trace: dict[str, Any]) -> dict[str, Any]:
    """The game of a trace, played by the naive engine from the same shuffles and random numbers."""
    hands = [side["hand"][1:] for side in trace["setup"]["sides"]]
    with np.errstate(over="ignore"):
        game_key = subkey(duel.match["key"][0], trace["game"])
        streams = [subkey(game_key, side) for side in (0, 1)]

        def draw(side: int, turn: int, decision: int, n: int) -> int:
            return int(rng.uniform(subkey(streams[side], turn), decision, n))

        return play(trace["cards"], trace["rules"], hands, trace["first"], trace["policies"], draw)


def replayed_solo(solo: Solo, trace: dict[str, Any]) -> dict[str, Any]:
    """The solo game of a trace, played by the naive engine from the same shuffles and random numbers."""
    with np.errstate(over="ignore"):
        stream = subkey(subkey(solo.match["key"][0], trace["game"]), 0)

        def draw(side: int, turn: int, decision: int, n: int) -> int:
            assert side == 0
            return int(rng.uniform(subkey(stream, turn), decision, n))

        return replay_solo(trace, draw)


def subkey(key: np.uint64, number: int) -> np.uint64:
    """A key below a key; compiled code hands numbers back as Python's, which the core can't take."""
    return np.uint64(rng.subkey(np.uint64(key), number))
