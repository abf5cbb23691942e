"""Kill runs of the program at random moments, resume them, and hand back the folders to compare."""

import json
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

PROGRAM = (
    "import sys, clashsim.running.chunks as chunks; chunks.TARGET_SECONDS = float(sys.argv[1]);"
    "from clashsim.cli.main import main; sys.exit(main(sys.argv[2:]))"
)
MOST_KILLS = 3  # in a row; after that a run may end


@dataclass
class Killer:
    """Kills processes once they have put down a random share of the games, or while they write their report."""

    arguments: list[str]
    random: random.Random
    games: int = 0  # of a whole run
    kills: int = 0

    def whole(self, folder: Path) -> Path:
        """Run without a disturbance, and note how many games it takes."""
        assert self._start(folder, 2, 0.2, ()).wait(300) == 0, self._said(folder)
        self.games = games_in(folder)
        return folder

    def broken(self, folder: Path) -> Path:
        """Run until the end although killed again and again, with other threads and chunks each time."""
        for _ in range(MOST_KILLS):
            process = self._start(folder, self.random.choice((1, 2)), self.random.choice((0.003, 0.05, 0.2)))
            wanted = self.random.uniform(0, 1.2) * self.games
            while process.poll() is None and games_in(folder) < min(wanted, self.games):
                time.sleep(0.005)
            if wanted > self.games:  # the report is being written
                time.sleep(self.random.uniform(0, 1))
            if process.poll() is None:
                process.kill()
                self.kills += 1
            assert process.wait() in (0, -signal.SIGKILL), self._said(folder)
        assert self._start(folder, 2, 0.2).wait(300) == 0, self._said(folder)
        return folder

    def _said(self, folder: Path) -> str:
        return folder.with_suffix(".err").read_text(errors="replace")[-2000:]

    def _start(self, folder, jobs, chunk_seconds, more=("--resume",)):
        words = [*self.arguments, "--out", str(folder), "--jobs", str(jobs), *more]
        words += ["--games-out", str(folder.with_suffix(".parquet"))] * ("games" in folder.name)
        command = [sys.executable, "-c", PROGRAM, str(chunk_seconds), *words]
        with folder.with_suffix(".err").open("w") as said:
            return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)


def games_in(folder: Path) -> int:
    """How many games the checkpoint of a run holds."""
    spans = [
        json.loads(path.read_text())["content"]["games"] for path in (folder / "checkpoint").glob("*.json")
    ]
    return sum(end - first for games in spans for first, end in games)


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of all tables of a run, and of the file of its games."""
    found = {path.name: path.read_bytes() for kind in ("*.csv", "*.parquet") for path in folder.glob(kind)}
    games = folder.with_suffix(".parquet")
    return found | ({"games": games.read_bytes()} if games.exists() else {})
