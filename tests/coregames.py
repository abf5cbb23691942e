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

from clashsim.clash.cards import Card, Deck
from clashsim.clash.core import rng
from clashsim.clash.duels import Duel
from clashsim.clash.policies import POLICIES
from clashsim.clash.rules import Rules

COMPILED = not numba.config.DISABLE_JIT
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


def subkey(key: np.uint64, number: int) -> np.uint64:
    """A key below a key; compiled code hands numbers back as Python's, which the core can't take."""
    return np.uint64(rng.subkey(np.uint64(key), number))
