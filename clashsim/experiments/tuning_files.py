"""The files of a search for weights: the weights with how they were found, and the journal beside them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from clashsim import __version__
from clashsim.clash.rules import Rules
from clashsim.clash.weight_files import weights_text
from clashsim.errors import InputError, reason_of
from clashsim.experiments.tuning import TuningPlan
from clashsim.experiments.tuning_contest import Tuned
from clashsim.experiments.words import count
from clashsim.running.files import check_folder, locked, open_folder, write_text
from clashsim.running.journal import Journal


def journal_of(plan: TuningPlan, out: Path, *, resume: bool, replace: bool) -> Journal:
    """Return the journal of a search whose weights go to a file, after making sure that it may write there.

    Raises
    ------
    InputError
        There is something else already, or the journal is of another search.
    """
    _check_name(out)
    journal = Journal(out.with_name(f"{out.name}.log"), plan.head)
    start = plan.policy.weights_file
    if start is not None and out.exists() and out.resolve() == start.resolve():
        raise InputError(f"--out {out}: these are the weights to start from; expected another name")
    if resume:
        journal.peek()
    elif not replace:
        there = next((path for path in (out, journal.path) if path.exists()), None)
        if there is not None:
            raise InputError(
                f"--out {out}: {there.name} exists; expected --resume to go on with it, --yes to begin again, "
                "or a new name"
            )
    return journal


def _check_name(out: Path) -> None:
    """Make sure that a file of this name, and its journal beside it, can be written."""
    try:
        is_file = bool(out.name) and (out.is_file() or not out.exists())
        if is_file:
            out.with_name(f".{out.name}.log.lock").exists()  # raises if that is too long
    except (OSError, ValueError) as error:
        raise InputError(
            f"--out {str(out)[:60]!r}: {reason_of(error)}; expected a name such as my.toml"
        ) from None
    if not is_file:
        raise InputError(f"--out {out}: it is no file; expected a name such as my.toml")
    check_folder(out.parent)


@contextmanager
def open_journal(journal: Journal, *, resume: bool) -> Iterator[Journal]:
    """Begin a journal or go on with it, and keep other processes out of it as long as the block runs."""
    folder = open_folder(journal.path.parent)
    lock = journal.path.with_name(f".{journal.path.name}.lock")
    with locked(folder, lock):
        if resume:
            journal.load()
        else:
            journal.begin()
        yield journal
        lock.unlink(missing_ok=True)


def write_tuned(plan: TuningPlan, tuned: Tuned, out: Path) -> None:
    """Write the weights, and above them how they were found and what the check says."""
    write_text(weights_text(tuned.weights, _comments(plan, tuned), solo=plan.contest.solo), out)


def _comments(plan: TuningPlan, tuned: Tuned) -> Sequence[str]:
    contest = plan.contest
    name, _, start = contest.policy.name.partition(":")
    switches = {
        key: value for key, value in contest.rules.as_dict().items() if value != Rules().as_dict()[key]
    }
    rules = ", ".join(f"{key}={value}" for key, value in switches.items())
    generations = count(plan.generations, "generation")
    first, *others = contest.about
    what = "policies tune --solo" if contest.solo else "policies tune"
    return [
        f"Weights of {name}, found by clashsim {__version__} ({what}) from {start or 'the shipped ones'}.",
        f"Search: {count(plan.evaluations, 'evaluation')} (CMA-ES, {generations} of {plan.population}), "
        f"seed {plan.seed}, step {plan.step:g}, each of",
        f"{contest.games_per_evaluation:,} games, {first}",
        *others,
        f"Decks {', '.join(deck.name for deck in plan.decks)} of {plan.cards.name}; rules: {rules or 'as shipped'}.",
        f"Check, seed {contest.check_seed}: {tuned.verdict}",
        *([tuned.beside] if tuned.beside else []),
    ]
