"""Run the conditions of a plan in chunks of games, in parallel, and add up what they return."""

from clashsim.running.executor import Condition, Simulate, Tally, run, usable_cores
from clashsim.running.progress import Progress

__all__ = ["Condition", "Progress", "Simulate", "Tally", "run", "usable_cores"]
