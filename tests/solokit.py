"""Positions of solo games on the compiled core, made from words like those of duels (corekit.py), and read back.

The AI's deck is written with its top first, its discard pile with the newest card last, as traces have them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from corekit import FACES, FORTRESS, Attack, Table, creature, deck_of, full_hand, incantation, unpacked

from clashsim.clash.cards import Card
from clashsim.clash.core import events, fortress, solo
from clashsim.clash.core.events import SOLO_LOG, new_log
from clashsim.clash.core.match import new_solo_match
from clashsim.clash.core.state import AI, DECK_SIZE, FIRST_SOLO_CARD, LANES, PLAYER, SOLO_STATE, one_record
from clashsim.clash.policies import POLICIES
from clashsim.clash.policies.scratch import SOLO_SEARCH, new_search
from clashsim.clash.policies.units import unit_address
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import SoloSettings
from clashsim.clash.solos import Solo

SOLO_FACES = {
    **FACES,
    **{
        card.name: card
        for card in (
            *(creature(f"COST{cost}", cost=cost) for cost in range(1, 13)),
            creature("GIANT", attack=5, health=5),
            creature("SPEAR", attack=3, health=3, abilities="Splash Perforation"),
            incantation("BLAST", 3, cost=6),
            incantation("STORM", 3, cost=6, abilities="Splash Perforation"),
        )
    },
}
NO_LANES = ("", "")


class Reveal(NamedTuple):
    """One card of the AI's: which, for which lane, whether it hit somebody (Incantations), and whom it destroyed."""

    card: str
    lane: int
    hit: bool = False
    destroyed: tuple[str, ...] = ()


class SoloTable(Table):
    """A solo position in the middle of turn 9, the player's, or at the start of turn 10, the AI's.

    Parameters
    ----------
    deck, discard
        The AI's, as words: the top first, the newest last. An empty deck on the Fort makes its next turn its last.
    fortress
        The AI's: "BASTION" or "FORT".
    hand
        The player's, as words.
    lanes
        Of both sides: upper and lower, as words; the AI's may be longer than eight.
    mana
        The player's.
    policy
        The player's.
    settings
        Options that differ from the quick game.
    faces
        Further cards, or other faces of known ones.
    to_move
        PLAYER or AI.
    rules
        Switches that differ from their defaults.
    """

    def __init__(
        self,
        deck: str = "z z z",
        discard: str = "",
        *,
        fortress: str = "BASTION",
        hand: str = "",
        lanes: Sequence[Sequence[str]] = (NO_LANES, NO_LANES),
        mana: int = 20,
        policy: str = "random",
        settings: dict[str, Any] | None = None,
        faces: Iterable[Card] = (),
        to_move: int = PLAYER,
        **rules: Any,
    ) -> None:
        self.faces = {**SOLO_FACES, **{card.name: card for card in faces}}
        player_words = full_hand(hand, lanes[PLAYER])
        in_play = [word.split(":")[0] for line in lanes[AI] for word in line.split()]
        kit = [*deck_of(player_words, lanes[PLAYER]), *deck.split(), *discard.split(), *in_play]
        self.names = {first + slot: name for first in FIRST_SOLO_CARD for slot, name in enumerate(kit)}
        self._match = self._new_match(kit, POLICIES[policy], Rules(**rules), SoloSettings(**(settings or {})))
        self._open(one_record(SOLO_STATE), new_log(SOLO_LOG), new_search(SOLO_SEARCH), mana)
        first = FIRST_SOLO_CARD[PLAYER]
        cards = iter(range(first, first + DECK_SIZE))
        self._fill_hand(self.side(PLAYER), player_words, cards)
        self._fill_lanes(self.side(PLAYER), lanes[PLAYER], cards)
        first = FIRST_SOLO_CARD[AI] + DECK_SIZE
        cards = iter(range(first, first + len(kit) - DECK_SIZE))
        self._stack(deck.split(), discard.split(), cards)
        self._fill_lanes(self.ai, lanes[AI], cards)
        self.ai.bastion = FORTRESS[fortress]
        if not (deck or self.ai.bastion):
            self.state.last_turn = self.state.turn + 1
        if to_move == AI:
            self.start_ai_turn()

    def _new_match(self, kit: list[str], policy: Any, rules: Rules, settings: SoloSettings) -> np.ndarray:
        return new_solo_match(
            [self.faces[name] for name in kit],
            range(DECK_SIZE),
            rules,
            settings,
            np.uint64(0),
            policy.number,
            planner=unit_address(policy.unit, solo=True) if policy.unit else 0,
            weights=policy.weights_in(solo=True),
            foresight=policy.foresight_in(solo=True),
        )

    def _stack(self, deck: list[str], discard: list[str], cards: Iterator[int]) -> None:
        self.ai.deck_size, self.ai.discard_size = len(deck), len(discard)
        self.ai.deck[: len(deck)] = [next(cards) for _ in deck][::-1]
        self.ai.discard[: len(discard)] = [next(cards) for _ in discard]

    # ---- moves

    def start_ai_turn(self) -> None:
        self.call(solo.begin_ai_turn, self.state, self.match, self.log)

    def reveal(self) -> list[Reveal]:
        """Let the AI reveal what its mana makes it reveal; return all of it."""
        before = int(self.state.events)
        both = (self.side(PLAYER), self.ai)
        self.call(solo.reveal_cards, self.state, self.match, self.log, *both)
        steps = self.log.events[before : self.state.events]
        return [self._reveal(step) for step in steps if step.kind != events.RESHUFFLE]

    def finish_ai_turn(self) -> list[Attack]:
        """Let the AI's creatures attack and its turn end; return all attacks."""
        before = int(self.state.events)
        self.call(solo.finish_ai_turn, self.state, self.match, self.log)
        return self._attacks_since(before)

    def damage_deck(self, damage: int) -> None:
        """Do the damage of one attack to the AI's fortress, in the turn of whoever's it is."""
        self.call(fortress.damage_fortress, self.state, self.match, self.ai, AI, damage)
        self.call(fortress.settle, self.state, self.log, self.ai)

    def permute_deck(self, order: Sequence[int]) -> None:
        """Put the AI's deck into another order: of its places."""
        self.ai.deck[: len(order)] = self.ai.deck[list(order)]

    # ---- reading back

    @property
    def ai(self) -> np.record:
        return self.side(AI)

    @property
    def last_turn(self) -> int | None:
        """How many turns from the running one the AI's last turn is, None while none is due."""
        return int(self.state.last_turn - self.state.turn) if self.state.last_turn else None

    @property
    def deck(self) -> list[str]:
        """The AI's deck, the top first."""
        return [self.names[int(number)] for number in self.ai.deck[: self.ai.deck_size][::-1]]

    @property
    def discard(self) -> list[str]:
        """The AI's discard pile, the newest last."""
        return [self.names[int(number)] for number in self.ai.discard[: self.ai.discard_size]]

    @property
    def fortress(self) -> str:
        """The AI's."""
        return "BASTION" if self.ai.bastion else "FORT"

    @property
    def plan(self) -> list[int]:
        """The plan of a searching policy for the player's turn, as numbers."""
        plan = self.search.plans[PLAYER]
        return plan.actions[: plan.length].tolist()

    @property
    def reshuffles(self) -> int:
        """How many new decks the AI has made."""
        return int((self.log.events["kind"][: self.state.events] == events.RESHUFFLE).sum())

    def position(self) -> dict[str, Any]:
        """The position as STATE of a trace."""
        lanes = [[self._pairs(side, lane) for lane in range(LANES)] for side in (PLAYER, AI)]
        return {
            "sides": [
                {"hand": self._whole_hand(PLAYER), "lanes": lanes[PLAYER]},
                {"deck": self.deck, "discard": self.discard, "fortress": self.fortress, "lanes": lanes[AI]},
            ]
        }

    def _reveal(self, event: np.record) -> Reveal:
        destroyed = tuple(self.names[number] for number in unpacked(event.fallen))
        hit = event.kind == events.CAST and event.position != events.NO_TARGET
        return Reveal(self.names[int(event.card)], int(event.lane), bool(hit), destroyed)


class Deal(SoloTable):
    """The setup of a game of a condition, to be read back: what was dealt to the player and to the AI."""

    def __init__(self, condition: Solo, game: int) -> None:
        self.names = {number: card.name for number, card in condition.numbered_cards.items()}
        self._match = condition.match
        self._open(one_record(SOLO_STATE), new_log(SOLO_LOG), new_search(SOLO_SEARCH), mana=0)
        self.call(solo.set_up_solo, self.state, self.match, self.log, game)
