"""Settings of all tests: the same examples in every run, none of them stored, no time limit per example."""

from hypothesis import settings

settings.register_profile("clashsim", derandomize=True, database=None, deadline=None)
settings.load_profile("clashsim")
