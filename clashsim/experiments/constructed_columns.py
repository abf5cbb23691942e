"""What the columns of the tables of the constructed format mean."""

CONSTRUCTED_COLUMNS = {
    "bans": "how side A removes cards of side B's ten (R41): random, or value (the card of the highest worth)",
    "vs_bans": "how side B removes cards of side A's ten",
    "banned_by": "how the other side removes cards of this ten: random, or value",
    "games_banned": "games in which the card was banned",
    "banned": "share of the games in which the card was banned, of those in which it was in a ten",
    "banned_low": "{lower} limit of its interval (Wilson, stratified by starter; where bans go by values they are no "
    "chance, and it is exact)",
    "score_banned": "score of the card's owner in games in which it was banned",
    "score_banned_low": "{lower} limit of its interval",
    "score_kept": "score of the card's owner in games in which it was not banned",
    "score_kept_low": "{lower} limit of its interval",
    "ban_effect": "score_banned less score_kept: what it does to the owner that this card is banned and not another of "
    "the ten; causal, as chance bans",
    "ban_effect_low": "{lower} limit of its interval (MOVER)",
    "ban_effect_low_all": "{lower} limit of the interval that holds together with those of all cards of the policy "
    "that chance bans (Bonferroni); `ban_verdict` is read off these",
    "ban_verdict": "whether its ban surely hurts its owner more than the ban of another card, surely less, or "
    "undecided",
    "ten": "name of a ten of the final, ten-1 the best",
    "ten_a": "ten of side A",
    "ten_b": "ten of side B",
    "ten_cards": "the ten cards",
    "generation": "number of a generation of the search, from 1; in constructed_tens the first that had the ten",
    "behind": "what the ten scores less than the best one, on average over the others",
    "behind_low": "{lower} limit of the interval that holds together with those of all pairs of tens (MOVER, "
    "Bonferroni), so that it holds for whichever is the best",
    "standing": "best; not surely worse (than the best); or worse, surely",
    "finalists_share": "share of the tens of the final that have the card",
    "weighted_share": "the same, each ten weighted by its share of the equilibrium mix",
    "swap_gain": "what the best ten scores more with the swap, in the same games against the tens of the final",
    "swap_gain_low": "{lower} limit of its interval (joint counts, adjusted: Agresti and Min)",
    "swap_gain_low_all": "{lower} limit of the interval that holds together with those of all swaps of the last heat, "
    "or if it dropped out before of all swaps (Bonferroni); `swap_verdict` is read off these",
    "swap_heat": "last heat of the audit that the swap was in: 1 all swaps, 2 the better quarter, 3 the best few in "
    "fresh games, which are the ones that count",
    "swap_verdict": "better or worse for certain, or undecided",
    "candidates": "number of tens of the generation",
    "field_score": "score of the generation's winner against the field, as the search saw it: the best of many, so it "
    "flatters",
    "mean_field_score": "mean score of all tens of the generation against the field, in its first heat",
    "mean_field_score_low": "{lower} limit of its interval (all games as one sample, stratified by starter)",
    "first_field_score": "score of the generation's winner in fresh games against the tens that the search started "
    "from, the same games for all generations",
    "first_field_score_low": "{lower} limit of its interval",
}
