"""The questions that can be asked: each builds a plan, runs it and names its tables."""
