"""What stays the same in all games of a condition: cards, rule switches, policies and the key of the random numbers."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from clashsim.clash.cards import ABILITIES, Card
from clashsim.clash.core.state import (
    AI,
    CARD_NUMBERS,
    DECK_SIZE,
    FIRST_CARD,
    FIRST_KIT_CARD,
    FIRST_SOLO_CARD,
    MOST_AI_CARDS,
    MOST_KIT_CARDS,
    PLAYER,
    SIDES,
    one_record,
    record,
)
from clashsim.clash.policies import GREEDY
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import SoloSettings

# One bit per ability, in the order of ABILITIES.
SPLASH_BIT, PERFORATION_BIT, RAGE_BIT, PROTECTION_BIT, INDESTRUCTIBLE_BIT, BERSERK_BIT, SPRINT_BIT = range(
    len(ABILITIES)
)

# In a hand's list of prices an Incantation stands out of any creature's and any mana's reach.
INCANTATION_BIT = 6
INCANTATION_PRICE = 1 << INCANTATION_BIT

WEIGHTS = 24  # room for the weights of an evaluation

CARD = record(
    [
        ("cost", np.int64),
        ("attack", np.int64),  # of an Incantation: its damage
        ("health", np.int64),
        ("abilities", np.int64),  # bits
        ("auras", np.int64),  # bits: what both neighbours get (R29)
        ("price", np.int64),  # cost, + INCANTATION_PRICE for an Incantation
        ("padding", np.int64, 2),  # to a power of two: cards are reached by a shift
    ]
)

# Of a solo game: its settings (R38), and how its cards are dealt.
SOLO = record(
    [
        ("fixed", np.int64),  # R33
        ("variable", np.int64),
        ("ai_starts", np.int64),  # R32
        ("bastion", np.int64),  # 1 = the AI has one
        ("resistance", np.int64),  # NO_RESISTANCE, MINUS_ONE or TO_ONE
        ("last_turn_is_current", np.int64),  # R36: 1 = if the deck runs out in the AI's own turn
        ("deck", np.int64, DECK_SIZE),  # the player's slots of the kit
        ("ai_cards", np.int64),
        ("ai_deck", np.int64, MOST_AI_CARDS),  # the AI's slots
    ]
)
NO_RESISTANCE, MINUS_ONE, TO_ONE = range(3)

# Whose cards a duel is played with: those of the match, or eight a side chosen anew for every game: dealt by chance,
# from one kit or each from a kit of its own, drafted (R40), or left of ten a side after the bans (R41).
AS_NAMED, FROM_ONE_KIT, FROM_TWO_KITS, BY_DRAFT, AFTER_BANS = range(5)
NOTHING_HELD = -1

# Who chooses a side's cards, and bans the other's (drafting.py): chance; what it likes best; what it likes best for the
# deck that it has; the same, and what it takes from the other side.
NO_DRAFT, BY_CHANCE, BY_LIKING, BY_FIT, BY_DENIAL = range(5)

# How far a policy that searches looks beyond its own turn (policies/lookahead/planner.py).
FORESIGHT = record(
    [
        ("lines", np.int64),  # ways to play the turn that are looked at closely; 1: none, the best is played
        ("samples", np.int64),  # orders of the enemy's unseen cards that are imagined for each
        ("turns", np.int64),  # turns played out in each of them
    ]
)

MATCH = record(
    [
        ("cards", CARD, CARD_NUMBERS),
        ("policies", np.int64, SIDES),
        # Of sides whose policy is compiled by itself: the addresses of the unit (jit.py), and of the user's function
        # that it asks (policies/users); weights of the evaluation, and how far they look (policies/lookahead).
        ("planners", np.int64, SIDES),
        ("choosers", np.int64, SIDES),
        ("weights", np.float64, (SIDES, WEIGHTS)),
        ("foresights", FORESIGHT, SIDES),
        ("first_mana", np.int64),  # R3
        ("window", np.int64),  # R4
        ("turn_limit", np.int64),  # R31
        ("self_breach", np.int64),  # R19: 1 = such a play is legal
        ("ignored_uses_protection", np.int64),  # R24: 1 = on
        ("protection_against_incantations", np.int64),  # R24: 1 = attacks and Incantations, 0 = attacks only
        ("key", np.uint64),  # rng.condition_key
        ("dealing", np.int64),  # AS_NAMED, FROM_ONE_KIT, …
        ("kit_size", np.int64),
        ("held", np.int64),  # slot of the kit that side 0 always has, or NOTHING_HELD
        ("solo", SOLO),
        ("drafters", np.int64, SIDES),  # NO_DRAFT, BY_CHANCE, …
        ("likings", np.int64, (SIDES, CARD_NUMBERS)),  # what each thinks of a card, by slot of the kit
        # What two cards, by slots of the kit, do beyond the sum for a deck that has both: in the unit of the likings.
        ("fits", np.int32, (MOST_KIT_CARDS, MOST_KIT_CARDS)),
    ]
)


Match: TypeAlias = np.record  # for annotations


def ability_bits(names: Sequence[str]) -> int:
    """Return the names of abilities as bits."""
    return sum(1 << ABILITIES.index(name) for name in names)


def new_match(
    decks: Sequence[Sequence[Card]],
    rules: Rules,
    policies: Sequence[int],
    key: np.uint64,
    planners: Sequence[int] = (0, 0),
    weights: Sequence[Sequence[float]] = ((), ()),
    foresights: Sequence[tuple[int, int, int]] = ((1, 0, 0), (1, 0, 0)),
    choosers: Sequence[int] = (0, 0),
) -> np.ndarray:
    """Return an array of one MATCH for a duel.

    Parameters
    ----------
    decks
        Two sequences of eight cards; a card's place in its deck is its slot.
    policies
        The policies' numbers (clashsim.clash.policies.POLICIES), side 0 first.
    key
        From rng.condition_key.
    planners
        Addresses of the units that plan for each side.
    weights
        Of each side's evaluation, for policies that have one.
    foresights
        Lines, samples and turns of each side's FORESIGHT.
    choosers
        Addresses of the functions that choose for each side, for policies of users.
    """
    match = one_record(MATCH)
    for first, deck in zip(FIRST_CARD, decks, strict=True):
        if len(deck) != DECK_SIZE:
            raise ValueError(f"a deck has {DECK_SIZE} cards, got {len(deck)}")
        for slot, card in enumerate(deck):
            _write_card(match["cards"][0, first + slot], card)
    row = match[0]
    row["policies"] = policies
    row["planners"] = planners
    for side, foresight in enumerate(foresights):
        row["foresights"][side] = foresight
    row["choosers"] = choosers
    for side, values in enumerate(weights):
        row["weights"][side, : len(values)] = values
    row["key"] = key
    row["held"] = NOTHING_HELD
    _write_rules(row, rules)
    return match


def put_kit(match: np.ndarray, kit: Sequence[Card], dealing: int, held: int = NOTHING_HELD) -> None:
    """Let a match of a duel deal its decks from a kit.

    Parameters
    ----------
    match
        An array of one MATCH.
    kit
        At most MOST_KIT_CARDS cards; a card's place is its slot.
    dealing
        FROM_ONE_KIT, FROM_TWO_KITS, BY_DRAFT or AFTER_BANS.
    held
        Slot of the card that side 0 always has.
    """
    row = match[0]
    for slot, card in enumerate(kit):
        _write_card(row["cards"][FIRST_KIT_CARD + slot], card)
    row["dealing"] = dealing
    row["kit_size"] = len(kit)
    row["held"] = held


def put_drafter(match: np.ndarray, side: int, kind: int, likings: Sequence[int]) -> None:
    """Let a side of a match choose cards.

    Parameters
    ----------
    match
        An array of one MATCH.
    side
        0 or 1; the player of a solo game is side 0.
    kind
        BY_CHANCE, BY_LIKING, BY_FIT or BY_DENIAL.
    likings
        What it thinks of each card of the kit; with bans, of each of both tens.
    """
    row = match[0]
    row["drafters"][side] = kind
    row["likings"][side, : len(likings)] = likings


def put_fits(match: np.ndarray, fits: np.ndarray) -> None:
    """Tell the drafters of a match what pairs of cards of the kit do beyond their sum: integers (kit, kit)."""
    match[0]["fits"][: len(fits), : len(fits)] = fits


def new_solo_match(
    kit: Sequence[Card],
    deck: Sequence[int],
    rules: Rules,
    settings: SoloSettings,
    key: np.uint64,
    policy: int,
    planner: int = 0,
    weights: Sequence[float] = (),
    foresight: tuple[int, int, int] = (1, 0, 0),
    chooser: int = 0,
) -> np.ndarray:
    """Return an array of one MATCH for a solo game.

    Parameters
    ----------
    kit
        All cards; a card's place in it is its slot.
    deck
        The player's eight slots; the AI has the others. Empty where it is drafted (`put_drafter`).
    key, policy, planner, weights, foresight, chooser
        The player's, as in `new_match`.
    """
    match = one_record(MATCH)
    row = match[0]
    given = ability_bits(settings.given)
    for slot, card in enumerate(kit):
        for first in FIRST_SOLO_CARD:
            _write_card(match["cards"][0, first + slot], card)
        if card.kind == "creature":
            row["cards"][FIRST_SOLO_CARD[AI] + slot]["abilities"] |= given
    row["policies"][PLAYER] = policy
    row["policies"][AI] = GREEDY  # draws no numbers, keeps the order of the destroyed: the AI chooses nothing
    row["planners"][PLAYER] = planner
    row["choosers"][PLAYER] = chooser
    row["weights"][PLAYER, : len(weights)] = weights
    row["foresights"][PLAYER] = foresight
    row["key"] = key
    _write_rules(row, rules)
    _write_solo(row["solo"], rules, settings)
    if len(deck):
        others = [slot for slot in range(len(kit)) if slot not in deck]
        row["solo"]["deck"] = deck
        row["solo"]["ai_cards"] = len(others)
        row["solo"]["ai_deck"][: len(others)] = others
    return match


def _write_rules(row: np.record, rules: Rules) -> None:
    row["first_mana"] = rules.first_mana
    row["window"] = rules.window
    row["turn_limit"] = rules.turn_limit
    row["self_breach"] = rules.self_breach == "on"
    row["ignored_uses_protection"] = rules.ignored_uses_protection == "on"
    row["protection_against_incantations"] = rules.protection_against == "sources"


def _write_solo(row: np.record, rules: Rules, settings: SoloSettings) -> None:
    readings = {"minus_one": MINUS_ONE, "to_one": TO_ONE}
    row["fixed"] = settings.fixed
    row["variable"] = settings.variable
    row["ai_starts"] = settings.first == "ai"
    row["bastion"] = settings.bastion
    row["resistance"] = readings[rules.resistance_reading] if settings.resistance else NO_RESISTANCE
    row["last_turn_is_current"] = rules.ai_last_turn == "current"


def _write_card(row: np.record, card: Card) -> None:
    row["cost"] = card.cost
    row["attack"] = card.attack
    row["health"] = card.health or 0
    row["abilities"] = ability_bits(card.abilities)
    row["auras"] = ability_bits(card.auras)
    row["price"] = card.cost + (INCANTATION_PRICE if card.kind == "incantation" else 0)
