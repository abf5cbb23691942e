"""The dictionary of the columns of all tables: what each means and in which unit."""

import re

from clashsim.experiments.ability_columns import ABILITY_COLUMNS
from clashsim.experiments.audit_columns import AUDIT_COLUMNS
from clashsim.experiments.card_columns import CARD_COLUMNS
from clashsim.experiments.constructed_columns import CONSTRUCTED_COLUMNS
from clashsim.experiments.draft_columns import DRAFT_COLUMNS
from clashsim.experiments.price_columns import PRICE_COLUMNS
from clashsim.experiments.whatif_columns import WHATIF_COLUMNS

# Shares (scores, rates) are fractions: 0.5 is 50 %. "Interval" is the 95 % interval unless the text says
# otherwise.
COLUMNS: dict[str, str] = {
    "deck": "the deck: a label of the card set, or the name of a deck file",
    "deck_a": "deck of side A; ALL in the row that holds the mean over all pairings",
    "deck_b": "deck of side B",
    "policy": "policy that plays the deck",
    "vs_policy": "policy that plays the opponents' decks",
    "policy_a": "policy that plays side A",
    "policy_b": "policy that plays side B",
    "games": "games played; in duels half of them are started by each side, in solo games the setting tells who "
    "starts; in card_values those in which one side has the card and the other has not; in tables of abilities each "
    "was played with the one and with the other",
    "wins_a": "games that side A won, as counted (also in a mirror)",
    "wins_b": "games that side B won, as counted",
    "draws": "games that reached the turn limit (R31)",
    "score_a": "score of side A: (wins + draws / 2) / games; in a mirror 0.5 by definition",
    "score": "mean score of the deck (or policy) over its opponents, each counting the same; itself only if policies "
    "differ. In card_values: score of decks with the card, over these games",
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
    "stopped": "why the pairing got no more games: games (has all), precise (--precision), decided (--until-decided)",
    "derived": "whether the row is another row's games seen from the other side: score_a is 1 minus that row's",
    "opponents": "number of opponents the mean is taken over",
    "elo": "Elo rating relative to the mean of all that are rated: one Bradley-Terry fit to all pairings, 400 points "
    "for odds of ten to one",
    "elo_low": "{lower} limit of the interval of the rating: what chance leaves open about the best fit, not how far "
    "single pairings lie from it",
    "beats": "the opponents that the deck surely beats (score_low_all above 0.5)",
    "loses_to": "the opponents that surely beat the deck",
    "dominant": "whether the deck surely beats every other; if policies differ, surely scores more than every other "
    "deck of its policy against every opponent",
    "dominated_by": "decks that surely score more against every opponent, each other included (difference by MOVER, "
    "Bonferroni over the pairs of decks)",
    "fit_chi2": "lack of fit of the ratings: chi-square (deviance) over the pairings",
    "fit_df": "degrees of freedom of fit_chi2: pairings - rated + 1",
    "fit_p": "p-value of fit_chi2; small: one number per deck does not describe the pairings; empty without degrees of "
    "freedom",
    "fit_miss": "root mean square distance of the scores of the pairings from those that the ratings imply",
    "side": "who chooses among these decks: A, B, or both from the same",
    "weight": "share of the deck in the equilibrium mix, which no choice of a deck can exploit; of several equilibria "
    "the most even one",
    "weight_low": "{lower} limit of the interval of the weight (Bayesian bootstrap, quantiles of 1000 replicates)",
    "support": "share of the replicates whose mix has the deck",
    "value": "in equilibrium: score that the mix secures against every deck of the opponent; 0.5 where both choose "
    "from the same decks. In card_values: what decks with the card score more than 0.5 against decks without it, in "
    "random decks: what having it does, against the mean of the other cards. In tables of drafts: what the card adds "
    "to the score (in solo games: to the share of games won) of a deck that has it, against the mean card "
    "(least squares over all cards)",
    "value_low": "{lower} limit of its interval (in equilibrium bootstrap, in card_values Wilson on the effective "
    "number of games, in tables of drafts jackknife over 40 blocks)",
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
    "bastion_a_turn": "mean turn in which it fell, over these games; empty if it never did; of a single game the turn "
    "itself; empty if it stood",
    "bastion_b_fell": "share of the games in which the Bastion of side B fell",
    "bastion_b_fell_low": "{lower} limit of the interval of bastion_b_fell",
    "bastion_b_turn": "mean turn in which it fell, over these games; empty if it never did; of a single game the turn "
    "itself; empty if it stood",
    "unspent_mana_a": "mean mana that side A left unspent per turn of its own that came to its end",
    "unspent_mana_b": "mean mana that side B left unspent per turn of its own",
    "card": "the card",
    "plays": "summons and casts of the card, over all games of the deck; a mirror counts on both sides",
    "plays_per_game": "plays / games; observed, and higher in longer games: not what a card is worth",
    "game": "number of the game in its condition (--games-out): even ones are started by side A, odd ones by side B",
    "starter": "side that takes the first turn: a, b",
    "winner": "side that won: a, b; draw at the turn limit",
    "reason": "how the game ended: fort (it fell) or turn_limit (R31)",
    "turns": "number of turns, both players counted",
    "measure": "what a number is. In skill: score (of side A), pool_score (of the deck), advantage (of going first), "
    "draw_rate, turns_mean. In bench: speed (of whole runs), speed_per_thread (speed / jobs / speed of one job), "
    "core_share (of the threads' time between the first and the last chunk, spent in the core), speed_uncompiled, "
    "compiled_to_uncompiled (games per second in the core over those uncompiled), compile (into an empty cache), "
    "load_compiled (by a later process)",
    "jobs": "number of threads",
    "stored": "whether the run stored checkpoints in a folder while it was measured",
    "median": "median over the repetitions, in the unit of the row, to three digits (shares to four)",
    "lowest": "lowest value of a repetition",
    "highest": "highest value of a repetition",
    "repetitions": "how many times it was measured; settings take turns",
    "unit": "unit of median, lowest and highest: games/s, s, share (1 is 100 %) or ratio",
    "below": "the next policy down the ladder; empty for the lowest",
    "score_below": "score of the policy against the one below, over all pairs of decks",
    "score_below_low": "{lower} limit of the interval of score_below (stratified by pair of decks and starter)",
    "beats_below": "whether it surely beats the one below: yes, undecided, no (it surely loses), read off an interval "
    "that holds for all pairs of policies together (Bonferroni)",
    "score_both": "mean of score_a and of that in the row with the decks exchanged: what the policies make of the two "
    "decks, apart from which of them is the better one",
    "score_both_low": "{lower} limit of the interval of score_both",
    "games_per_second": "games per second of one thread, each policy against itself; recorded, or measured by the run",
    "times_slower": "games per second of greedy over those of the policy",
    "summary": "what the policy does",
    "policies_1": "policies of the row in the first of two runs that are compared",
    "policies_2": "policies of the row in the second run",
    "score_1": "score in run 1",
    "score_1_low": "{lower} limit of its interval in run 1",
    "score_2": "score in run 2",
    "score_2_low": "{lower} limit of its interval in run 2",
    "draw_rate_1": "share of draws in run 1",
    "draw_rate_1_low": "{lower} limit of its interval in run 1",
    "draw_rate_2": "share of draws in run 2",
    "draw_rate_2_low": "{lower} limit of its interval in run 2",
    "elo_1": "rating in Elo in run 1",
    "elo_1_low": "{lower} limit of its interval in run 1",
    "elo_2": "rating in Elo in run 2",
    "elo_2_low": "{lower} limit of its interval in run 2",
    "difference": "estimate in run 2 minus that in run 1; in skill, with policy minus with policy_before; in a "
    "what-if, with the change minus without",
    "difference_low": "{lower} limit of the interval of the difference (MOVER: independent estimates; in ability_skill "
    "jackknife over blocks of the same shuffles)",
    "difference_low_all": "{lower} limit of the interval that holds together with those of all comparisons of the "
    "table (Bonferroni); `change` is read off these",
    "change": "higher or lower for certain (run 2; policy); not certain; same games (the difference is 0); mirror; "
    "other pairings (a mean over other pairings); or which run alone has the row",
    "estimate": "the number that measure names, under policy",
    "estimate_low": "{lower} limit of its interval",
    "estimate_low_all": "{lower} limit of the interval that holds together with those of all numbers of the measure "
    "under this policy (Bonferroni); conclusions are read off these",
    "conclusion": "whether the number is surely above or below 0.5 (scores), 0 (advantage), 0.05 (draws), or neither: "
    "open; empty for turns",
    "flips_from": "the last policy before this one under which the opposite conclusion is sure",
    "policy_before": "policy of the row that difference is measured from: the one named before",
    "verdict_1": "verdict in run 1",
    "verdict_2": "verdict in run 2",
    "games_1": "games in run 1",
    "games_2": "games in run 2",
    "wins": "games that the player won against the AI",
    "losses": "games that the player lost",
    "ci_low": "{lower} limit of the interval of the win rate (Wilson)",
    "bastion_fell": "share of the games in which the player's Bastion fell",
    "bastion_fell_low": "{lower} limit of its interval (Wilson)",
    "ai_bastion_fell": "share of the games in which the AI's Bastion fell; 0 where it has none",
    "ai_bastion_fell_low": "{lower} limit of its interval (Wilson)",
    **AUDIT_COLUMNS,
    **WHATIF_COLUMNS,
    **CARD_COLUMNS,
    **PRICE_COLUMNS,
    **CONSTRUCTED_COLUMNS,
    **DRAFT_COLUMNS,
    **ABILITY_COLUMNS,
}


def dictionary() -> dict[str, str]:
    """Return the meaning of every column, the upper limits after the lower ones."""
    meanings = {}
    for column, text in COLUMNS.items():
        meanings[column] = text.format(lower="lower")
        if "{lower}" in text:
            meanings[re.sub(r"_low(?=$|_)", "_high", column)] = text.format(lower="upper")
    return meanings
