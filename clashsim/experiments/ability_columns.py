"""What the columns of the tables of abilities mean."""

ABILITY_COLUMNS = {
    "body": "what is tried: attack/health of a creature, or the damage of an Incantation",
    "subset": "abilities that the body has, in the order of the rulebook, or an aura; none: the plain body",
    "size": "number of abilities in the set",
    "source": "games that the row rests on: screening, second stage (as the screening chose the set by its result), or "
    "both stages (as it was to be played anyway)",
    "lift": "what the deck scores more than with the plain body, in the same games; in ability_cards: than without "
    "what `without` names; in ability_solo: mean lift of the ability over the plain creatures, in duels",
    "lift_low": "{lower} limit of its interval (joint counts, adjusted; in ability_solo jackknife)",
    "lift_low_all": "{lower} limit of the interval that holds together with those of all sets of the body, of its "
    "abilities and auras in ability_effects, of all rows of the policy in ability_cards (Bonferroni); `lift_verdict` "
    "is read off these",
    "lift_verdict": "helps or hurts the deck for sure, or undecided; nothing to tell of the plain body itself",
    "price_rate": "lift per mana of price over all sets of the body (least squares through 0, games of the screening)",
    "beyond_price": "lift less printed_price times price_rate: what the set is worth more than its price is on average",
    "beyond_price_low": "{lower} limit of its interval (jackknife)",
    "main_effect": "what the ability adds on average over all sets of the others (full factorial; empty for auras)",
    "main_effect_low": "{lower} limit of its interval (jackknife)",
    "games_all_sets": "games of the screening, in which all sets were played: of main_effect and mean_interaction",
    "interaction": "what the plain body with all of these abilities scores beyond the sum of what fewer of them do "
    "(difference of differences)",
    "interaction_low": "{lower} limit of its interval (jackknife)",
    "interaction_verdict": "surely more together, surely less together (Benjamini-Hochberg over the sets of this size "
    "on the body), or undecided",
    "mean_interaction": "the same on average over all sets of the other abilities (full factorial)",
    "mean_interaction_low": "{lower} limit of its interval (jackknife)",
    "without": "what is taken from the printed card: all its abilities and auras, or one of them",
    "loss": "share of the solo games that the player wins less if the AI's creatures have the ability, same games",
    "loss_low": "{lower} limit of its interval (joint counts, adjusted)",
    "loss_low_all": "{lower} limit of the interval that holds together with those of all abilities (Bonferroni)",
}
