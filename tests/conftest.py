"""Settings of all tests: the same examples in every run, none of them stored, no time limit per example."""

import signal

from hypothesis import settings

settings.register_profile("clashsim", derandomize=True, database=None, deadline=None)
settings.load_profile("clashsim")

# A shell starts what is to run in the background deaf to Ctrl-C, and what that starts is as deaf: some tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)
