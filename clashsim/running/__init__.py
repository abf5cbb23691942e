"""Run the conditions of a plan in chunks of games, in parallel, and add up what they return."""

from clashsim.running.checkpoint import Checkpoint, Tally
from clashsim.running.executor import Condition, Simulate, run, usable_cores
from clashsim.running.progress import Progress, StageProgress
from clashsim.running.records import RecordStore

__all__ = [
    "Checkpoint",
    "Condition",
    "Progress",
    "RecordStore",
    "Simulate",
    "StageProgress",
    "Tally",
    "run",
    "usable_cores",
]
