"""What a solo game (R32-R39) adds to the duel: the AI's deck and discard pile, its reveals, its last turn.

The player's turn is a duel turn. The AI decides nothing, so that `reveal` carries out the one thing that its
next card does. A new deck needs chance: whoever plays calls `reshuffle` when `reshuffle_due` says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from naive.rules import BASTION, FORT, Creature, Duel, ReturnOrder, lanes_of

PLAYER, AI = 0, 1
SETTINGS: dict[str, tuple[Any, ...]] = {  # the first of each is the default (R38)
    "variable": (1, 2),
    "fixed": (6, 7, 8, 9, 10),
    "first": ("player", "ai"),
    "bastion": (True, False),
    "resistance": (False, True),
    "ability": (None, "Splash", "Perforation", "Rage", "Protection", "Berserk"),
}
DEFAULT_SOLO: dict[str, Any] = {name: values[0] for name, values in SETTINGS.items()}


@dataclass
class AISide:
    """What the AI owns."""

    deck: list[str]  # top first
    fortress: str
    given: frozenset[str]  # the ability that all its creatures have (R38)
    discard: list[str] = field(default_factory=list)  # newest last
    lanes: list[list[Creature]] = field(default_factory=lambda: [[], []])

    def receive(self, name: str) -> None:
        """The card of a destroyed creature or a used Incantation goes to the discard pile (R35)."""
        self.discard.append(name)

    def state(self) -> dict[str, Any]:
        """The side as a trace shows it."""
        return {
            "deck": list(self.deck),
            "discard": list(self.discard),
            "fortress": self.fortress,
            "lanes": lanes_of(self),
        }


@dataclass
class Reveal:
    """What a revealed card did (R34)."""

    name: str
    kind: str
    lane: int
    target: Creature | None  # of an Incantation
    destroyed: list[Creature]


class Solo(Duel):
    """One solo game; side 0 is the player, side 1 the AI.

    Parameters
    ----------
    cards, rules : as in `Duel`
    solo : settings that differ from `DEFAULT_SOLO`
    hand : the player's cards from left to right, without the fortress
    deck : the AI's cards, top first
    """

    def __init__(
        self,
        cards: Mapping[str, Mapping[str, Any]],
        rules: Mapping[str, Any],
        solo: Mapping[str, Any],
        hand: Sequence[str],
        deck: Sequence[str],
    ) -> None:
        self.solo = {**DEFAULT_SOLO, **solo}
        super().__init__(cards, rules, [hand, ()], PLAYER if self.solo["first"] == "player" else AI)
        self.player = self.sides[PLAYER]
        given = self.solo["ability"]
        self.ai = AISide(
            list(deck), BASTION if self.solo["bastion"] else FORT, frozenset([given] if given else [])
        )
        self.sides[AI] = self.ai
        self.value = 0  # revealed this turn (R34)
        self.reveals = 0  # cards revealed this turn
        self.reshuffle_due = False
        self.last_turn: int | None = None  # number of the AI's last turn (R36)

    # ---- turns and end (R33, R36)

    @property
    def survived(self) -> bool:
        """Whether the AI's last turn has started."""
        return self.last_turn is not None and self.turn >= self.last_turn

    @property
    def over(self) -> bool:
        """R17, R31, and, between turns, R36."""
        return super().over or self.survived

    @property
    def outcome(self) -> tuple[int | None, str]:
        """A Fort that falls in the AI's last turn is lost; a win at the turn limit is a win (R36)."""
        return (PLAYER, "last_turn") if self.loser is None and self.survived else super().outcome

    def start_turn(self) -> None:
        """R3, R33, R34."""
        super().start_turn()
        self.value = self.reveals = 0

    def mana_now(self) -> int:
        """R33 for the AI, R3 for the player."""
        if self.active == PLAYER:
            return super().mana_now()
        in_play = sum(len(lane) for lane in self.player.lanes)
        return self.solo["fixed"] + self.solo["variable"] * in_play

    # ---- the AI's reveals (R34)

    @property
    def must_reveal(self) -> bool:
        """Whether the AI, in its turn, reveals another card now."""
        return bool(self.ai.deck) and self.value < self.mana

    def reveal(self, order: ReturnOrder) -> Reveal:
        """Deal with the top card, and only then with an empty deck."""
        name, lane = self.ai.deck.pop(0), self.reveals % 2
        self.reveals += 1
        if self.cards[name]["kind"] == "creature":
            revealed = self.reveal_creature(name, lane)
        else:
            revealed = self.reveal_incantation(name, lane, order)
        self.settle_deck()
        return revealed

    def reveal_creature(self, name: str, lane: int) -> Reveal:
        self.value += self.cards[name]["cost"]
        self.ai.lanes[lane].append(Creature(name, AI))
        return Reveal(name, "creature", lane, None, [])

    def reveal_incantation(self, name: str, lane: int, order: ReturnOrder) -> Reveal:
        """It hits the player's front creature of the lane; without one it does and costs nothing."""
        card, line = self.cards[name], self.player.lanes[lane]
        target = line[0] if line else None
        destroyed: list[Creature] = []
        if target:
            self.value += card["cost"]
            destroyed = self.strike(target, set(card["abilities"]), card["attack"], "incantation", order)
        self.ai.receive(name)
        return Reveal(name, "incantation", lane, target, destroyed)

    # ---- damage (R35, R36, R38)

    def strike(
        self, target: Creature, abilities: set[str], power: int, kind: str, order: ReturnOrder
    ) -> list[Creature]:
        """The AI does not choose an order: its creatures go as target, behind, beside (R35)."""
        chosen = order if target.owner == PLAYER else lambda owner, destroyed: destroyed
        return super().strike(target, abilities, power, kind, chosen)

    def damage_fortress(self, owner: int, damage: int) -> None:
        """R15 for the player; on the AI's fortress cards go from the deck to the discard pile (R36)."""
        if owner == PLAYER:
            super().damage_fortress(owner, damage)
            return
        for _ in range(min(self.resisted(damage), len(self.ai.deck))):
            self.ai.receive(self.ai.deck.pop(0))
        self.settle_deck()

    def resisted(self, damage: int) -> int:
        """What the resistance leaves of an attack on the AI's deck (R38)."""
        if not self.solo["resistance"]:
            return damage
        if self.rules["resistance_reading"] == "to_one":
            return min(damage, 1)
        return max(damage - 1, 0)

    def settle_deck(self) -> None:
        """The consequence of an empty deck (R36)."""
        if self.ai.deck:
            return
        if self.ai.fortress == BASTION:
            self.ai.fortress = FORT
            if self.ai.discard:
                self.reshuffle_due = True
                return
        if self.last_turn is None:
            self.last_turn = self.turn + self.turns_to_the_last()

    def turns_to_the_last(self) -> int:
        """How many turns after this one the AI's last turn is."""
        if self.active == PLAYER:
            return 1
        return 0 if self.rules["ai_last_turn"] == "current" else 2

    def reshuffle(self, deck: Sequence[str]) -> None:
        """The discard pile, in this order, is the new deck on top of the Fort."""
        self.ai.deck = list(deck)
        self.ai.discard.clear()
        self.reshuffle_due = False
