"""Checks a trace of a duel step by step against the rules, without policies and without random numbers.

An activation without an attack (R23) leaves no step. It changes nothing that a later step can show: its
lane has no enemy creature, and none can come before the turn ends, so that its creature can not attack this
turn whether it counts as activated or not. The referee therefore passes over such activations when it looks
for the next attacker, and so accepts every order of them and of Incantations that R9 allows.
"""

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from naive.game import cards_of, result_of, state_of
from naive.rules import ABILITIES, BASTION, FORTRESS, SWITCHES, Creature, Duel

HEADER_KEYS = ("format", "mode", "rules", "cards", "first", "policies", "seed", "game", "decks")
TRACE_KEYS = (*HEADER_KEYS, "setup", "steps", "result")
CARD_KEYS = ("kind", "cost", "attack", "health", "abilities", "auras")
STEP_KEYS = {
    "start_turn": ("turn", "side", "mana"),
    "summon": ("card", "lane"),
    "cast": ("card", "target", "destroyed"),
    "attack": ("card", "lane", "position", "target", "destroyed"),
    "end_turn": (),
}


class RefereeError(AssertionError):
    """A trace breaks a rule; the message names the game, the step and what differs."""


def same(a: Any, b: Any) -> bool:
    """Equality as JSON: 1 is neither 1.0 nor true."""
    try:
        return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)
    except TypeError:
        return False


def is_count(value: Any, at_least: int = 0) -> bool:
    return type(value) is int and value >= at_least


class Referee:
    """Replays one trace of a duel."""

    mode = "duel"
    step_keys = STEP_KEYS

    def __init__(self, trace: Mapping[str, Any]) -> None:
        self.trace = trace
        self.at = "header"
        self.step: Mapping[str, Any] = {}
        self.duel: Duel
        self.phase = "between turns"  # then "summon", "assault"; "finished" when the game is over
        self.must_continue: Creature | None = None  # in the middle of a Berserk activation (R26)

    # ---- complaints

    def fail(self, what: str) -> NoReturn:
        game = self.trace.get("game") if isinstance(self.trace, Mapping) else None
        raise RefereeError(f"game {game}, {self.at}: {what}")

    def expect(self, holds: bool, what: str) -> None:
        if not holds:
            self.fail(what)

    def equal(self, name: str, expected: Any, found: Any) -> None:
        self.expect(same(expected, found), f"{name}: expected {expected!r}, found {found!r}")

    def require(self, thing: Any, keys: tuple[str, ...], name: str) -> None:
        self.expect(isinstance(thing, Mapping), f"{name} is not an object")
        for key in keys:
            self.expect(key in thing, f"{name} lacks the key {key!r}")

    # ---- before the first step

    def check_header(self) -> None:
        trace = self.trace
        self.require(trace, TRACE_KEYS, "the trace")
        self.equal("format", "clashsim-trace/1", trace["format"])
        self.equal("mode", self.mode, trace["mode"])
        self.expect(trace["first"] in (0, 1) and type(trace["first"]) is int, "first is not a side")
        for key in ("policies", "decks"):
            self.expect(isinstance(trace[key], list) and len(trace[key]) == 2, f"{key} is not a list of two")
        for key in ("seed", "game"):
            self.expect(type(trace[key]) is int, f"{key} is not a whole number")
        self.expect(isinstance(trace["steps"], list), "steps is not a list")
        self.check_rules(trace["rules"])
        self.expect(isinstance(trace["cards"], Mapping), "cards is not an object")
        for name, card in trace["cards"].items():
            self.check_card(name, card)

    def check_rules(self, rules: Any) -> None:
        self.require(rules, ("turn_limit", *SWITCHES), "rules")
        for name, values in SWITCHES.items():
            self.expect(rules[name] in values, f"rules: {name} is {rules[name]!r}, not one of {values}")
        self.expect(is_count(rules["turn_limit"], 1), "rules: turn_limit is not a positive whole number")
        self.expect(is_count(rules.get("first_mana", 0)), "rules: first_mana is not a whole number")
        self.expect(is_count(rules.get("window", 1), 1), "rules: window is not a positive whole number")

    def check_card(self, name: str, card: Any) -> None:
        self.require(card, CARD_KEYS, f"card {name}")
        creature = card["kind"] == "creature"
        self.expect(name not in FORTRESS, f"a card is named {name}")
        self.expect(creature or card["kind"] == "incantation", f"card {name}: unknown kind {card['kind']!r}")
        self.expect(is_count(card["cost"]) and is_count(card["attack"]), f"card {name}: bad cost or attack")
        health_fits = is_count(card["health"], 1) if creature else card["health"] is None
        self.expect(health_fits, f"card {name}: health {card['health']!r} of a card of kind {card['kind']}")
        allowed = ABILITIES if creature else ("Splash", "Perforation")
        for key, choices in (("abilities", allowed), ("auras", ABILITIES if creature else ())):
            fits = isinstance(card[key], list | tuple) and all(ability in choices for ability in card[key])
            self.expect(fits, f"card {name}: {key} {card[key]!r} of a card of kind {card['kind']}")

    def check_setup(self) -> None:
        """R1."""
        self.at = "setup"
        setup = self.trace["setup"]
        self.require(setup, ("sides",), "setup")
        self.expect(isinstance(setup["sides"], list) and len(setup["sides"]) == 2, "not two sides")
        self.duel = self.game_of(setup["sides"])
        self.equal("state", state_of(self.duel), setup)

    def game_of(self, sides: list[Any]) -> Duel:
        """The game before its first turn."""
        hands = [self.check_hand(side) for side in sides]
        return Duel(self.trace["cards"], self.trace["rules"], hands, self.trace["first"])

    def check_hand(self, side: Any) -> list[str]:
        """The 8 cards of a player's hand, right of the Bastion (R1)."""
        self.require(side, ("hand", "lanes"), "side")
        hand = side["hand"]
        self.expect(isinstance(hand, list) and len(hand) == 9, "a hand is not 8 cards and a fortress")
        self.equal("leftmost", BASTION, hand[0])
        self.check_distinct(hand[1:], "hand")
        return hand[1:]

    def check_distinct(self, names: list[Any], place: str) -> None:
        for name in names:
            self.expect(isinstance(name, str) and name in self.trace["cards"], f"unknown card {name!r}")
        self.expect(len(set(names)) == len(names), f"the cards of the {place} are not distinct")

    # ---- steps

    def check_step(self, index: int, step: Any) -> None:
        self.at, self.step = f"step {index}", step
        self.require(step, ("do", "state"), "the step")
        do = step["do"]
        self.expect(isinstance(do, str) and do in self.step_keys, f"unknown step {do!r}")
        self.at += f" ({do})"
        self.require(step, self.step_keys[do], "the step")
        self.expect(self.phase != "finished", "a step after the end of the game")
        in_turn = self.phase != "between turns"
        self.expect(
            in_turn != (do == "start_turn"), "not allowed within a turn" if in_turn else "no turn has started"
        )
        self.check_due(do)
        getattr(self, do)()
        if self.duel.loser is not None:
            self.phase = "finished"
        self.equal("state", state_of(self.duel), step["state"])

    def check_due(self, do: str) -> None:
        """Whether something else must come first."""
        self.expect(
            self.must_continue is None or do == "attack", "a Berserk creature must attack again (R26)"
        )

    def start_turn(self) -> None:
        """R3."""
        duel = self.duel
        duel.start_turn()
        self.phase = "summon"
        self.equal("turn", duel.turn, self.step["turn"])
        self.equal("side", duel.active, self.step["side"])
        self.equal("mana", duel.mana, self.step["mana"])

    def check_playable(self, kind: str) -> str:
        """The step's card, if R4 lets it be played."""
        duel, name = self.duel, self.step["card"]
        hand, window = duel.sides[duel.active].hand, duel.rules["window"]
        self.expect(isinstance(name, str) and name in hand, f"{name!r} is not in hand")
        self.expect(name not in FORTRESS, "the fortress is no card to play")
        card = duel.cards[name]
        self.equal(f"kind of {name}", kind, card["kind"])
        self.expect(card["cost"] <= duel.mana, f"{name} costs {card['cost']}, {duel.mana} mana left (R3)")
        self.expect(name in duel.playable(), f"{name} is not among the leftmost {window} cards (R4)")
        return name

    def summon(self) -> None:
        """R4, R5, R7, R19."""
        self.expect(self.phase == "summon", "summons after the first attack")
        name, lane = self.check_playable("creature"), self.step["lane"]
        self.expect(self.duel.can_summon(name), f"{name} can not be summoned (R7, R19)")
        self.expect(is_count(lane) and lane < 2, f"no lane {lane!r}")
        self.duel.summon(name, lane)

    def cast(self) -> None:
        """R8."""
        name, target = self.check_playable("incantation"), self.step["target"]
        self.require(target, ("side", "lane", "position"), "target")
        side, lane, position = target["side"], target["lane"], target["position"]
        self.expect(is_count(side) and side < 2 and is_count(lane) and lane < 2, f"no such lane: {target!r}")
        line = self.duel.sides[side].lanes[lane]
        self.expect(is_count(position) and position < len(line), f"no creature there: {target!r}")
        destroyed = self.duel.cast(name, line[position], self.return_order)
        self.equal("destroyed", cards_of(destroyed), self.step["destroyed"])

    def attack(self) -> None:
        """R9-R11, R23, R26, R27."""
        attacker = self.must_continue or self.next_attacker()
        if attacker is None:
            self.fail("no creature can attack any more")
        self.phase = "assault"
        attacker.activated = True
        lane, position = self.duel.where(attacker)
        self.equal("attacker", attacker.name, self.step["card"])
        self.equal("lane", lane, self.step["lane"])
        self.equal("position", position, self.step["position"])
        attack = self.duel.attack(attacker, self.return_order)
        self.equal("target", attack.target, self.step["target"])
        self.equal("destroyed", cards_of(attack.destroyed), self.step["destroyed"])
        self.must_continue = attacker if attack.again else None

    def next_attacker(self) -> Creature | None:
        """The next creature whose activation is an attack; activations without one are passed over."""
        while (creature := self.duel.next_activation()) and not self.duel.attacks(creature):
            creature.activated = True
        return creature

    def return_order(self, owner: int, destroyed: list[Creature]) -> list[Creature]:
        """The owner's choice (R14) as the step tells it."""
        told = self.step["destroyed"]
        expected = cards_of(destroyed)
        fits = isinstance(told, list) and sorted(map(json.dumps, told)) == sorted(map(json.dumps, expected))
        self.expect(fits, f"destroyed: expected {expected!r} in any order, found {told!r}")
        return sorted(destroyed, key=lambda creature: told.index([owner, creature.name]))

    def end_turn(self) -> None:
        """R9, R13, R31."""
        due = self.next_attacker()
        if due is not None:
            self.fail(f"{due.name} must attack before the turn ends (R9)")
        self.duel.end_turn()
        self.phase = "finished" if self.duel.over else "between turns"

    # ---- after the last step

    def check_result(self) -> None:
        """R17, R30, R31."""
        self.at = "result"
        self.expect(self.phase == "finished", "the steps stop before the game is over")
        self.require(self.trace["result"], ("winner", "reason", "turns"), "result")
        for key, expected in result_of(self.duel).items():
            self.equal(key, expected, self.trace["result"][key])
