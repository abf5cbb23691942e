"""Plays one duel and writes it down as a trace; solo_game.py does the same for solo games."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from naive.policies import POLICIES, Pick, Policy, Summon
from naive.rules import Creature, Duel, ReturnOrder

Draw = Callable[[int, int, int, int], int]  # (side, turn, decision, n) -> index below n


def state_of(duel: Duel) -> dict[str, Any]:
    """The STATE of a trace."""
    return {"sides": [side.state() for side in duel.sides]}


def cards_of(creatures: Sequence[Creature]) -> list[list[Any]]:
    """Creatures as a trace lists the destroyed ones: [owner, card]."""
    return [[creature.owner, creature.name] for creature in creatures]


class Recorder:
    """Carries out moves on a duel, legal or not, and records each as a step."""

    def __init__(self, duel: Duel) -> None:
        self.duel = duel
        self.setup = state_of(duel)
        self.steps: list[dict[str, Any]] = []

    def write(self, do: str, **fields: Any) -> None:
        self.steps.append({"do": do, **fields, "state": state_of(self.duel)})

    def start_turn(self) -> None:
        self.duel.start_turn()
        self.write("start_turn", turn=self.duel.turn, side=self.duel.active, mana=self.duel.mana)

    def summon(self, name: str, lane: int) -> None:
        self.duel.summon(name, lane)
        self.write("summon", card=name, lane=lane)

    def cast(self, name: str, target: Creature, order: ReturnOrder) -> None:
        lane, position = self.duel.where(target)
        destroyed = self.duel.cast(name, target, order)
        place = {"side": target.owner, "lane": lane, "position": position}
        self.write("cast", card=name, target=place, destroyed=cards_of(destroyed))

    def attack(self, creature: Creature, order: ReturnOrder) -> bool:
        """One attack; returns whether the creature must attack again."""
        lane, _ = self.duel.where(creature)
        attack = self.duel.attack(creature, order)
        self.write(
            "attack",
            card=creature.name,
            lane=lane,
            position=attack.position,
            target=attack.target,
            destroyed=cards_of(attack.destroyed),
        )
        return attack.again

    def end_turn(self) -> None:
        self.duel.end_turn()
        self.write("end_turn")

    def finish(self) -> dict[str, Any]:
        """The game so far as the variable part of a trace."""
        return {"setup": self.setup, "steps": self.steps, "result": result_of(self.duel)}


def result_of(duel: Duel) -> dict[str, Any]:
    """The result of a finished game."""
    winner, reason = duel.outcome
    return {"winner": winner, "reason": reason, "turns": duel.turn}


class Players:
    """Puts the game's questions to the policies and hands them their draws.

    A side without a policy (None: the AI of a solo game) has nothing to decide.
    """

    def __init__(self, duel: Duel, policies: Sequence[str | None], draw: Draw) -> None:
        self.duel = duel
        self.policies: list[Policy | None] = [name and POLICIES[name] for name in policies]
        self.draw = draw
        self.decisions = [0, 0]  # draws made this turn, per side

    def start_turn(self) -> None:
        self.decisions = [0, 0]

    def picker(self, side: int) -> Pick:
        def pick(n: int) -> int:
            if n < 2:
                return 0
            decision = self.decisions[side]
            self.decisions[side] += 1
            return self.draw(side, self.duel.turn, decision, n)

        return pick

    def act(self, phase: str) -> Any:
        side = self.duel.active
        policy = self.policies[side]
        return policy and policy.act(self.duel, phase, self.picker(side))

    def order(self, owner: int, destroyed: list[Creature]) -> list[Creature]:
        return self.policies[owner].order(destroyed, self.picker(owner))


def play_cards(record: Recorder, players: Players, phase: str) -> None:
    """Actions of one phase until the policy stops or the game is lost."""
    while record.duel.loser is None and (action := players.act(phase)) is not None:
        if isinstance(action, Summon):
            record.summon(action.name, action.lane)
        else:
            record.cast(action.name, action.target, players.order)


def assault(record: Recorder, players: Players) -> None:
    """R9: before every activation and after the last one Incantations may be played."""
    duel = record.duel
    while duel.loser is None:
        play_cards(record, players, "assault")
        creature = duel.next_activation()
        if creature is None:
            return
        creature.activated = True
        again = duel.attacks(creature)
        while again:
            again = record.attack(creature, players.order)


def play(
    cards: Mapping[str, Mapping[str, Any]],
    rules: Mapping[str, Any],
    hands: Sequence[Sequence[str]],
    first: int,
    policies: Sequence[str],
    draw: Draw,
) -> dict[str, Any]:
    """Play one duel.

    Parameters
    ----------
    cards : name -> {"kind", "cost", "attack", "health", "abilities", "auras"}
    rules : settings that differ from `naive.rules.DEFAULT_RULES`
    hands : for each side 8 names from left to right, without the fortress
    first : the side that takes the first turn
    policies : for each side "random", "greedy" or "wild"
    draw : (side, turn, decision, n) -> index below n, asked for n >= 2 only;
        `decision` counts the draws that the side has made in the turn

    Returns
    -------
    {"setup", "steps", "result"} as in a trace
    """
    duel = Duel(cards, rules, hands, first)
    record = Recorder(duel)
    players = Players(duel, policies, draw)
    while not duel.over:
        players.start_turn()
        record.start_turn()
        play_cards(record, players, "summon")
        assault(record, players)
        if duel.loser is None:
            record.end_turn()
    return record.finish()
