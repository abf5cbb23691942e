"""Random numbers by counter: a draw depends only on (seed, group, game, role, turn, number of the decision).

Each level mixes its number into the key of the level above with the finaliser of splitmix64 (Steele, Lea,
Flood 2014), whose outputs along a counter pass the usual test batteries. Nothing is carried from draw to
draw, so a change in one decision leaves all other streams alone (common random numbers), and any game can be
played alone.
"""

import hashlib

import numpy as np

from clashsim.clash.core.jit import jit

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1, _SHIFT_2, _SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
_HALF = np.uint64(32)

SETUP_TURN = 0  # the "turn" whose draws shuffle the cards
DEALER = 2  # the role that deals cards out of a kit, after those of both sides
FIRST_CHOOSER = 3  # the roles of those that choose their cards, or ban the other's: this one and the next


def condition_key(seed: int, group: str) -> np.uint64:
    """Return the key of all games of a random-number group under a seed."""
    digest = hashlib.blake2b(f"{seed}\0{group}".encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


@jit
def mix(word: np.uint64) -> np.uint64:
    """Return the finaliser of splitmix64: a bijection of words in which every bit moves every other."""
    word = (word ^ (word >> _SHIFT_1)) * _MULTIPLIER_1
    word = (word ^ (word >> _SHIFT_2)) * _MULTIPLIER_2
    return word ^ (word >> _SHIFT_3)


@jit
def subkey(key: np.uint64, number: int) -> np.uint64:
    """Return the key of number `number` below `key`: game of a condition, role of a game, turn of a role."""
    return mix(key + np.uint64(number + 1) * GOLDEN)


@jit
def uniform(key: np.uint64, decision: int, n: int) -> int:
    """Return decision number `decision` of a turn's stream, uniform on 0 … n-1 (n < 2**31; bias below n / 2**32)."""
    word = subkey(key, decision) >> _HALF
    return np.int64((word * np.uint64(n)) >> _HALF)
