"""A traced game drawn for a person: every turn in words, then the board and the hands.

Plain ASCII apart from the names of cards and decks, so that it can be written anywhere.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from clashsim.clash.cards import Card
from clashsim.clash.narration import LANES, Phrase, Turn, named
from clashsim.clash.solo_narration import SoloTurn, count_cards, is_uncovered
from clashsim.clash.trace_checks import cards_of, rules_of, settings_of
from clashsim.clash.trace_step_checks import AI, FORTRESSES

INDENT = 2
LABEL = "   "  # where the board's lines have no side in front of them
LEGEND = "Board: NAME attack/health, fronts at the bridge. Hands: NAME cost, [in reach]."
SOLO_LEGEND = (
    "Board: NAME attack/health, fronts at the bridge. Hand: NAME cost, [in reach]. "
    "What lies on top of the AI's deck is told here only: it is face down."
)
SIDES = {"duel": ("A", "B"), "solo": ("Player", "AI")}

Record = Mapping[str, Any]


def render(trace: Record, width: int = 80) -> Iterator[Text]:
    """Draw a game.

    Parameters
    ----------
    trace : mapping
        Checked (`trace_files.read_trace`) or made here (`trace.Tracer`).
    width : int
        Columns to keep within; names that are too long for it apart.

    Yields
    ------
    rich.text.Text
        Line by line; empty ones stand between the turns.
    """
    cards = cards_of(trace["cards"])
    rules = rules_of(trace["rules"])
    board = _Board(cards, SIDES[trace["mode"]], rules.window, width)
    yield from _header(trace, width)
    yield from board.draw(trace["setup"])
    state = trace["setup"]
    turn = None
    for step in trace["steps"]:
        if step["do"] == "start_turn":
            if turn:
                yield from board.draw(state)
            start = cards, step["side"], step["mana"], step["state"]
            turn = SoloTurn(*start, last_turn=rules.ai_last_turn) if trace["mode"] == "solo" else Turn(*start)
            yield from _turn_line(step, trace)
        elif turn:
            yield from _flow(turn.tell(step), width, indent=INDENT, hang=2 * INDENT)
        state = step["state"]
    yield from board.draw(state)
    yield Text()
    yield from _flow(_ending(trace), width)


def _header(trace: Record, width: int) -> Iterator[Text]:
    solo = trace["mode"] == "solo"
    yield Text(f"{'Solo game' if solo else 'Game'} {trace['game']}, seed {trace['seed']}", "bold")
    for side, (deck, policy) in enumerate(zip(trace["decks"], trace["policies"], strict=True)):
        said = f"deck {deck}, played by {policy}"
        if trace["first"] == side:
            said += ", takes the first turn"
        if solo and side == AI:
            said = f"all other cards, {settings_of(trace['solo'])}"  # which tell who is first, too
        yield from _flow([named(SIDES[trace["mode"]][side], side), said], width)
    changed = rules_of(trace["rules"]).changed()
    if changed:
        yield from _flow(["Rules:", ", ".join(f"{name}={value}" for name, value in changed.items())], width)
    yield Text()
    yield from _flow([SOLO_LEGEND if solo else LEGEND], width)


def _turn_line(step: Record, trace: Record) -> Iterator[Text]:
    side = step["side"]
    yield Text()
    line = Text.assemble((f"Turn {step['turn']}, ", "bold"), named(SIDES[trace["mode"]][side], side))
    policy = trace["policies"][side]
    line += Text((f" ({policy})" if policy else "") + f": {step['mana']} mana", "bold")
    if trace["mode"] == "solo" and side == AI and is_uncovered(step["state"]["sides"][AI]):
        line += Text(", its last turn", "bold")
    yield line


def _ending(trace: Record) -> Phrase:
    result = trace["result"]
    turns = f"{result['turns']} turn{'' if result['turns'] == 1 else 's'}"
    winner = result["winner"]
    if result["reason"] == "stopped":
        return [f"Stopped in turn {result['turns']}: the policy to move failed, or did what is not legal."]
    if winner is None:
        solo = trace["mode"] == "solo"
        return [f"Draw: {'nobody has won' if solo else 'no Fort has fallen'} in {turns}, the turn limit."]
    names, loser = SIDES[trace["mode"]], 1 - winner
    if result["reason"] == "last_turn":
        return [named(names[winner], winner), f"wins: it has survived the AI's last turn, after {turns}."]
    return [
        named(names[winner], winner),
        "wins:",
        named(f"{names[loser]}'s", loser),
        f"Fort fell, after {turns}.",
    ]


@dataclass(frozen=True)
class _Board:
    """What is drawn between the turns: both lanes side by side, B above the bridge, A below it, the hands outside."""

    cards: Mapping[str, Card]
    names: Sequence[str]
    window: int
    width: int

    def draw(self, state: Record) -> Iterator[Text]:
        """Draw a state."""
        column = (self.width - len(LABEL)) // 2
        below, above = state["sides"]
        yield Text()
        yield from self._hand(above["hand"], 1) if "hand" in above else self._piles(above)
        yield from reversed(list(_ranks(above["lanes"], 1, self.cards, column)))
        yield Text(LABEL + _bridge(column), "dim")
        yield from _ranks(below["lanes"], 0, self.cards, column)
        yield from self._hand(below["hand"], 0)

    def _hand(self, hand: list[str], side: int) -> Iterator[Text]:
        """Draw a hand from left to right, brackets around what can be reached (R4)."""
        holds_card = [name not in FORTRESSES for name in hand]
        reached = max(
            (i for i in range(len(hand)) if holds_card[i] and sum(holds_card[: i + 1]) <= self.window),
            default=-1,
        )
        items: Phrase = [named(self.names[side], side) + " "]
        for place, name in enumerate(hand):
            item = self._priced(name, side) if holds_card[place] else None
            text = item or Text.assemble((f"<{name}>", "bold"))
            if place == 0 <= reached:
                text = Text("[") + text
            items.append(text + ("]" if place == reached else "," if place < len(hand) - 1 else ""))
        yield from _flow(items, self.width, hang=len(LABEL))

    def _piles(self, side: Record) -> Iterator[Text]:
        """Tell what the AI has in place of a hand: its deck, face down on its fortress, and its discard pile (R32)."""
        deck, discard = side["deck"], side["discard"]
        fortress = Text.assemble((f"<{side['fortress']}>", "bold"))
        told: Phrase = [named(self.names[AI], AI) + " "]
        if deck:
            told += [
                f"deck of {count_cards(len(deck))} on its",
                fortress + ",",
                "on top",
                self._priced(deck[0], AI),
            ]
        else:
            told += ["no card on its", fortress]
        yield from _flow(told, self.width, hang=len(LABEL))
        if discard:
            pile: Phrase = [named(name, AI) + ("," if name != discard[-1] else "") for name in discard]
            told = [f"discard pile of {len(discard)}, the newest last:", *pile]
            yield from _flow(told, self.width, indent=len(LABEL), hang=len(LABEL))

    def _priced(self, name: str, side: int) -> Text:
        return named(name, side).append(f" {self.cards[name].cost}")


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
