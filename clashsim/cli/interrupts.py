"""Ctrl-C: the first ends the program in good order, the second at once, whatever compiled code is at work."""

import os
import select
import signal
import threading

INTERRUPTED = 130
PATIENCE = 3.0  # seconds after the first until the second is offered


def end_at_the_second_interrupt() -> None:
    """Watch for interrupts from a thread: Python's own handler waits until the main thread leaves compiled code."""
    if os.name == "nt":  # where only sockets tell of signals
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reading,), daemon=True).start()


def _watch(reading: int) -> None:
    _await_interrupt(reading)
    if not select.select([reading], [], [], PATIENCE)[0]:
        _say("waiting for the games under way to end; Ctrl-C once more ends at once")
    _await_interrupt(reading)
    _say("stopped at once")
    os._exit(INTERRUPTED)


def _await_interrupt(reading: int) -> None:
    while signal.SIGINT not in os.read(reading, 1):
        pass


def _say(what: str) -> None:
    os.write(2, f"clashsim: {what}\n".encode())
