"""The commands `clashsim cards` and `clashsim card`."""

from typing import Annotated, Any, Literal

import typer

from clashsim.clash.abilities import ability_text, aura_text
from clashsim.clash.cards import Card, CardSet, load_cards, to_toml
from clashsim.cli.options import CardsOption, examples
from clashsim.cli.output import show

CARDS_EXAMPLES = examples(
    "clashsim cards",
    "clashsim cards --format toml > my-set.toml",
    "clashsim cards --cards my-set.toml --check",
)
CARD_EXAMPLES = examples("clashsim card TROLL", "clashsim card troll --cards starter-kit-community")


def list_cards(
    card_set: CardsOption = "starter-kit",
    check: Annotated[
        bool, typer.Option("--check", help="Only check the set, and say what is in it.")
    ] = False,
    output_format: Annotated[
        Literal["table", "csv", "json", "toml"] | None,
        typer.Option(
            "--format",
            show_default="table on a terminal, csv into a pipe or file",
            help="How to print the cards; csv and toml can be edited and given back with --cards.",
        ),
    ] = None,
) -> None:
    """List the cards of a card set, or check a set of your own."""
    cards = load_cards(card_set)
    if check:
        print(summary(cards))
    elif output_format == "toml":
        print(to_toml(cards), end="")
    else:
        show([_row(card) for card in cards.cards], output_format, title=cards.title or cards.name)


def show_card(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the card, in upper or lower case.")],
    card_set: CardsOption = "starter-kit",
) -> None:
    """Show one card in full, with what its abilities do."""
    cards = load_cards(card_set)
    print("\n".join(describe(cards.find(name), cards)))


def summary(cards: CardSet) -> str:
    """Return the line that says what a valid card set holds."""
    decks = cards.decks
    labels = f" ({', '.join(decks)})" if decks else ""
    return f"OK: {_count(len(cards.cards), 'card')}, {_count(len(decks), 'deck')}{labels}, hash {cards.hash}"


def describe(card: Card, cards: CardSet) -> list[str]:
    """Return the lines that show `card` in full."""
    place = f"deck {card.deck} of {cards.name}" if card.deck else f"in no deck of {cards.name}"
    if card.kind == "incantation":
        numbers = f"cost {card.cost}, damage {card.attack}"
    else:
        numbers = f"cost {card.cost}, attack {card.attack}, health {card.health}"
    return [
        f"{card.name}: {card.kind}, {place}",
        numbers,
        *(ability_text(ability, card.kind) for ability in card.abilities),
        *(aura_text(ability) for ability in card.auras),
        f"Source: {card.source or 'not given'}",
    ]


def _row(card: Card) -> dict[str, Any]:
    return {
        "name": card.name,
        "deck": card.deck,
        "kind": card.kind,
        "cost": card.cost,
        "attack": card.attack,
        "health": card.health,
        "abilities": card.abilities,
        "auras": card.auras,
    }


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
