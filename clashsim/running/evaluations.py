"""Evaluate several candidates in threads, keeping what is found of each in a journal."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed

from clashsim.running.executor import usable_cores
from clashsim.running.journal import Journal


def evaluate_all(
    keys: list[tuple[int, ...]],
    evaluate: Callable[[tuple[int, ...]], list],
    journal: Journal,
    jobs: int | None = None,
) -> list[list]:
    """Return what is found for each key, in their order; what the journal has is not evaluated again.

    `evaluate` is called from several threads; what it returns depends on the key alone and is what JSON can keep.
    On an interruption those that are running come to their end and are kept.
    """
    missing = [key for key in keys if key not in journal.found]
    pool = ThreadPoolExecutor(jobs or usable_cores(), thread_name_prefix="evaluate")
    futures = {pool.submit(evaluate, key): key for key in missing}
    try:
        for future in as_completed(futures):
            journal.add(futures[future], future.result())
    except BaseException:
        pool.shutdown(wait=True, cancel_futures=True)
        for future, key in futures.items():
            if not future.cancelled() and future.exception() is None and key not in journal.found:
                journal.add(key, future.result())
        raise
    pool.shutdown()
    return [journal.found[key] for key in keys]
