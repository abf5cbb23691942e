"""The steps of a traced turn of a solo game in words: what the AI reveals, what becomes of its deck."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.text import Text

from clashsim.clash.narration import LANES, Phrase, Record, Turn, named
from clashsim.clash.trace_step_checks import AI


@dataclass
class SoloTurn(Turn):
    """A turn of a solo game as far as it has been told.

    Attributes
    ----------
    last_turn : str
        Which is the AI's last turn if its deck runs out in its own: "next" or "current" (R36).
    """

    last_turn: str = "next"

    def tell(self, step: Record) -> Phrase:
        """Return what happens in a step of this turn."""
        if step["do"] != "reshuffle":
            return super().tell(step)
        self.state = step["state"]
        return [
            named("The AI", AI),
            "shuffles its discard pile:",
            f"a new deck of {count_cards(len(step['deck']))}",
        ]

    def _rest(self) -> str:
        return super()._rest() if self.mana >= 0 else f"{-self.mana} mana more than it had"

    def _summon(self, step: Record) -> tuple[Phrase, list[Phrase]]:
        if self.side != AI:
            return super()._summon(step)
        return [*self._reveals(self._priced(step["card"])), f"for the {LANES[step['lane']]} lane"], []

    def _cast(self, step: Record) -> tuple[Phrase, list[Phrase]]:
        if self.side != AI:
            return super()._cast(step)
        if step["target"] is None:
            card = named(step["card"], AI).append(",")
            return [*self._reveals(card), "which finds no creature and costs nothing"], []
        return self._strike(step, [*self._reveals(self._priced(step["card"])), "on"])

    def _reveals(self, card: Text) -> Phrase:
        return [named("The AI", AI), "reveals", card]

    def _hit(self, enemy: int, was: Record, now: Record) -> tuple[Text, list[Phrase]]:
        """Return what an attack on a fortress hits: of the AI's the deck on it (R36)."""
        if enemy != AI:
            return super()._hit(enemy, was, now)
        if not was["deck"]:
            return named("Fort", AI), [["no card is left to lose"]]
        lost = was["deck"][: len(was["deck"]) - len(now["deck"])]
        names: Phrase = [named(name, AI) + ("," if name != lost[-1] else "") for name in lost]
        left = f"{count_cards(len(now['deck']))} left" if now["deck"] else "the deck is empty"
        return named("deck", AI), [[*names, f"discarded, {left}" if lost else f"no card lost, {left}"]]

    def _breach(self, side: int, before: Record, after: Record) -> Iterator[Phrase]:
        if side != AI:
            yield from super()._breach(side, before, after)
            return
        if before["fortress"] != after["fortress"]:
            yield self._falls(side, before["fortress"])
        reshuffles = before["fortress"] == "BASTION" and after["discard"]
        if is_uncovered(after) and not is_uncovered(before) and not reshuffles:
            current = self.side == AI and self.last_turn == "current"
            yield [
                "the",
                named("Fort", AI),
                f"is uncovered, the AI's {'turn' if current else 'next turn'} is its last",
            ]


def is_uncovered(side: Record) -> bool:
    """Tell whether there is no card on the AI's Fort: unless a new deck is due, its last turn is near (R36)."""
    return side["fortress"] == "FORT" and not side["deck"]


def count_cards(number: int) -> str:
    """Return a number of cards in words."""
    return f"{number} card{'' if number == 1 else 's'}"
