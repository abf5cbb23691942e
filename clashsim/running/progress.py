"""Tell the user how far a run is: a live line on a terminal, an occasional plain line elsewhere."""

import sys
from collections.abc import Callable
from time import monotonic
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as LiveDisplay

LIVE_INTERVAL = 0.2
PLAIN_INTERVAL = 10.0


class Progress:
    """Reports the games done and to do, games per second and the time left.

    The share that is done and the time left go by work: games may differ in what they cost.

    Parameters
    ----------
    stream : text file, optional
        Where to write; standard error by default.
    clock : callable
        Returns seconds; replaceable for tests.

    Notes
    -----
    Nothing is written except from within `start`, `advance` and `finish`: there is no thread behind it. A run
    shorter than `PLAIN_INTERVAL` seconds writes nothing unless on a terminal.
    """

    def __init__(self, stream: TextIO | None = None, *, clock: Callable[[], float] = monotonic) -> None:
        self._stream = stream or sys.stderr
        self._clock = clock
        self._interval = LIVE_INTERVAL if self._stream.isatty() else PLAIN_INTERVAL
        self._live: LiveDisplay | None = None
        self._task = TaskID(0)
        self._total = self._done = self._before = 0
        self._work = self._work_done = self._work_before = 0.0
        self._started = self._shown = 0.0

    def start(
        self, total: int, done: int = 0, work: float | None = None, work_done: float | None = None
    ) -> None:
        """Begin a run of `total` games, of which `done` were played before: they do not count for the rate.

        `work` is what all of them cost, and `work_done` those played before; by default each costs 1.
        """
        self._total, self._done, self._before = total, done, done
        self._work = float(total if work is None else work)
        self._work_done = self._work_before = float(done if work_done is None else work_done)
        self._started = self._shown = self._clock()
        if self._stream.isatty() and total:
            self._live = _live_display(self._stream, self._clock)
            self._task = self._live.add_task(
                "", total=self._work, games=done, all_games=total, rate="starting"
            )
            self._live.update(self._task, completed=self._work_done)
            self._live.start()

    def advance(self, games: int, more: int = 0, cost: float = 1.0) -> None:
        """Count `games` more games as done; `more` is by how many the run has become longer than expected.

        `cost` is the work of each of them.
        """
        self._done += games
        self._total += more
        self._work_done += games * cost
        self._work += more * cost
        now = self._clock()
        if now - self._shown >= self._interval:
            self._shown = now
            self._show(now)

    def skip(self, games: int, work: float, *, played: bool) -> None:
        """Count games that need not be played in this run: they were before it, or are not needed after all."""
        if played:
            self._done += games
            self._before += games
            self._work_done += work
            self._work_before += work
        else:
            self._total -= games
            self._work -= work

    def finish(self) -> None:
        """End the run, complete or not."""
        if self._live:
            self._show(self._clock())
            self._live.stop()
            self._live = None

    def _show(self, now: float) -> None:
        per_second = (self._done - self._before) / max(now - self._started, 1e-9)
        rate = f"{per_second:,.0f} games/s"
        if self._live:
            self._live.update(
                self._task,
                completed=self._work_done,
                total=self._work,
                rate=rate,
                games=self._done,
                all_games=self._total,
            )
            self._live.refresh()
            return
        work_per_second = (self._work_done - self._work_before) / max(now - self._started, 1e-9)
        left = duration((self._work - self._work_done) / max(work_per_second, 1e-9))
        share = self._work_done / max(self._work, 1e-9)
        line = f"{self._done:,} of {self._total:,} games, {share:.0%} of the work, {rate}, time left {left}"
        print(line, file=self._stream, flush=True)


class StageProgress(Progress):
    """Progress of one stage of a run, which counts as a part of the whole's.

    Parameters
    ----------
    whole : Progress
        Of the run, which is started and finished by who runs the stages.
    """

    def __init__(self, whole: Progress) -> None:
        self._whole = whole

    def start(
        self, total: int, done: int = 0, work: float | None = None, work_done: float | None = None
    ) -> None:
        """Begin the stage; the games that were played before it count for the whole."""
        self._whole.skip(done, done if work_done is None else work_done, played=True)

    def advance(self, games: int, more: int = 0, cost: float = 1.0) -> None:
        """Count `games` more games as done."""
        self._whole.advance(games, more, cost)

    def finish(self) -> None:
        """End the stage; the run may go on."""


def _live_display(stream: TextIO, clock: Callable[[], float]) -> LiveDisplay:
    return LiveDisplay(
        BarColumn(),
        TextColumn(
            "{task.fields[games]:,} of {task.fields[all_games]:,} games, {task.fields[rate]}, time left"
        ),
        TimeRemainingColumn(),
        console=Console(file=stream),
        get_time=clock,
        auto_refresh=False,
    )


def duration(seconds: float) -> str:
    """Write a time as minutes:seconds or, from an hour on, hours:minutes:seconds."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def spell_duration(seconds: float) -> str:
    """Write a time in words: "4 s", "2 min 10 s", "3 h 5 min"."""
    whole = max(round(seconds), 1)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60} min"
