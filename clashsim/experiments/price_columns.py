"""What the columns of the tables of a price audit of cards mean."""

PRICE_COLUMNS = {
    "term": "term of the cost formula: attack (damage of an Incantation), health, an ability, aura of an ability; in "
    "steps also cost",
    "step": "1: the card has one more of it, -1: one less",
    "mana": "effect of the step in mana: per one more of the term, over what one mana less is worth to the same card; "
    "empty where that is not surely worth anything",
    "mana_low": "{lower} limit of its interval (Fieller)",
    "cards": "number of cards that can have more or less of the term",
    "printed_price": "what the term, or the set of abilities, costs by the formula, in mana",
    "measured": "what it is worth in mana: mean effect of one more over that of one mana less, over the same cards; of "
    "abilities their lift over what one mana less is worth to the plain body, or the card; empty where a mana is not "
    "surely worth anything",
    "measured_low": "{lower} limit of its interval (Fieller)",
    "measured_low_all": "{lower} limit of the interval that holds together with those of all terms of the kind, of "
    "abilities as lift_low_all (Bonferroni); `price_verdict` is read off these",
    "formula": "what the card costs by the formula, before rounding",
    "rounding": "printed cost less formula: below 0 it was rounded down (or, of other cards than the printed ones, is "
    "cheaper)",
    "mana_effect": "what one mana less adds to the score of a deck with the card, or the plain body",
    "mana_effect_low": "{lower} limit of its interval (jackknife)",
    "rounding_effect": "what rounding gave the card: -rounding times mana_effect",
    "rounding_effect_low": "{lower} limit of its interval",
    "suggested_cost": "cost by the formula with the measured prices; the base is set so that cards of a kind cost the "
    "same on the whole, so it is told only where all of them were varied",
    "suggested_cost_low": "{lower} limit of its interval (jackknife)",
    "suggested_cost_low_all": "{lower} limit of the interval that holds together with those of all cards of the kind "
    "(Bonferroni)",
}
