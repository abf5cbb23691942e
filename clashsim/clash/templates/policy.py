"""A policy for Clash of Decks, to change as you like.

Try it, and see one of its games:

    clashsim matchups --policy FILE:choose --vs-policy greedy
    clashsim play --decks 1,2 --policy FILE:choose

`choose` is asked for one action at a time and answers with a number: STOP, summon(slot, lane),
cast(slot, side, lane, position), or one of view.actions, which lists all that is legal now. An illegal action
stops the run and shows the game. In the summon phase STOP ends the phase; in the assault phase it lets the next
creature attack. All fields of `view` are explained by

    python -m pydoc clashsim.clash.player

The functions are compiled with numba: loops, numbers and arrays are fast, strings, dictionaries and most
libraries are not at hand. Draw from view.random, not from other random numbers, and keep nothing from one
decision to the next: then the same seed always gives the same games. This file is executed when it is named as
a policy; it may import other files of its folder.
"""

from numba import njit

from clashsim.clash.player import (
    INDESTRUCTIBLE,
    PROTECTION,
    STOP,
    SUMMON_PHASE,
    THEIRS,
    cast,
    summon,
)


@njit
def choose(view):
    """Cast where it destroys most, else summon the dearest creature, else stop."""
    action = best_cast(view)
    if action == STOP and view.phase == SUMMON_PHASE:
        action = best_summon(view)
    return action


@njit
def best_cast(view):
    """Return the cast that destroys the enemy creature of the highest cost, or STOP."""
    best, action = 0, STOP
    for slot in range(view.mine.hand_size):
        card = view.hand[slot]
        if not (card.playable and card.is_incantation):
            continue
        for number in range(2):
            lane = view.theirs.lanes[number]
            for position in range(lane.length):
                creature = lane.creatures[position]
                if creature.cost > best and is_destroyed(creature, card.attack):
                    best, action = creature.cost, cast(slot, THEIRS, number, position)
    return action


@njit
def is_destroyed(creature, damage):
    """Tell whether an Incantation of this damage destroys a creature."""
    if creature.abilities & INDESTRUCTIBLE:
        return False
    if creature.abilities & PROTECTION and not creature.struck:
        return False
    return creature.damage + damage >= creature.health


@njit
def best_summon(view):
    """Return the summon of the dearest creature into the lane under more pressure, or STOP."""
    best, action = -1, STOP
    mine = view.mine
    for slot in range(mine.hand_size):
        card = view.hand[slot]
        uncovers = (
            mine.life == 1 and slot == mine.hand_size - 1
        )  # the last card right of the own fortress (R19)
        if card.playable and not card.is_incantation and not uncovers and card.cost > best:
            best, action = card.cost, summon(slot, weaker_lane(view))
    return action


@njit
def weaker_lane(view):
    """Return the lane in which the enemy's attack exceeds the own one by more."""
    upper = attack_in(view.theirs.lanes[0]) - attack_in(view.mine.lanes[0])
    lower = attack_in(view.theirs.lanes[1]) - attack_in(view.mine.lanes[1])
    return 1 if lower > upper else 0


@njit
def attack_in(lane):
    """Return the total attack of a lane's creatures."""
    total = 0
    for position in range(lane.length):
        total += lane.creatures[position].attack
    return total
