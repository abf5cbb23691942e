"""Weights by self-play: a search for those with which a policy wins most, and a check of what came out."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from os import PathLike
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from clashsim.analysis.evolution import LEAST_POPULATION, Evolution
from clashsim.clash.cards import CardSet, Deck
from clashsim.clash.core.jit import source_digest
from clashsim.clash.duels import Duel, compile_core, pairing_group
from clashsim.clash.policies import WEIGHING, Policy
from clashsim.clash.policy_files import load_policy
from clashsim.clash.rules import Rules
from clashsim.clash.weight_files import round_weights
from clashsim.errors import InputError
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.matchup_arguments import DeckSpec
from clashsim.experiments.tuning_check import (
    NEW,
    OLD,
    Tuned,
    check_table,
    lay_out_check,
    simulator,
    with_weights,
)
from clashsim.running import Progress, usable_cores
from clashsim.running.evaluations import evaluate_all
from clashsim.running.journal import Journal
from clashsim.running.pilot import Expectation, pilot

EVALUATIONS = 2000
GAMES = 128
POPULATION = 24
CHECK_GAMES = 10_000
STEP = 0.3  # first standard deviation of a weight, as a share of its size
_OPPONENTS = 2  # the old weights, and the mean of the search


class Standing(NamedTuple):
    """How far a search is: scores are those of the last generation against the old weights."""

    generation: int
    evaluations: int
    of: int
    mean: float
    best: float
    seconds_left: float


Report = Callable[[Standing], None]


@dataclass(frozen=True)
class TuningPlan:
    """A search for weights that is checked and ready to start; see `plan_tuning`.

    Attributes
    ----------
    policy : Policy
        With the weights to start from.
    decks : sequence of Deck
    rules : Rules
    seed : int
    games : int
        Per evaluation, opponent and ordered pair of decks.
    generations, population : int
    check_games : int
        Of each pair of policies in the check.
    cards : CardSet
    """

    policy: Policy
    decks: Sequence[Deck]
    rules: Rules
    seed: int
    games: int
    generations: int
    population: int
    check_games: int
    cards: CardSet

    @property
    def evaluations(self) -> int:
        """Number of candidates that are evaluated."""
        return self.generations * self.population

    @property
    def games_per_evaluation(self) -> int:
        """Games of a candidate."""
        return _OPPONENTS * len(self.decks) ** 2 * self.games

    @property
    def check_seed(self) -> int:
        """The seed of the check, which gives games that no candidate has played."""
        digest = hashlib.blake2b(f"check {self.seed}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little") % (arguments.MOST_SEED + 1)

    @property
    def head(self) -> dict[str, Any]:
        """What the results of the evaluations depend on, for the journal."""
        return {
            "program": "clashsim",
            "core": source_digest(),
            "policy": self.policy.name.partition(":")[0],
            "weights": self.policy.weights,
            "cards": self.cards.hash,
            "decks": {deck.name: [card.name for card in deck.cards] for deck in self.decks},
            "rules": self.rules.as_dict(),
            "seed": self.seed,
            "games": self.games_per_evaluation,
            "population": self.population,
        }

    def expect(self, jobs: int | None = None, done: int = 0) -> Expectation:
        """Play a few games and tell how many it will take, and how long, beyond so many evaluations."""
        compile_core()
        duels, plan = self._check_games(self.policy.weights)
        trial = pilot(plan, simulator(duels), kinds=plan["policy_a"] + plan["policy_b"])
        workers = min(jobs or usable_cores(), usable_cores())
        check = trial.expect(plan["games"].tolist(), None, workers)
        cost = float(np.mean(check.costs[-(len(self.decks) ** 2) :]))  # old against new, as in the search
        left = max(self.evaluations - done, 0) * self.games_per_evaluation
        total = self.evaluations * self.games_per_evaluation
        seconds = left * cost / workers + check.seconds
        return Expectation([total], left + check.left, seconds, [cost])

    def run(
        self,
        journal: Journal,
        *,
        jobs: int | None = None,
        report: Report | None = None,
        progress: Progress | None = None,
    ) -> Tuned:
        """Search, keeping every evaluation in a journal that has been begun or loaded, and check what is found.

        Parameters
        ----------
        journal : Journal
        jobs : int, optional
            Threads; all cores by default. The result does not depend on it.
        report : callable, optional
            Told of every generation that was played.
        progress : Progress, optional
            Told of the games of the check.
        """
        compile_core()
        search = Evolution(
            self.policy.weights,
            scales_of(self.policy.weights),
            seed=self.seed,
            population=self.population,
            step=STEP,
        )
        started, known = perf_counter(), len(journal.found)
        for generation in range(self.generations):
            before = len(journal.found)
            found = self._play_generation(generation, search, journal, jobs)
            search.tell([_score(np.sum(counts, axis=0)) for counts in found])
            played = len(journal.found) - known
            if report and len(journal.found) > before:
                report(self._standing(generation, found, (perf_counter() - started) / played))
        weights = round_weights(search.mean.tolist())
        return Tuned(weights, check_table(*self._check_games(weights), jobs, progress))

    def _standing(self, generation: int, found: Sequence[list], seconds: float) -> Standing:
        """Tell how far the search is after a generation, given the seconds that an evaluation takes."""
        done = (generation + 1) * self.population
        scores = [_score(against_old) for against_old, _ in found]
        left = seconds * (self.evaluations - done)
        return Standing(generation + 1, done, self.evaluations, float(np.mean(scores)), max(scores), left)

    def _play_generation(
        self, generation: int, search: Evolution, journal: Journal, jobs: int | None
    ) -> list[list]:
        """Let the candidates of a generation play the same games: common random numbers, fresh in every generation."""
        asked = [weights.tolist() for weights in search.ask()]
        opponents = [
            with_weights(self.policy, OLD, self.policy.weights),
            with_weights(self.policy, "mean", search.mean.tolist()),
        ]

        def evaluate(key: tuple[int, ...]) -> list:
            candidate = with_weights(self.policy, NEW, asked[key[1]])
            return [self.play(candidate, opponent, generation * self.games) for opponent in opponents]

        keys: list[tuple[int, ...]] = [(generation, number) for number in range(self.population)]
        return evaluate_all(keys, evaluate, journal, jobs)

    def play(self, policy: Policy, opponent: Policy, first_game: int) -> list[int]:
        """Return how many games a policy wins, draws and loses, over all ordered pairs of decks."""
        total = np.zeros(3, np.int64)
        for pair in product(self.decks, self.decks):
            duel = Duel(pair, (policy, opponent), self.rules, self.seed, pairing_group(*pair))
            total += duel.tally(first_game, self.games)["results"].sum(axis=0)
        return total.tolist()

    def _check_games(self, weights: Sequence[float]) -> tuple[list[Duel], pd.DataFrame]:
        return lay_out_check(self.policy, weights, self.decks, self.rules, self.check_seed, self.check_games)


def plan_tuning(
    policy: str,
    *,
    evaluations: int = EVALUATIONS,
    games: int = GAMES,
    population: int = POPULATION,
    check_games: int = CHECK_GAMES,
    decks: Sequence[DeckSpec] | None = None,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
) -> TuningPlan:
    """Check the arguments of a search for weights, without playing.

    Parameters
    ----------
    policy : str
        A policy with weights, `tactician` or `planner`, or with those to start from `tactician:my.toml`.
    evaluations : int
        Candidates in all, rounded up to whole generations.
    games : int
        Per candidate, half against the weights the search starts from and half against the mean of its distribution,
        spread evenly over the ordered pairs of decks; rounded up so that each gets an even number.
    population : int
        Candidates of a generation, which all play the same games.
    check_games : int
        Of new against old weights in the end, and of both against `GUARD`; rounded up likewise.
    decks, seed, rules, cards
        As in `matchups`.
    """
    found = load_policy(policy)
    if not found.weights:
        raise InputError(f"policy {policy!r} has no weights to tune; expected {' or '.join(WEIGHING)}")
    card_set = arguments.check_card_set(cards)
    population = arguments.check_whole("population", population, LEAST_POPULATION, 1000)
    evaluations = arguments.check_whole("evaluations", evaluations, 1, 10**9)
    chosen = arguments.load_decks(decks, card_set)
    games = arguments.check_whole("games", games, 1, arguments.MOST_GAMES)
    check_games = arguments.check_whole("check_games", check_games, 1, arguments.MOST_GAMES)
    return TuningPlan(
        policy=found,
        decks=chosen,
        rules=arguments.check_rules(rules),
        seed=arguments.check_whole("seed", seed, 0, arguments.MOST_SEED),
        games=arguments.per_pair_of_decks(-(-games // _OPPONENTS), chosen),
        generations=-(-evaluations // population),
        population=population,
        check_games=arguments.per_pair_of_decks(check_games, chosen) * len(chosen) ** 2,
        cards=card_set,
    )


def scales_of(weights: Sequence[float]) -> np.ndarray:
    """Return the size of a sensible change of each weight: its own, or half the median if it is smaller than that.

    So weights that are zero can become something.
    """
    sizes = np.abs(np.asarray(weights, np.float64))
    median = float(np.median(sizes[sizes > 0])) if sizes.any() else 2.0
    return np.maximum(sizes, median / 2)


def _score(counts: Sequence[int] | np.ndarray) -> float:
    wins, draws, losses = map(int, counts)
    return (wins + draws / 2) / (wins + draws + losses)
