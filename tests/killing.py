"""Kill runs of the program at random moments, resume them, and hand back the folders to compare."""

import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

PROGRAM = (
    "import sys, clashsim.running.chunks as chunks; chunks.TARGET_SECONDS = float(sys.argv[1]);"
    "from clashsim.cli.main import main; sys.exit(main(sys.argv[2:]))"
)
MOST_KILLS = 3  # in a row; after that a run may end


@dataclass
class Killer:
    """Kills processes after a random share of the time that a whole run takes."""

    arguments: list[str]
    random: random.Random
    seconds: float = field(default=0.0)
    kills: int = 0

    def whole(self, folder: Path) -> Path:
        """Run without a disturbance, and note how long it takes."""
        started = time.monotonic()
        assert self._start(folder, 2, 0.2, ()).wait(300) == 0
        self.seconds = time.monotonic() - started
        return folder

    def broken(self, folder: Path) -> Path:
        """Run until the end although killed again and again, with other threads and chunks each time."""
        for _ in range(MOST_KILLS):
            process = self._start(folder, self.random.choice((1, 2)), self.random.choice((0.003, 0.05, 0.2)))
            try:
                assert process.wait(self.random.uniform(0.2, 1.1) * self.seconds) == 0
                return folder
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                self.kills += 1
        assert self._start(folder, 2, 0.2).wait(300) == 0
        return folder

    def _start(self, folder, jobs, chunk_seconds, more=("--resume",)):
        words = [*self.arguments, "--out", str(folder), "--jobs", str(jobs), *more]
        words += ["--games-out", str(folder.with_suffix(".parquet"))] * ("games" in folder.name)
        command = [sys.executable, "-c", PROGRAM, str(chunk_seconds), *words]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of all tables of a run, and of the file of its games."""
    found = {path.name: path.read_bytes() for kind in ("*.csv", "*.parquet") for path in folder.glob(kind)}
    games = folder.with_suffix(".parquet")
    return found | ({"games": games.read_bytes()} if games.exists() else {})
