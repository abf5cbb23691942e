"""The steps of a traced turn in words: who plays what where, whom it hurts, what falls."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from clashsim.clash.cards import Card
from clashsim.clash.trace_step_checks import FORTRESSES, in_play

# Blue and vermillion of Okabe and Ito's palette: told apart with every common kind of colour blindness.
STYLES = ("bold #0072B2", "bold #D55E00")
LANES = ("upper", "lower")
PLACES = ("front", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

Record = Mapping[str, Any]
Phrase = list[str | Text]
"""What is said, in pieces: names, as Text, stay whole when a line is broken; plain pieces break at their spaces."""


def named(name: str, side: int) -> Text:
    """Return a name in its side's colour."""
    return Text.assemble((name, STYLES[side]))  # what is appended to it stays plain


@dataclass
class Turn:
    """A turn as far as it has been told.

    Attributes
    ----------
    cards : mapping of str to Card
    side : int
        Whose turn it is.
    mana : int
        What is left of it.
    state : mapping
        After the last step that was told.
    bonuses : dict
        Attack gained by Sprint this turn, by creature (R27).
    """

    cards: Mapping[str, Card]
    side: int
    mana: int
    state: Record
    bonuses: dict[str, int] = field(default_factory=dict)

    def tell(self, step: Record) -> Phrase:
        """Return what happens in a step of this turn."""
        match step["do"]:
            case "summon":
                told, outcomes = self._summon(step)
            case "cast":
                told, outcomes = self._cast(step)
            case "attack":
                told, outcomes = self._attack(step)
            case _:
                told, outcomes = [self._rest()], []
        outcomes += self._breaches(step["state"])
        self.state = step["state"]
        return _sentence(told, outcomes)

    def _rest(self) -> str:
        return f"{self.mana} mana unspent" if self.mana > 0 else "all mana spent"

    def _summon(self, step: Record) -> tuple[Phrase, list[Phrase]]:
        name = step["card"]
        self.bonuses.pop(name, None)  # summoned again it is a new creature (R12)
        return ["summons", self._priced(name), f"to the {LANES[step['lane']]} lane"], []

    def _cast(self, step: Record) -> tuple[Phrase, list[Phrase]]:
        whose = "on its own" if step["target"]["side"] == self.side else "on"
        return self._strike(step, ["casts", self._priced(step["card"]), whose])

    def _strike(self, step: Record, told: Phrase) -> tuple[Phrase, list[Phrase]]:
        """Tell whom an Incantation hits, and what it does."""
        side, lane, position = (step["target"][name] for name in ("side", "lane", "position"))
        name = self.state["sides"][side]["lanes"][lane][position][0]
        ordinal = PLACES[position] if position < len(PLACES) else f"{position + 1}th"
        told += [named(name, side), f"({LANES[lane]} lane, {ordinal})"]
        return told, self._harm(step, side, name, self.cards[step["card"]].attack)

    def _attack(self, step: Record) -> tuple[Phrase, list[Phrase]]:
        passed = self._passed(step)
        attack = self.cards[step["card"]].attack + self.bonuses.get(step["card"], 0)
        told: Phrase = [named(step["card"], self.side)]
        if passed:
            told.append(f"sprints to the front (attack {attack}) and")
        enemy = 1 - self.side
        if step["target"] == "creature":
            target = self.state["sides"][enemy]["lanes"][step["lane"]][0][0]
            told += ["attacks", named(target, enemy), f"({LANES[step['lane']]} lane)"]
            return told, self._harm(step, enemy, target, attack)
        was, now = (state["sides"][enemy] for state in (self.state, step["state"]))
        hit, outcomes = self._hit(enemy, was, now)
        return [*told, "hits the", hit, f"for {attack}"], outcomes

    def _hit(self, enemy: int, was: Record, now: Record) -> tuple[Text, list[Phrase]]:
        """Return what an attack on an enemy's fortress hits, and what comes of it (R15)."""
        fortress = _fortress(was["hand"])
        right = len(now["hand"]) - 1 - now["hand"].index(_fortress(now["hand"]))
        hit = named(fortress.capitalize(), enemy)
        if _fortress(now["hand"]) != fortress or right == 0:
            return hit, []  # it fell: told as a breach
        return hit, [[f"{right} card{'' if right == 1 else 's'} left to its right"]]

    def _passed(self, step: Record) -> int:
        """Return how many creatures the attacker passed, and remember what it gained by it (R27)."""
        lane = [name for name, _ in step["state"]["sides"][self.side]["lanes"][step["lane"]]]
        passed = step["position"] if lane[:1] == [step["card"]] else 0
        self.bonuses[step["card"]] = self.bonuses.get(step["card"], 0) + passed
        return passed

    def _harm(self, step: Record, side: int, target: str, damage: int) -> list[Phrase]:
        """Return what became of the target, then of the others that Perforation and Splash reached."""
        before, after = (in_play(state["sides"][side]) for state in (self.state, step["state"]))
        told: list[Phrase] = []
        for name in (target, *(name for name in before if name != target)):
            done = damage if name not in after else after[name] - before[name]
            if name != target and done <= 0:
                continue
            if name not in after:
                fate = f"{damage} damage, destroyed"
            elif done > 0:
                fate = f"{done} damage, {(self.cards[name].health or 0) - after[name]} health left"
            else:  # what else but Protection stops an attack; an Incantation meets Indestructible as well
                fate = "unharmed (Protection)" if damage and step["do"] == "attack" else "unharmed"
            told.append([fate] if name == target else [named(name, side), fate])
        return told

    def _breaches(self, state: Record) -> Iterator[Phrase]:
        """Tell whose Bastion or Fort fell (R16, R17, R19)."""
        for side, (before, after) in enumerate(zip(self.state["sides"], state["sides"], strict=True)):
            yield from self._breach(side, before, after)

    def _breach(self, side: int, before: Record, after: Record) -> Iterator[Phrase]:
        fortress = _fortress(before["hand"])
        fallen = [fortress] if fortress != _fortress(after["hand"]) else []
        if after["hand"][-1] == "FORT":
            fallen.append("FORT")
        for name in fallen:
            yield self._falls(side, name)

    def _falls(self, side: int, fortress: str) -> Phrase:
        return ["its own" if side == self.side else "the", named(fortress.capitalize(), side), "falls"]

    def _priced(self, name: str) -> Text:
        cost = self.cards[name].cost
        self.mana -= cost
        return named(name, self.side).append(f" ({cost})")


def _fortress(hand: list[str]) -> str:
    return next(name for name in hand if name in FORTRESSES)


def _sentence(told: Phrase, outcomes: list[Phrase]) -> Phrase:
    """Join what was done and its outcomes: "done: outcome; outcome"."""
    sentence = list(told)
    for index, outcome in enumerate(outcomes):
        sentence[-1] = sentence[-1] + (";" if index else ":")
        sentence += outcome
    return sentence
