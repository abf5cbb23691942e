"""Plays one solo game and writes it down as a trace."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from naive.game import Draw, Players, Recorder, assault, cards_of, play_cards
from naive.rules import ReturnOrder
from naive.solo import PLAYER, Solo

Shuffle = Callable[[list[str]], list[str]]  # the AI's discard pile, newest last -> its new deck, top first


class SoloRecorder(Recorder):
    """A recorder that also reveals the AI's cards and shuffles its discard pile when that is due."""

    def __init__(self, solo: Solo, shuffle: Shuffle) -> None:
        super().__init__(solo)
        self.solo = solo
        self.shuffle = shuffle

    def write(self, do: str, **fields: Any) -> None:
        super().write(do, **fields)
        if self.solo.reshuffle_due:
            deck = self.shuffle(list(self.solo.ai.discard))
            self.solo.reshuffle(deck)
            super().write("reshuffle", deck=list(deck))

    def reveal(self, order: ReturnOrder) -> None:
        """The AI's next card (R34)."""
        revealed = self.solo.reveal(order)
        if revealed.kind == "creature":
            self.write("summon", card=revealed.name, lane=revealed.lane)
            return
        place = {"side": PLAYER, "lane": revealed.lane, "position": 0} if revealed.target else None
        self.write("cast", card=revealed.name, target=place, destroyed=cards_of(revealed.destroyed))


def play_solo(
    cards: Mapping[str, Mapping[str, Any]],
    rules: Mapping[str, Any],
    solo: Mapping[str, Any],
    hand: Sequence[str],
    deck: Sequence[str],
    policy: str,
    draw: Draw,
    shuffle: Shuffle,
) -> dict[str, Any]:
    """Play one solo game.

    Parameters
    ----------
    cards, rules, draw : as in `naive.game.play`; the player is side 0, and only the player draws
    solo : settings that differ from `naive.solo.DEFAULT_SOLO`
    hand : the player's 8 names from left to right, without the fortress
    deck : the AI's names, top first
    policy : "random", "greedy" or "wild"
    shuffle : the discard pile -> the new deck, asked when the Bastion turns

    Returns
    -------
    {"setup", "steps", "result"} as in a trace
    """
    return play_on(Solo(cards, rules, solo, hand, deck), policy, draw, shuffle)


def replay_solo(trace: Mapping[str, Any], draw: Draw) -> dict[str, Any]:
    """Play the game of a trace anew: the same setup, the same reshuffled decks, the draws from outside.

    A reshuffle that the trace does not have leaves the discard pile as it lies, so that a comparison of the
    steps shows where it is missing.
    """
    player, ai = trace["setup"]["sides"]
    told = iter([step["deck"] for step in trace["steps"] if step["do"] == "reshuffle"])
    solo = Solo(trace["cards"], trace["rules"], trace["solo"], player["hand"][1:], ai["deck"])
    return play_on(solo, trace["policies"][PLAYER], draw, lambda discard: next(told, discard))


def play_on(solo: Solo, policy: str, draw: Draw, shuffle: Shuffle) -> dict[str, Any]:
    """Play a solo game from its setup to its end."""
    record = SoloRecorder(solo, shuffle)
    players = Players(solo, [policy, None], draw)
    while not solo.over:
        players.start_turn()
        record.start_turn()
        if solo.active == PLAYER:
            play_cards(record, players, "summon")
        else:
            while solo.must_reveal:
                record.reveal(players.order)
        assault(record, players)
        if solo.loser is None:
            record.end_turn()
    return record.finish()
