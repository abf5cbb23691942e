"""Processes that tests start: none of them outlives its test, whatever becomes of it."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 300  # seconds, on a machine that has other things to do


@contextmanager
def running(*words: str, **options) -> Iterator[subprocess.Popen]:
    """Run Python with these words as long as the block lasts, or until it ends."""
    process = subprocess.Popen([sys.executable, *words], **options)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def wait_until(happened: Callable[[], bool], process: subprocess.Popen) -> None:
    """Wait until something has happened while a process runs."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert process.poll() is None, f"it ended with {process.returncode}"
        assert time.monotonic() < end, f"it did not happen within {PATIENCE} s"
        time.sleep(0.05)
