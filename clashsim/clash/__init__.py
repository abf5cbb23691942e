"""The game Clash of Decks: cards, rules, the compiled core and its policies."""
