"""Monte Carlo balance analysis of the card game Clash of Decks."""

__version__ = "0.1.0"
