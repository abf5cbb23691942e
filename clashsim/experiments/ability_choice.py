"""Which sets of abilities get the many games, from a few games of all; and which games an estimate rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from clashsim.analysis.blocks import Jackknifed, benjamini_hochberg, jackknife, with_prior
from clashsim.analysis.factorial import members, on_top
from clashsim.analysis.intervals import Floats
from clashsim.analysis.paired import prior_variance, replicated_differences
from clashsim.clash.cards import CardSet
from clashsim.clash.policies import Policy
from clashsim.experiments.ability_bodies import Body, Variant, pairs_of, singles_of, subset_of, words_of
from clashsim.experiments.ability_layout import PROBE, SCREENING, Layout
from clashsim.experiments.card_steps import COST
from clashsim.running import Tally

BOTH, LATER, SCREENED = "both stages", "second stage", "screening"
FALSE_FINDS = 0.05
MOST_EXTREMES = 5  # sets that seem worth more, and that seem worth less, than their price
MOST_TRIPLES = 10

Joints = Mapping[str, np.ndarray]
"""Joint counts (BLOCKS, 3, 3) of what is tried, by name."""


@dataclass(frozen=True)
class Choice:
    """What the second stage plays.

    Attributes
    ----------
    planned : tuple of str
        Whatever the screening has found: steps of cost, auras, single abilities, pairs, combinations of printed cards.
    by_outcome : tuple of str
        For what it has found; so it does not count for them.
    """

    planned: tuple[str, ...]
    by_outcome: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All of it, in order."""
        return (*self.planned, *self.by_outcome)


@dataclass(frozen=True)
class Tried:
    """What was tried on a body under a policy, and how its games ended.

    Attributes
    ----------
    policy : str
    body : Body
    screened, later : dict of ndarray
        Of the screening, and of the second stage alone.
    joints : dict of ndarray
        Of all games that an estimate may rest on.
    sources : dict of str
        BOTH, LATER or SCREENED.
    """

    policy: str
    body: Body
    screened: Joints
    later: Joints
    joints: Joints
    sources: Mapping[str, str]

    def lift(self, name: str) -> Floats:
        """Return replicates of what a variant scores more than the plain body."""
        return replicated_differences(self.joints[name])

    def games(self, name: str) -> int:
        """Return how many games that rests on."""
        return int(self.joints[name].sum())

    @cached_property
    def factorial(self) -> Floats:
        """Replicates of the lifts of all sets of abilities in the games of the screening: (sets, 1 + blocks)."""
        return factorial_of(self.body, self.screened)

    @property
    def screening_games(self) -> int:
        """The number of these games."""
        return int(next(iter(self.screened.values())).sum())

    @cached_property
    def mana(self) -> Jackknifed | None:
        """What one mana less is worth to the plain body."""
        return worth_of_a_mana(self.joints)


def worth_of_a_mana(joints: Joints) -> Jackknifed | None:
    """Return what one mana less is worth to a card, by its own steps of cost among its variants."""
    steps = [
        (1 if name.endswith("-1") else -1, joint) for name, joint in joints.items() if name.startswith(COST)
    ]
    if not steps:
        return None
    gains = [sign * replicated_differences(joint) for sign, joint in steps]
    return judged(np.mean(gains, axis=0), min(int(joint.sum()) for _, joint in steps), place=1)


def judged(replicates: Floats, games: int, lifts: int = 1, place: int = 0) -> Jackknifed:
    """Return an estimate put together of some lifts, not surer than games in which nothing changed allow."""
    return with_prior(jackknife(replicates), lifts * float(prior_variance(games)), place, places=2)


def choose(body: Body, cards: CardSet, screened: Joints) -> Choice:
    """Return what the second stage plays of a body.

    By outcome are chosen: of sets that are surely not worth the mean rate of lift per mana of price (Benjamini-Hochberg
    over all sets), those farthest above and below it; and of three abilities those sets that have the surest
    interactions among their pairs.
    """
    planned = planned_of(body, cards)
    found = [words_of(subset) for subset in triples_of(body, screened)] + _extremes(body, screened)
    by_outcome = [name for name in dict.fromkeys(found) if name not in planned]
    return Choice(planned, tuple(by_outcome))


def planned_of(body: Body, cards: CardSet) -> tuple[str, ...]:
    """Return what the second stage plays of a body in any case."""
    fixed = [variant.name for variant in body.variants if variant.subset is None]
    printed = [
        subset_of(card.abilities)
        for card in cards.cards
        if card.kind == body.kind and len(card.abilities) > 2
    ]
    sets = dict.fromkeys(map(words_of, [*singles_of(body), *pairs_of(body), *printed]))
    return (*fixed, *sets)


def variants_like_a_choice(body: Body, cards: CardSet) -> list[Variant]:
    """Return as many variants as a second stage may have, to try how long its games take."""
    planned = planned_of(body, cards)
    others = [variant.name for variant in body.variants if variant.name not in planned]
    names = [*planned, *others[:: max(len(others) // (MOST_TRIPLES + 2 * MOST_EXTREMES), 1)]]
    return [body.variant(name) for name in names]


def factorial_of(body: Body, joints: Joints) -> Floats:
    """Return replicates (sets, 1 + blocks) of the lifts of all sets of abilities, the empty one first."""
    joint = np.stack([joints[words_of(subset)] for subset in range(1, body.all + 1)])
    lifts = replicated_differences(joint).T
    return np.concatenate([np.zeros((1, lifts.shape[1])), lifts])


def beyond_price(lifts: Floats, prices: Floats) -> tuple[Floats, Floats]:
    """Return what sets are worth more than their prices at the mean rate of all, as replicates, and that rate.

    Parameters
    ----------
    lifts : ndarray, shape (sets, 1 + blocks)
    prices : ndarray, shape (sets,)
    """
    rate = prices @ lifts / (prices @ prices)
    return lifts - np.outer(prices, rate), rate


def prices_of_sets(body: Body) -> Floats:
    """Return the prices of all sets of abilities, the empty one first."""
    return np.array([0.0, *(variant.price for variant in sets_of(body))])


def sets_of(body: Body) -> list[Variant]:
    """Return all sets of abilities but the empty one."""
    return [variant for variant in body.variants if variant.subset is not None]


def tried_of(layout: Layout, tallies: Sequence[Tally]) -> list[Tried]:
    """Return what was tried on each body under each policy."""
    found = dict(zip(layout.rows, tallies, strict=True))
    return [
        _tried(layout.cards, row.policy, row.body, tally, found[row._replace(part=PROBE)])
        for row, tally in found.items()
        if row.part == SCREENING and row.body is not None
    ]


def screened_of(body: Body, tally: Tally) -> Joints:
    """Return the joint counts of a screening by name."""
    return dict(zip((variant.name for variant in body.variants), tally["joint"], strict=True))


def _tried(cards: CardSet, policy: Policy, body: Body, screening: Tally, later: Tally) -> Tried:
    screened = screened_of(body, screening)
    choice = choose(body, cards, screened)
    again = dict(zip(choice.names, later["joint"], strict=True))
    joints = dict(screened)
    joints |= {name: screened[name] + again[name] for name in choice.planned}
    joints |= {name: again[name] for name in choice.by_outcome}
    sources = dict.fromkeys(screened, SCREENED)
    sources |= dict.fromkeys(choice.planned, BOTH) | dict.fromkeys(choice.by_outcome, LATER)
    return Tried(policy.name, body, screened, again, joints, sources)


def _games(joints: Joints) -> int:
    return int(next(iter(joints.values())).sum())


def _extremes(body: Body, screened: Joints) -> list[str]:
    names = [variant.name for variant in sets_of(body)]
    beyond, _ = beyond_price(factorial_of(body, screened)[1:], prices_of_sets(body)[1:])
    found = judged(beyond.T, _games(screened))
    sure = np.flatnonzero(benjamini_hochberg(found.p_other()) < FALSE_FINDS)
    order = sure[np.argsort(found.value[sure], kind="stable")]
    chosen = [place for place in order[::-1][:MOST_EXTREMES] if found.value[place] > 0]
    chosen += [place for place in order[:MOST_EXTREMES] if found.value[place] < 0]
    return [names[place] for place in chosen]


def triples_of(body: Body, screened: Joints) -> list[int]:
    """Return sets of three of which a pair surely does other than its sum, those first whose pairs are the surest."""
    pairs = pairs_of(body)
    estimates = dict(enumerate(factorial_of(body, screened)))
    found = judged(np.stack([on_top(estimates, pair) for pair in pairs], axis=1), _games(screened), lifts=3)
    p = dict(zip(pairs, benjamini_hochberg(found.p_other()).tolist(), strict=True))
    triples = [sum(each) for each in combinations(members(body.all), 3)]
    surest = {
        triple: min(p[one | other] for one, other in combinations(members(triple), 2)) for triple in triples
    }
    chosen = sorted((triple for triple in triples if surest[triple] < FALSE_FINDS), key=surest.__getitem__)
    return chosen[:MOST_TRIPLES]
