"""An obvious, slow reference implementation of the duel: the oracle for the compiled core."""
