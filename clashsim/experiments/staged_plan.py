"""Plans whose conditions come in stages: what a stage plays is decided by what those before it have found."""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from clashsim.analysis.precision import Target
from clashsim.experiments.games_plan import Condition, Found, GamesPlan
from clashsim.running import Checkpoint, Progress, RecordStore, StageProgress, Tally, run


@dataclass(frozen=True)
class StagedPlan(GamesPlan[Condition, Found]):
    """Rows of a plan, some of them at a time; see `GamesPlan` for what an experiment tells of them.

    The plan has the numbers of games of all rows from the start, so that a run can be announced, interrupted and gone
    on with like any other: what a stage plays follows from the tallies of those before it. So only the rows of the last
    stage may get more games later; how many the others have is told in the details (`deciding_games`), and other
    numbers make another run. `conditions` are only to try how long games take.

    Attributes
    ----------
    stages : sequence of range
        The rows of each stage, in order; every row is in one.
    """

    stages: Sequence[range] = ()

    def __post_init__(self) -> None:
        games = self.plan["games"].tolist()
        deciding = [games[row] for rows in self.stages[:-1] for row in rows]
        digest = hashlib.sha256(str(deciding).encode()).hexdigest()[:8]
        told = f"{sum(deciding):,} at most in {len(deciding)} conditions ({digest})"
        object.__setattr__(self, "details", self.details | {"deciding_games": told})

    def run(
        self,
        *,
        jobs: int | None = None,
        progress: Progress | None = None,
        expected: Sequence[int] | None = None,
        costs: Sequence[float] | None = None,
        checkpoint: Checkpoint | None = None,
        records: RecordStore | None = None,
    ) -> Found:
        """Play the games, stage by stage, and make the tables; the arguments are those of `running.run`."""
        if records is not None:
            raise self._not_kept()
        self._compile()
        games = list(self.plan["games"] if expected is None else expected)
        cost = [1.0] * len(games) if costs is None else list(costs)
        work = [count * each for count, each in zip(games, cost, strict=True)]
        tallies: list[Tally] = [{} for _ in games]
        with ExitStack() as ending:
            if progress:
                progress.start(sum(games), 0, sum(work), 0.0)
                ending.callback(progress.finish)
            for rows in self.stages:
                conditions = self._prepare(rows, tallies)
                if conditions is None:
                    if progress:
                        progress.skip(
                            sum(games[row] for row in rows), sum(work[row] for row in rows), played=False
                        )
                    continue
                found = self._run_stage(
                    rows,
                    conditions,
                    jobs=jobs,
                    progress=StageProgress(progress) if progress else None,
                    expected=[games[row] for row in rows],
                    costs=[cost[row] for row in rows],
                    checkpoint=checkpoint.of(rows) if checkpoint else None,
                )
                for row, tally in zip(rows, found, strict=True):
                    tallies[row] = tally
        return self._result(tallies)

    def _run_stage(self, rows: range, conditions: Sequence[Condition], **how: Any) -> list[Tally]:
        plan = self.plan.iloc[rows.start : rows.stop]

        def simulate(condition: Mapping[str, Any], first_game: int, n_games: int) -> Tally:
            return conditions[condition["condition"] - rows.start].tally(first_game, n_games)

        def stop(row: int, tally: Tally) -> bool:
            return self._stop(rows.start + row, tally)

        return run(plan, simulate, stop=None if self.target == Target() else stop, **how)

    def _prepare(self, rows: range, tallies: Sequence[Tally]) -> Sequence[Condition] | None:
        """Return what the rows of a stage play, from the tallies of all rows before them; None: nothing is needed."""
        raise NotImplementedError
