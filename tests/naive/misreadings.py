"""Solo games by rules that are each wrong in one point: the referee must notice every one."""

from naive.rules import BASTION, FORT
from naive.solo import AI, PLAYER, Reveal, Solo


class FirstManaInTheSecondTurn(Solo):
    """The player has the 6 mana of the first turn even if the AI began (R32)."""

    def mana_now(self):
        return self.rules["first_mana"] if self.turn == 2 and self.active == PLAYER else super().mana_now()


class ManaFromTheHand(Solo):
    """The AI too has first_mana in the first turn (R32, R33)."""

    def mana_now(self):
        return self.rules["first_mana"] if self.turn == 1 else super().mana_now()


class ManaFromOwnCreatures(Solo):
    """The AI's own creatures give mana (R33)."""

    def mana_now(self):
        own = sum(map(len, self.ai.lanes)) if self.active == AI else 0
        return super().mana_now() + own


class ManaCountedAnew(Solo):
    """The AI's mana follows the player's creatures during the turn (R33)."""

    @property
    def must_reveal(self):
        return bool(self.ai.deck) and self.value < self.mana_now()


class NoOvershoot(Solo):
    """A card that the mana left does not pay is not revealed (R34)."""

    @property
    def must_reveal(self):
        return super().must_reveal and self.value + self.cards[self.ai.deck[0]]["cost"] <= self.mana


class OneMoreReveal(Solo):
    """The AI goes on when the value is just its mana (R34)."""

    @property
    def must_reveal(self):
        return bool(self.ai.deck) and self.value <= self.mana


class LanesRunOn(Solo):
    """A turn starts in the lane after the last turn's (R34)."""

    def start_turn(self):
        reveals = self.reveals
        super().start_turn()
        self.reveals = reveals


class UpperLaneOnly(Solo):
    """No alternation (R34)."""

    def reveal(self, order):
        self.reveals = 0
        return super().reveal(order)


class IncantationsTakeNoPlace(Solo):
    """An Incantation without a target leaves its lane to the next card (R34)."""

    def reveal_incantation(self, name, lane, order):
        revealed = super().reveal_incantation(name, lane, order)
        self.reveals -= revealed.target is None
        return revealed


class IncantationsAlwaysPaid(Solo):
    """An Incantation without a target counts (R34)."""

    def reveal_incantation(self, name, lane, order):
        revealed = super().reveal_incantation(name, lane, order)
        self.value += self.cards[name]["cost"] if revealed.target is None else 0
        return revealed


class IncantationsIgnoredAreFree(Solo):
    """An Incantation on an Indestructible creature does not count (R34)."""

    def reveal_incantation(self, name, lane, order):
        front = self.player.lanes[lane][:1]
        ignored = bool(front) and "Indestructible" in self.abilities(front[0])
        self.value -= self.cards[name]["cost"] if ignored else 0
        return super().reveal_incantation(name, lane, order)


class IncantationsHitTheRear(Solo):
    """An Incantation hits the player's rearmost creature of its lane (R34).

    Those with Perforation do not, which could hit the same two creatures either way.
    """

    def reveal_incantation(self, name, lane, order):
        if "Perforation" in self.cards[name]["abilities"]:
            return super().reveal_incantation(name, lane, order)
        line = self.player.lanes[lane]
        line.reverse()
        revealed = super().reveal_incantation(name, lane, order)
        line.reverse()
        return revealed


class IncantationsReturnUnderTheDeck(Solo):
    """An Incantation that hit something goes under the deck (R35)."""

    def reveal_incantation(self, name, lane, order):
        revealed = super().reveal_incantation(name, lane, order)
        if revealed.target:
            self.ai.deck.append(self.ai.discard.pop())
        return revealed


class IncantationsHaveTheGivenAbility(Solo):
    """The given ability is for the AI's Incantations as well (R38)."""

    def strike(self, target, abilities, power, kind, order):
        given = self.ai.given if kind == "incantation" and self.active == AI else frozenset()
        return super().strike(target, abilities | given, power, kind, order)


class CreaturesGoToTheFront(Solo):
    """Revealed creatures go to the front of the lane (R34)."""

    def reveal_creature(self, name, lane):
        revealed = super().reveal_creature(name, lane)
        line = self.ai.lanes[lane]
        line.insert(0, line.pop())
        return revealed


class CreaturesAreReady(Solo):
    """The AI's creatures attack in the turn in which they are revealed (R10)."""

    def reveal_creature(self, name, lane):
        revealed = super().reveal_creature(name, lane)
        self.ai.lanes[lane][-1].arrived = False
        return revealed


class DeckBeforeCard(Solo):
    """An empty deck has its consequence before the last card is dealt with (R34)."""

    def reveal(self, order) -> Reveal:
        if len(self.ai.deck) == 1 and self.ai.fortress == BASTION and self.ai.discard:
            self.ai.fortress = FORT
            self.ai.deck += self.ai.discard
            self.ai.discard.clear()
        return super().reveal(order)


class RevealsStopAtTheBastion(Solo):
    """The AI reveals nothing more in the turn in which its Bastion turns (R34)."""

    def reshuffle(self, deck):
        super().reshuffle(deck)
        if self.active == AI:
            self.value = self.mana


class ValueStartsAnew(Solo):
    """The value begins at 0 with the new deck (R34)."""

    def reshuffle(self, deck):
        super().reshuffle(deck)
        self.value = 0


class DiscardBackwards(Solo):
    """The AI's creatures destroyed together are discarded as beside, behind, target (R35)."""

    def would_destroy(self, target, abilities, power, kind):
        destroyed = super().would_destroy(target, abilities, power, kind)
        return destroyed[::-1] if target.owner == AI else destroyed


class DiscardFromBelow(Solo):
    """Damage takes cards from the bottom of the deck (R36)."""

    def damage_fortress(self, owner, damage):
        self.ai.deck.reverse()
        super().damage_fortress(owner, damage)
        self.ai.deck.reverse()


class ExcessGoesOn(Solo):
    """Damage left when the Bastion turns discards from the new deck (R36)."""

    excess = 0

    def damage_fortress(self, owner, damage):
        if owner == AI and self.ai.fortress == BASTION:
            self.excess = max(0, self.resisted(damage) - len(self.ai.deck))
        super().damage_fortress(owner, damage)

    def reshuffle(self, deck):
        super().reshuffle(deck)
        for _ in range(min(self.excess, len(deck) - 1)):
            self.ai.receive(self.ai.deck.pop(0))


class NoNewDeck(Solo):
    """The Bastion turns, and the discard pile stays (R36)."""

    def settle_deck(self):
        super().settle_deck()
        self.reshuffle_due = False


class BastionHoldsWithoutPile(Solo):
    """With an empty discard pile the Bastion does not turn (R36)."""

    def settle_deck(self):
        if self.ai.discard or self.ai.fortress == FORT:
            super().settle_deck()


class EndlessDecks(Solo):
    """In the player's turn the discard pile is shuffled on the Fort too (R36)."""

    def settle_deck(self):
        super().settle_deck()
        if not self.ai.deck and self.ai.discard and self.active == PLAYER:
            self.reshuffle_due, self.last_turn = True, None


class NoLastTurn(Solo):
    """An uncovered Fort has lost at the end of the turn (R36)."""

    def turns_to_the_last(self):
        return 0


class OtherLastTurn(Solo):
    """`ai_last_turn` the other way round (R36)."""

    def turns_to_the_last(self):
        if self.active == PLAYER:
            return 1
        return 2 if self.rules["ai_last_turn"] == "current" else 0


class LastTurnAfterTheLast(Solo):
    """A Fort uncovered in the player's turn leaves the AI two turns (R36)."""

    def turns_to_the_last(self):
        return super().turns_to_the_last() + 2 * (self.active == PLAYER)


class DrawAtTheLimit(Solo):
    """A win at the end of the last allowed turn does not count (R36)."""

    @property
    def outcome(self):
        at_limit = self.loser is None and self.turn == self.rules["turn_limit"]
        return (None, "turn_limit") if at_limit else super().outcome


class NoResistance(Solo):
    """Nothing resists (R38)."""

    def resisted(self, damage):
        return damage


class OtherResistance(Solo):
    """`resistance_reading` the other way round (R38)."""

    def resisted(self, damage):
        if not self.solo["resistance"]:
            return damage
        return max(damage - 1, 0) if self.rules["resistance_reading"] == "to_one" else min(damage, 1)


class AtLeastOne(Solo):
    """Resistance leaves at least 1 of every attack (R38)."""

    def resisted(self, damage):
        return max(super().resisted(damage), 1) if self.solo["resistance"] else damage


class PlayersFortressResists(Solo):
    """Resistance protects the player too (R38)."""

    def damage_fortress(self, owner, damage):
        super().damage_fortress(owner, self.resisted(damage) if owner == PLAYER else damage)


class NothingGiven(Solo):
    """The AI's creatures have what is printed on them (R38)."""

    def abilities(self, creature):
        given, self.ai.given = self.ai.given, frozenset()
        found = super().abilities(creature)
        self.ai.given = given
        return found


class GivenToAll(Solo):
    """The player's creatures have the given ability too (R38)."""

    def abilities(self, creature):
        return super().abilities(creature) | self.ai.given


MISREADINGS: list[type[Solo]] = Solo.__subclasses__()
