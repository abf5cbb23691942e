"""Weights by play: a search for those with which a policy wins most, and a check of what came out."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from clashsim.analysis.evolution import LEAST_POPULATION, Evolution
from clashsim.clash.cards import CardSet, Deck
from clashsim.clash.core.jit import source_digest
from clashsim.clash.policies import WEIGHING, Policy
from clashsim.clash.policy_files import load_policy
from clashsim.clash.rules import Rules
from clashsim.clash.weight_files import round_weights
from clashsim.errors import InputError
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.matchup_arguments import DeckSpec
from clashsim.experiments.tuning_contest import Contest, Tuned
from clashsim.experiments.tuning_duels import DuelContest
from clashsim.experiments.tuning_solos import SoloContest
from clashsim.running import Progress, usable_cores
from clashsim.running.evaluations import evaluate_all
from clashsim.running.journal import Journal
from clashsim.running.pilot import Expectation

EVALUATIONS = 2000
GAMES = 128
POPULATION = 24
CHECK_GAMES = 10_000
STEP = 0.3  # first standard deviation of a weight, as a share of its size
MOST_STEP = 10.0


class Standing(NamedTuple):
    """How far a search is; `mean` and `best` are what the contest shows of the last generation's candidates."""

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
    contest : DuelContest or SoloContest
        What the candidates play.
    decks : sequence of Deck
    cards : CardSet
    seed : int
    generations, population : int
    step : float
        First standard deviation of a weight, as a share of the size of a sensible change.
    """

    contest: Contest
    decks: Sequence[Deck]
    cards: CardSet
    seed: int
    generations: int
    population: int
    step: float = STEP

    @property
    def policy(self) -> Policy:
        """The policy whose weights are searched for."""
        return self.contest.policy

    @property
    def evaluations(self) -> int:
        """Number of candidates that are evaluated."""
        return self.generations * self.population

    @property
    def head(self) -> dict[str, Any]:
        """What the results of the evaluations depend on, for the journal."""
        return {
            "program": "clashsim",
            "core": source_digest(),
            "policy": self.policy.name.partition(":")[0],
            "weights": self.contest.start,
            "cards": self.cards.hash,
            "decks": {deck.name: [card.name for card in deck.cards] for deck in self.decks},
            "rules": self.contest.rules.as_dict(),
            "seed": self.seed,
            "games": self.contest.games_per_evaluation,
            "population": self.population,
            "step": self.step,
        } | self.contest.head

    def expect(self, jobs: int | None = None, done: int = 0) -> Expectation:
        """Play a few games and tell how many it will take, and how long, beyond so many evaluations."""
        self.contest.compile()
        check = self.contest.lay_out_check(self.contest.start)
        expected = check.expect(jobs)
        cost = float(np.mean(expected.costs[check.alike]))
        games = self.contest.games_per_evaluation
        left = max(self.evaluations - done, 0) * games
        seconds = left * cost / min(jobs or usable_cores(), usable_cores()) + expected.seconds
        return Expectation([self.evaluations * games], left + expected.left, seconds, [cost])

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
        contest = self.contest
        contest.compile()
        searched = list(contest.searched)
        search = Evolution(
            np.array(contest.start)[searched],
            np.array(contest.scales)[searched],
            seed=self.seed,
            population=self.population,
            step=self.step,
        )
        started, known = perf_counter(), len(journal.found)
        for generation in range(self.generations):
            before = len(journal.found)
            found = self._play_generation(generation, search, journal, jobs)
            search.tell([contest.worth(counts) for counts in found])
            played = len(journal.found) - known
            if report and len(journal.found) > before:
                report(self._standing(generation, found, (perf_counter() - started) / played))
        weights = round_weights(self._whole(search.mean))
        check = contest.lay_out_check(weights)
        return contest.judge(weights, check, check.play(jobs, progress))

    def _standing(self, generation: int, found: Sequence[list], seconds: float) -> Standing:
        """Tell how far the search is after a generation, given the seconds that an evaluation takes."""
        done = (generation + 1) * self.population
        shares = [self.contest.shown(counts) for counts in found]
        left = seconds * (self.evaluations - done)
        return Standing(generation + 1, done, self.evaluations, float(np.mean(shares)), max(shares), left)

    def _play_generation(
        self, generation: int, search: Evolution, journal: Journal, jobs: int | None
    ) -> list[list]:
        """Let the candidates of a generation play the same games: common random numbers, fresh in every generation."""
        asked = [self._whole(numbers) for numbers in search.ask()]
        mean = self._whole(search.mean)

        def evaluate(key: tuple[int, ...]) -> list:
            return self.contest.evaluate(asked[key[1]], mean, generation)

        keys: list[tuple[int, ...]] = [(generation, number) for number in range(self.population)]
        return evaluate_all(keys, evaluate, journal, jobs)

    def _whole(self, numbers: np.ndarray) -> list[float]:
        """Return all weights, given those that are searched for."""
        weights = np.array(self.contest.start)
        weights[list(self.contest.searched)] = numbers
        return weights.tolist()


def plan_tuning(
    policy: str,
    *,
    solo: bool = False,
    evaluations: int = EVALUATIONS,
    games: int = GAMES,
    population: int = POPULATION,
    step: float = STEP,
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
    solo : bool
        Whether candidates play solo games.
    evaluations : int
        Candidates in all, rounded up to whole generations.
    games : int
        Per candidate. Duels: half against the weights the search starts from and half against the mean of its
        distribution, spread evenly over the ordered pairs of decks; rounded up so that each gets an even number. Solo
        games: spread evenly over the decks and the settings `tuning_solos.SPREAD`, rounded up.
    population : int
        Candidates of a generation, which all play the same games.
    step : float
        First standard deviation of a weight, as a share of its size; smaller to refine weights that are good already.
    check_games : int
        Of new against old weights in the end, and of both against `greedy`; rounded up likewise. Solo games: of new and
        of old weights each, rounded up so that each deck and setting gets a multiple of 40.
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
    if isinstance(step, bool) or not isinstance(step, int | float) or not 0 < step <= MOST_STEP:
        raise InputError(
            f"step is {step!r}; expected a share above 0 and up to {MOST_STEP:g}, such as {STEP}"
        )
    seed = arguments.check_whole("seed", seed, 0, arguments.MOST_SEED)
    rules = arguments.check_rules(rules)
    seeds = seed, _check_seed(seed)
    contest: Contest = (
        SoloContest.of(found, chosen, rules, seeds, card_set, games, check_games)
        if solo
        else DuelContest.of(found, chosen, rules, seeds, games, check_games)
    )
    return TuningPlan(contest, chosen, card_set, seed, -(-evaluations // population), population, step)


def _check_seed(seed: int) -> int:
    """Return the seed of the check, which gives games that no candidate has played."""
    digest = hashlib.blake2b(f"check {seed}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") % (arguments.MOST_SEED + 1)
