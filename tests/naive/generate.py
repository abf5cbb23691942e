"""Random cards, rules and hands for tests, and a driver that turns them into whole traces."""

from random import Random
from typing import Any

from naive.game import play
from naive.rules import ABILITIES, DEFAULT_RULES, SWITCHES

Cards = dict[str, dict[str, Any]]
DAMAGING = ("Splash", "Perforation")  # all that an Incantation can have (R22)


def small(rng: Random, low: int, high: int) -> int:
    """A whole number from `low` to `high`, mostly small."""
    return min(low + int(rng.expovariate(0.4)), high) if rng.random() < 0.9 else rng.randint(low, high)


def subset(rng: Random, choices: tuple[str, ...], chance: float) -> list[str]:
    return [choice for choice in choices if rng.random() < chance]


def random_cards(rng: Random, n: int) -> Cards:
    """`n` custom cards by name, about one in five an Incantation; mostly small numbers, for lively games."""
    cards: Cards = {}
    for i in range(n):
        card: dict[str, Any]
        if rng.random() < 0.2:
            card = {"kind": "incantation", "cost": small(rng, 1, 15), "attack": small(rng, 0, 15)}
            card |= {"health": None, "abilities": subset(rng, DAMAGING, 0.4), "auras": []}
        else:
            card = {"kind": "creature", "cost": small(rng, 0, 15), "attack": small(rng, 0, 15)}
            card |= {"health": small(rng, 1, 15), "abilities": subset(rng, ABILITIES, 0.25)}
            card["auras"] = subset(rng, ABILITIES, 0.08)
        cards[f"CARD {i + 1}"] = card
    return cards


def random_rules(rng: Random) -> dict[str, Any]:
    """All rules of a duel: each the default or, half of the time, another value."""
    rules: dict[str, Any] = {name: rng.choice(values) for name, values in SWITCHES.items()}
    others = {"turn_limit": rng.randint(1, 60), "first_mana": rng.randint(1, 12), "window": rng.randint(1, 8)}
    for name, other in others.items():
        rules[name] = rng.choice((DEFAULT_RULES[name], other))
    return rules


def random_hands(rng: Random, cards: Cards) -> list[list[str]]:
    """Two hands of 8 distinct cards; the two may share cards."""
    return [rng.sample(sorted(cards), 8) for _ in range(2)]


def trace_of(
    cards: Cards, rules: dict[str, Any], first: int, policies: list[str], game: dict[str, Any]
) -> dict[str, Any]:
    """A whole trace around what `play` or a `Recorder` returns."""
    return {
        "format": "clashsim-trace/1",
        "mode": "duel",
        "rules": {**DEFAULT_RULES, **rules},
        "cards": cards,
        "first": first,
        "policies": policies,
        "seed": 0,
        "game": 0,
        "decks": ["A", "B"],
        **game,
    }


def random_trace(rng: Random, policies: list[str]) -> dict[str, Any]:
    """A game with random cards, rules and hands."""
    cards, rules = random_cards(rng, 16), random_rules(rng)
    hands, first = random_hands(rng, cards), rng.randrange(2)
    game = play(cards, rules, hands, first, policies, lambda side, turn, decision, n: rng.randrange(n))
    return trace_of(cards, rules, first, policies, game)
