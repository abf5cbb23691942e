"""What the columns of the tables of a what-if mean."""

WHATIF_COLUMNS = {
    "variant": "the change; in plans of a what-if the one that the condition is played with and without",
    "score_base": "score of deck A (of the deck) without the change",
    "score_base_low": "{lower} limit of its interval",
    "score_changed": "score of deck A (of the deck) with the change",
    "score_changed_low": "{lower} limit of its interval",
    "win_rate_base": "win rate of the player without the change; over several settings the mean of their rates",
    "win_rate_base_low": "{lower} limit of its interval (Wilson; of a mean over settings with the jackknife's "
    "variance)",
    "win_rate_changed": "win rate of the player with the change",
    "win_rate_changed_low": "{lower} limit of its interval",
    "diff_low": "{lower} limit of the interval of the difference, from the same games with and without the change "
    "(adjusted interval for paired games; of a mean over opponents MOVER, over settings jackknife over blocks of game "
    "numbers)",
    "diff_low_all": "{lower} limit of the interval that holds together with those of all rows of the table under the "
    "same policies (Bonferroni); `change_verdict` is read off these",
    "detectable": "smallest true difference that so many games tell from none in four of five repetitions, by the "
    "intervals that `change_verdict` is read off",
    "change_verdict": "higher or lower for sure; no measurable difference; no change (nothing differs after all)",
    "other_winner": "share of the games that end otherwise with the change: another winner, or a draw",
    "other_course": "share of the games that go another way at all: another winner, length, or fall of a Bastion",
    "turns_base": "number of turns without the change: the mean, or that of a single game",
    "turns_changed": "number of turns with the change: the mean, or that of a single game",
    "turns_difference": "turns_changed - turns_base",
    "turns_difference_low": "{lower} limit of its interval (Student)",
    "first_base": "score of the side that starts, without the change",
    "first_changed": "score of the side that starts, with the change",
    "first_difference": "first_changed - first_base: how much more going first is worth",
    "first_difference_low": "{lower} limit of its interval (paired games)",
    "winner_base": "who won the game without the change: a, b, draw; player, ai",
    "winner_changed": "who won it with the change",
}
