"""What a policy of one's own is written with: the view it gets and the actions it may answer.

A policy is a function ``choose(view) -> int`` in a Python file; `clashsim policies new my_policy.py` writes one to
start from, and ``--policy my_policy.py:choose`` plays it. It is asked for every single decision of its player in
which there is more to choose than stopping: in the summon phase until it answers STOP, and in the assault phase before
every activation and after the last, until it answers STOP there (R8, R9). It is compiled with numba.

The view is a record with named fields. They stay as they are while `VIEW_VERSION` does; new ones may come at the end.
Places that are not in use (beyond `hand_size`, `length`, `n_actions`) are 0.

view
    =============  =====================================================================================
    turn           from 1, both players' counted; `turn_limit` ends the game as a draw (R31)
    phase          SUMMON_PHASE or ASSAULT_PHASE
    mana           what is left of it this turn (R3)
    window         so many of the leftmost cards can be reached (R4); `self_breach`: R19 is a legal play
    random         a number from 0 up to 1, another one in each decision, the same when the game is repeated
    hand[i]        my cards from the left, `mine.hand_size` of them, the fortress not counted
    mine, theirs   the two sides, see below
    actions[i]     all that is legal now, `n_actions` of them, STOP first
    =============  =====================================================================================

view.mine, view.theirs
    =============  =====================================================================================
    bastion        True while the Bastion side is up
    life           cards to the right of the fortress: so much damage makes it fall (R15-R17)
    fortress       cards to its left
    hand_size      cards in hand, the fortress not counted
    hand[i]        of theirs only what went in in view is known; `card` is 0 where it is not (R43)
    unseen[i]      the `n_unseen` cards that have never been played. They are the leftmost of the hand, but in
                   which order only their owner knows; here they stand in the order of the deck
    lanes[l]       UPPER and LOWER: `length` and `creatures[p]`, p = 0 the front
    =============  =====================================================================================

Solo games play the same functions, with the AI as the enemy. Of it one knows:

view
    =============  =====================================================================================
    solo           True; what follows is 0 in duels
    last_turn      the AI's last turn by its number, once it is known: who survives it wins (R36)
    fixed_mana     what the AI has in each of its turns, and `variable_mana` for each of my creatures (R33)
    resistance     MINUS_ONE or TO_ONE: an attack on its deck does 1 less, or 1; else NO_RESISTANCE (R38)
    =============  =====================================================================================

view.theirs
    =============  =====================================================================================
    bastion        True while it stands; with the last card of the deck it falls, the discard pile is the new deck
    life           cards in its deck: so much damage empties it
    deck[i]        these cards, `deck_size` of them, in the order of the card set; which is on top nobody knows
    discard[i]     its discard pile, `discard_size` cards, the newest last
    lanes[l]       as above; they may be long: 31 creatures at most
    hand_size      0, as are `fortress` and `n_unseen`: it has no hand
    =============  =====================================================================================

cards (in hands and piles)
    card (1-8 my deck in its order, 9-16 theirs; in solo games from 9 the AI's in the order of the card set, and a deck
    that was drafted in that order, too), cost, attack, health, abilities, auras, is_incantation, and of mine
    playable
creatures
    card, cost, attack, health (both printed), damage, abilities (those that Auras give it now included), auras,
    arrived, activated, struck (Protection is used up)

Abilities and Auras are bits: ``creature.abilities & RAGE``. Creatures of one's own that are destroyed together
return in the default order: the target, the one behind it, the one beside it (R14).
"""

from clashsim.clash.core.match import (
    BERSERK_BIT,
    INDESTRUCTIBLE_BIT,
    MINUS_ONE,
    NO_RESISTANCE,
    PERFORATION_BIT,
    PROTECTION_BIT,
    RAGE_BIT,
    SPLASH_BIT,
    SPRINT_BIT,
    TO_ONE,
)
from clashsim.clash.core.state import LOWER, UPPER
from clashsim.clash.policies.users.answers import (
    CAST,
    MINE,
    STOP,
    SUMMON,
    THEIRS,
    cast,
    kind_of,
    lane_of,
    position_of,
    side_of,
    slot_of,
    summon,
)
from clashsim.clash.policies.users.view import ASSAULT_PHASE, SOLO_VIEW, SUMMON_PHASE, VIEW, VIEW_VERSION

SPLASH = 1 << SPLASH_BIT
PERFORATION = 1 << PERFORATION_BIT
RAGE = 1 << RAGE_BIT
PROTECTION = 1 << PROTECTION_BIT
INDESTRUCTIBLE = 1 << INDESTRUCTIBLE_BIT
BERSERK = 1 << BERSERK_BIT
SPRINT = 1 << SPRINT_BIT

__all__ = [
    "ASSAULT_PHASE",
    "BERSERK",
    "CAST",
    "INDESTRUCTIBLE",
    "LOWER",
    "MINE",
    "MINUS_ONE",
    "NO_RESISTANCE",
    "PERFORATION",
    "PROTECTION",
    "RAGE",
    "SOLO_VIEW",
    "SPLASH",
    "SPRINT",
    "STOP",
    "SUMMON",
    "SUMMON_PHASE",
    "THEIRS",
    "TO_ONE",
    "UPPER",
    "VIEW",
    "VIEW_VERSION",
    "cast",
    "kind_of",
    "lane_of",
    "position_of",
    "side_of",
    "slot_of",
    "summon",
]
