"""The dictionary of the columns of all tables: what each means and in which unit."""

# Shares (scores, rates) are fractions: 0.5 is 50 %. "Interval" is the 95 % interval unless the text says
# otherwise.
COLUMNS: dict[str, str] = {
    "deck": "the deck: a label of the card set, or the name of a deck file",
    "deck_a": "deck of side A; ALL in the row that holds the mean over all pairings",
    "deck_b": "deck of side B",
    "policy": "policy that plays the deck",
    "policy_a": "policy that plays side A",
    "policy_b": "policy that plays side B",
    "games": "games played; half of them are started by each side",
    "wins_a": "games that side A won, as counted (also in a mirror)",
    "wins_b": "games that side B won, as counted",
    "draws": "games that reached the turn limit (R31)",
    "score_a": "score of side A: (wins + draws / 2) / games; in a mirror 0.5 by definition",
    "score": "mean score of the deck over its opponents, each counting the same; itself only if policies differ",
    "score_low": "{lower} limit of the interval of the score (Wilson on the effective number of games, stratified by "
    "starter; of a mean: MOVER)",
    "score_low_all": "{lower} limit of the interval that holds together with those of all comparisons of the table "
    "(Bonferroni); verdicts are read off these",
    "win_rate_a": "share of the games that side A won; in a mirror the mean of both sides",
    "win_rate_low": "{lower} limit of the interval of the win rate",
    "draw_rate": "share of draws",
    "draw_rate_low": "{lower} limit of the interval of the draw rate",
    "stalled": "whether more than 5 % of the games are draws",
    "score_a_first": "score of side A in the games that it starts; in a mirror the first player's score",
    "score_a_first_low": "{lower} limit of the interval of score_a_first",
    "score_a_second": "score of side A in the games that side B starts; in a mirror the second player's score",
    "score_a_second_low": "{lower} limit of the interval of score_a_second",
    "turns_mean": "mean number of turns, both players counted; a draw counts with the turn limit",
    "turns_mean_low": "{lower} limit of the interval of the mean (Student)",
    "turns_median": "median number of turns",
    "turns_p10": "number of turns that a tenth of the games do not exceed",
    "turns_p90": "number of turns that nine tenths of the games do not exceed",
    "verdict": "balanced (interval inside the band 0.475-0.525), unbalanced (outside), undecided, or mirror",
    "distance": "distance of score_a from the band: negative below, 0 inside, positive above",
    "comparisons": "number of comparisons over which the intervals of the verdicts are simultaneous",
    "derived": "whether the row is another row's games seen from the other side: score_a is 1 minus that row's",
    "opponents": "number of opponents the mean is taken over",
    "wins_first": "games that the player who took the first turn won",
    "wins_second": "games that the other player won",
    "score_first": "score of the player who takes the first turn; in the row ALL the mean, mirrors included",
    "score_first_low": "{lower} limit of the interval of score_first",
    "advantage": "what going first is worth: score_first - 0.5",
    "advantage_low": "{lower} limit of the interval of the advantage",
    "advantage_least": "least advantage of a pairing; differs from advantage in the row ALL only",
    "advantage_most": "greatest advantage of a pairing; differs from advantage in the row ALL only",
    "bastion_a_fell": "share of the games in which the Bastion of side A fell",
    "bastion_a_fell_low": "{lower} limit of the interval of bastion_a_fell",
    "bastion_a_turn": "mean turn in which it fell, over these games; empty if it never did",
    "bastion_b_fell": "share of the games in which the Bastion of side B fell",
    "bastion_b_fell_low": "{lower} limit of the interval of bastion_b_fell",
    "bastion_b_turn": "mean turn in which it fell, over these games; empty if it never did",
    "unspent_mana_a": "mean mana that side A left unspent per turn of its own that came to its end",
    "unspent_mana_b": "mean mana that side B left unspent per turn of its own",
    "card": "the card",
    "plays": "summons and casts of the card, over all games of the deck; a mirror counts on both sides",
    "plays_per_game": "plays / games; observed, and higher in longer games: not what a card is worth",
}


def dictionary() -> dict[str, str]:
    """Return the meaning of every column, the upper limits after the lower ones."""
    meanings = {}
    for column, text in COLUMNS.items():
        meanings[column] = text.format(lower="lower")
        if "{lower}" in text:
            meanings[column.replace("low", "high")] = text.format(lower="upper")
    return meanings
