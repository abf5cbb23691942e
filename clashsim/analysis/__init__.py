"""Statistics on tallies: pure functions from counts to rates, intervals and verdicts."""
