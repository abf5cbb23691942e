"""The referee of solo games (R32-R39): what it checks beyond a duel's."""

from typing import Any

from naive.game import cards_of
from naive.referee_duel import STEP_KEYS, Referee, same
from naive.rules import BASTION, FORT
from naive.solo import AI, PLAYER, SETTINGS, Solo

MOST_CARDS = 32  # of the AI's deck
SOLO_STEP_KEYS = {**STEP_KEYS, "reshuffle": ("deck",)}
REVEALS = {"summon": "creature", "cast": "incantation"}  # a revealed card's step and its kind


class SoloReferee(Referee):
    """Replays one trace of a solo game."""

    mode = "solo"
    step_keys = SOLO_STEP_KEYS
    duel: Solo

    # ---- before the first step

    def check_header(self) -> None:
        super().check_header()
        self.require(self.trace, ("solo",), "the trace")
        solo = self.trace["solo"]
        self.require(solo, tuple(SETTINGS), "solo")
        for name, values in SETTINGS.items():
            fits = any(same(solo[name], value) for value in values)
            self.expect(fits, f"solo: {name} is {solo[name]!r}, not one of {values} (R38)")
        self.equal("first", PLAYER if solo["first"] == "player" else AI, self.trace["first"])
        self.expect(self.trace["policies"][AI] is None, "the AI has a policy")

    def game_of(self, sides: list[Any]) -> Solo:
        """R32."""
        trace = self.trace
        hand = self.check_hand(sides[PLAYER])
        deck = self.check_deck(sides[AI])
        return Solo(trace["cards"], trace["rules"], trace["solo"], hand, deck)

    def check_deck(self, side: Any) -> list[str]:
        self.require(side, ("deck", "discard", "fortress", "lanes"), "the AI's side")
        deck = side["deck"]
        self.expect(isinstance(deck, list) and 1 <= len(deck) <= MOST_CARDS, "no deck for the AI")
        self.check_distinct(deck, "AI's deck")
        self.equal("fortress", BASTION if self.trace["solo"]["bastion"] else FORT, side["fortress"])
        return deck

    # ---- steps

    @property
    def ai_turn(self) -> bool:
        return self.duel.active == AI and self.phase != "between turns"

    def check_due(self, do: str) -> None:
        """A reshuffle comes at once and only then (R36); in its turn the AI reveals as long as it must (R34)."""
        duel = self.duel
        super().check_due(do)
        self.expect(
            duel.reshuffle_due == (do == "reshuffle"),
            "the discard pile must be shuffled (R36)" if duel.reshuffle_due else "no reshuffle is due (R36)",
        )
        if do != "reshuffle" and self.ai_turn:
            self.expect(
                duel.must_reveal == (do in REVEALS),
                f"revealed {duel.value} of {duel.mana} mana, {len(duel.ai.deck)} cards left (R34)",
            )

    def summon(self) -> None:
        """R4, R5 for the player, R34 for the AI."""
        if not self.ai_turn:
            super().summon()
            return
        self.check_revealed()
        revealed = self.duel.reveal(self.return_order)
        self.equal("lane", revealed.lane, self.step["lane"])

    def cast(self) -> None:
        """R8 for the player, R34 for the AI."""
        if not self.ai_turn:
            super().cast()
            return
        self.check_revealed()
        revealed = self.duel.reveal(self.return_order)
        place = {"side": PLAYER, "lane": revealed.lane, "position": 0} if revealed.target else None
        self.equal("target", place, self.step["target"])
        self.equal("destroyed", cards_of(revealed.destroyed), self.step["destroyed"])

    def check_revealed(self) -> None:
        """The step's card is the top one of the deck, and the step fits its kind."""
        top = self.duel.ai.deck[0]
        self.equal("top card", top, self.step["card"])
        self.equal(f"kind of {top}", REVEALS[self.step["do"]], self.duel.cards[top]["kind"])

    def reshuffle(self) -> None:
        """R36."""
        deck, discard = self.step["deck"], self.duel.ai.discard
        fits = isinstance(deck, list) and all(isinstance(name, str) for name in deck)
        self.expect(
            fits and sorted(deck) == sorted(discard), f"{deck!r} is no order of the discard pile {discard!r}"
        )
        self.duel.reshuffle(deck)
