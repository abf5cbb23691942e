"""A traced duel drawn for a person: every turn in words, then the board and both hands.

Plain ASCII apart from the names of cards and decks, so that it can be written anywhere.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from clashsim.clash.cards import Card
from clashsim.clash.narration import LANES, SIDES, Phrase, Turn, named
from clashsim.clash.trace_checks import FORTRESSES, cards_of, rules_of

INDENT = 2
LABEL = "   "  # where the board's lines have no side in front of them
LEGEND = "Board: NAME attack/health, fronts at the bridge. Hands: NAME cost, [in reach]."

Record = Mapping[str, Any]


def render(trace: Record, width: int = 80) -> Iterator[Text]:
    """Draw a game.

    Parameters
    ----------
    trace : mapping
        Of a duel, checked (`trace_files.read_trace`) or made here (`trace.Tracer`).
    width : int
        Columns to keep within; names that are too long for it apart.

    Yields
    ------
    rich.text.Text
        Line by line; empty ones stand between the turns.
    """
    cards = cards_of(trace["cards"])
    window = rules_of(trace["rules"]).window
    yield from _header(trace, width)
    yield from _board(trace["setup"], cards, window, width)
    state = trace["setup"]
    turn = None
    for step in trace["steps"]:
        if step["do"] == "start_turn":
            if turn:
                yield from _board(state, cards, window, width)
            turn = Turn(cards, step["side"], step["mana"], step["state"])
            yield from _turn_line(step, trace)
        elif turn:
            yield from _flow(turn.tell(step), width, indent=INDENT, hang=2 * INDENT)
        state = step["state"]
    yield from _board(state, cards, window, width)
    yield Text()
    yield from _flow(_ending(trace["result"]), width)


def _header(trace: Record, width: int) -> Iterator[Text]:
    yield Text(f"Game {trace['game']}, seed {trace['seed']}", "bold")
    for side, (deck, policy) in enumerate(zip(trace["decks"], trace["policies"], strict=True)):
        first = ", takes the first turn" if trace["first"] == side else ""
        yield from _flow([named(SIDES[side], side), f"deck {deck}, played by {policy}{first}"], width)
    changed = rules_of(trace["rules"]).changed()
    if changed:
        yield from _flow(["Rules:", ", ".join(f"{name}={value}" for name, value in changed.items())], width)
    yield Text()
    yield from _flow([LEGEND], width)


def _turn_line(step: Record, trace: Record) -> Iterator[Text]:
    side = step["side"]
    yield Text()
    line = Text.assemble((f"Turn {step['turn']}, ", "bold"), named(SIDES[side], side))
    yield line + Text(f" ({trace['policies'][side]}): {step['mana']} mana", "bold")


def _ending(result: Record) -> Phrase:
    turns = f"{result['turns']} turn{'' if result['turns'] == 1 else 's'}"
    winner = result["winner"]
    if result["reason"] == "stopped":
        return [f"Stopped in turn {result['turns']}: the policy to move failed, or did what is not legal."]
    if winner is None:
        return [f"Draw: no Fort has fallen in {turns}, the turn limit."]
    loser = 1 - winner
    return [
        named(SIDES[winner], winner),
        "wins:",
        named(f"{SIDES[loser]}'s", loser),
        f"Fort fell, after {turns}.",
    ]


def _board(state: Record, cards: Mapping[str, Card], window: int, width: int) -> Iterator[Text]:
    """Draw both lanes side by side, B above the bridge and A below it, and the hands outside."""
    column = (width - len(LABEL)) // 2
    a_side, b_side = state["sides"]
    yield Text()
    yield from _hand(b_side["hand"], 1, cards, window, width)
    yield from reversed(list(_ranks(b_side["lanes"], 1, cards, column)))
    yield Text(LABEL + _bridge(column), "dim")
    yield from _ranks(a_side["lanes"], 0, cards, column)
    yield from _hand(a_side["hand"], 0, cards, window, width)


def _bridge(column: int) -> str:
    upper, lower = (f"== {lane} lane " for lane in LANES)
    return f"{upper.ljust(column - 8, '=')} bridge {lower.ljust(column, '=')}"


def _ranks(lanes: list[list[list[Any]]], side: int, cards: Mapping[str, Card], column: int) -> Iterator[Text]:
    """Draw the creatures of a side, one line per position, from the front."""
    for position in range(max(map(len, lanes))):
        line = Text(LABEL)
        for lane in lanes:
            cell = _creature(lane[position], side, cards, column - 1) if position < len(lane) else Text()
            cell.pad_right(column - cell.cell_len)
            line.append_text(cell)
        line.rstrip()
        yield line


def _creature(entry: Sequence[Any], side: int, cards: Mapping[str, Card], room: int) -> Text:
    name, damage = entry
    card = cards[name]
    values = f" {card.attack}/{card.health}" + (f" ({damage} damage)" if damage else "")
    text = named(name, side)
    text.truncate(room - len(values))
    return text.append(values)


def _hand(hand: list[str], side: int, cards: Mapping[str, Card], window: int, width: int) -> Iterator[Text]:
    """Draw a hand from left to right, brackets around what can be reached (R4)."""
    holds_card = [name not in FORTRESSES for name in hand]
    reached = max(
        (i for i in range(len(hand)) if holds_card[i] and sum(holds_card[: i + 1]) <= window), default=-1
    )
    items: Phrase = [named(SIDES[side], side) + " "]
    for place, name in enumerate(hand):
        item = named(name, side).append(f" {cards[name].cost}") if holds_card[place] else None
        text = item or Text.assemble((f"<{name}>", "bold"))
        if place == 0 <= reached:
            text = Text("[") + text
        items.append(text + ("]" if place == reached else "," if place < len(hand) - 1 else ""))
    yield from _flow(items, width, hang=len(LABEL))


def _flow(phrase: Iterable[str | Text], width: int, indent: int = 0, hang: int = 0) -> Iterator[Text]:
    """Lay the pieces of a phrase out in lines: names are kept whole, later lines start at `hang`."""
    line, empty = Text(" " * indent), True
    for piece in phrase:
        for word in [piece] if isinstance(piece, Text) else map(Text, piece.split()):
            if not empty and line.cell_len + 1 + word.cell_len > width:
                yield line
                line, empty = Text(" " * hang), True
            line.append_text(word if empty else Text(" ") + word)
            empty = False
    yield line
