"""Random cards, rules, settings, hands and decks for tests, and drivers that turn them into whole traces."""

from random import Random
from typing import Any

from naive.game import Draw, play
from naive.policies import POLICIES
from naive.rules import ABILITIES, DEFAULT_RULES, SWITCHES
from naive.solo import DEFAULT_SOLO, SETTINGS, Solo
from naive.solo_game import play_on

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


# ---- solo


def random_settings(rng: Random) -> dict[str, Any]:
    """All solo settings (R38), each value with equal chances."""
    return {name: rng.choice(values) for name, values in SETTINGS.items()}


def solo_trace_of(
    cards: Cards, rules: dict[str, Any], solo: dict[str, Any], policy: str, game: dict[str, Any]
) -> dict[str, Any]:
    """A whole trace around what `play_solo` or a `SoloRecorder` returns."""
    settings = {**DEFAULT_SOLO, **solo}
    first = 0 if settings["first"] == "player" else 1
    trace = trace_of(cards, rules, first, [policy, None], game)
    return {**trace, "mode": "solo", "solo": settings}


def numbered_draw(seed: int) -> Draw:
    """Draws that depend on their side, turn and number alone, so that a game can be played again."""
    return lambda *place: Random(f"{seed} {place}").randrange(place[-1])


def random_solo_trace(seed: int, policy: str, engine: type[Solo] = Solo) -> dict[str, Any]:
    """A solo game with random cards, rules, settings, hand and deck, played by the rules of an engine.

    The AI's deck has any size up to 32 and shares no card with the player. Two engines meet the same numbers.
    """
    rng = Random(seed)
    cards, rules, solo = random_cards(rng, 40), random_rules(rng), random_settings(rng)
    names = rng.sample(sorted(cards), 40)
    game = engine(cards, rules, solo, names[:8], names[8 : 8 + rng.randint(1, 32)])

    def shuffle(discard: list[str]) -> list[str]:
        return Random(seed).sample(discard, len(discard))

    return solo_trace_of(cards, rules, solo, policy, play_on(game, policy, numbered_draw(seed), shuffle))


def numbered_solo_trace(seed: int, engine: type[Solo] = Solo) -> dict[str, Any]:
    """Game `seed` of a fixed row of random ones, in which the policies take turns."""
    return random_solo_trace(seed, list(POLICIES)[seed % len(POLICIES)], engine)
