"""The columns of the tables of a price audit: what each means and in which unit, in the form of `columns.COLUMNS`."""

AUDIT_COLUMNS: dict[str, str] = {
    "variable": "the AI's variable mana, per creature of the player (R33); of two settings that of the dearer one, "
    "as in the other options",
    "fixed": "the AI's fixed mana (R33)",
    "first": "who takes the first turn: player, ai",
    "bastion": "whether the AI starts on its Bastion: yes, no",
    "resistance": "whether player attacks on the AI's deck are reduced (R38): yes, no",
    "ability": "ability that every creature of the AI has besides its own: none or its name",
    "points": "price of the setting or of the row's settings in difficulty points (R38)",
    "dearer_points": "price of the dearer of two settings",
    "level": "in levels: name of the price (Easy 1 to Mythic 5), empty for the others; in options and "
    "interactions: level of the option",
    "base": "level of the option that `level` is compared with",
    "option": "the option of a setting (R38); in neighbours the one in which they differ",
    "other_option": "the other option of a pair",
    "other_level": "level of the other option; `per step`: per point of fixed mana",
    "outcome": "what is compared: win (share of wins; a draw is none), ai_cards_left, ai_cards_to_go",
    "settings": "number of settings; over all decks those that all decks have",
    "cells": "number of settings times decks; in options and interactions those that the fit rests on",
    "floor": "cells on the floor: win rate below 2 % after 400 games more that go as a fit to all settings expects",
    "ceiling": "cells on the ceiling: win rate above 98 %, likewise",
    "inside": "cells neither on the floor nor on the ceiling",
    "mark": "floor, ceiling, or empty",
    "win_rate": "share of wins; over several settings their mean, each counting the same",
    "win_rate_lowest": "lowest measured win rate of a setting of this price",
    "win_rate_highest": "highest measured win rate of a setting of this price",
    "spread": "standard deviation of the win rates of the settings of a price, without what chance explains; empty "
    "for one setting",
    "ai_cards_left": "mean number of cards in the AI's deck at the end",
    "ai_cards_left_low": "{lower} limit of its interval (delete-one-block jackknife, Student)",
    "ai_cards_to_go": "mean number of cards that were at most still to be removed at the end: ai_cards_left and, "
    "while the AI's Bastion stands, all its cards once more, of which the new deck on its Fort will be made",
    "ai_cards_to_go_low": "{lower} limit of its interval (delete-one-block jackknife, Student)",
    "win_difference": "win rate of the price minus that of the price below",
    "win_difference_low": "{lower} limit of its interval (delete-one-block jackknife, Student)",
    "win_difference_low_all": "{lower} limit of the interval that holds together with those of all prices of the "
    "policy and the deck (Bonferroni); than_below is read off these",
    "to_go_difference": "mean cards to go of the price minus that of the price below",
    "to_go_difference_low": "{lower} limit of its interval (delete-one-block jackknife, Student)",
    "to_go_difference_low_all": "{lower} limit of the interval that holds together with those of all prices of the "
    "policy and the deck (Bonferroni)",
    "than_below": "whether the price is surely harder or easier than the one below, or undecided; empty for the "
    "lowest",
    "effect": "what the level does to the outcome, against the base, on average over the settings: share of wins "
    "or cards; in prices what the step, or one more of the term on average over the cards, does to the score",
    "effect_low": "{lower} limit of the interval of the effect (delete-one-block jackknife, Student; in price_steps "
    "from the same games, adjusted)",
    "logit": "the same in logits of the win rate (bias-reduced logistic regression, Firth 1993); empty for cards",
    "logit_low": "{lower} limit of its interval (delete-one-block jackknife, Student)",
    "printed": "price of the level over the base in the price list that was played with, in points",
    "printed_arabic": "the same in the Arabic price list: playing without Bastion costs 1 more point, not 1 less",
    "point_worth": "what a point does to the outcome, on average over all options: share of wins or cards",
    "point_worth_low": "{lower} limit of its interval (delete-one-block jackknife, Student)",
    "point_logit": "the same in logits of the win rate: slope over the points of what the fit of the options "
    "predicts for all settings; empty for cards",
    "point_logit_low": "{lower} limit of its interval (delete-one-block jackknife, Student)",
    "suggested": "price that the measurement suggests: logit / point_logit for win, effect / point_worth for cards",
    "suggested_low": "{lower} limit of its interval (Fieller)",
    "suggested_low_all": "{lower} limit of the interval that holds together with those of all comparisons of the "
    "policy, the deck and the outcome (Bonferroni); verdicts are read off these",
    "price_verdict": "of options: fair (surely within half a point of the printed price), too cheap (surely harder "
    "than that: too few points for it), too dear (surely less hard than that), undecided; not convertible: it "
    "is not sure that a point makes the game harder; too few settings: fewer than 60 off floor and ceiling, or than "
    "10 of a level; by wins only: prices are not judged by cards. Of terms of the cost formula and sets of abilities: "
    "fair (surely within a quarter of a mana), too cheap (surely worth more), too dear (surely less), undecided, not "
    "convertible",
    "suggested_arabic": "as suggested, with what a point of the Arabic price list is worth",
    "suggested_arabic_low": "{lower} limit of its interval (Fieller)",
    "suggested_arabic_low_all": "{lower} limit of the interval that holds together with those of all comparisons "
    "of the policy, the deck and the outcome (Bonferroni); verdicts are read off these",
    "price_verdict_arabic": "the verdict on printed_arabic",
    "cheaper": "level of the option in the cheaper setting",
    "dearer": "level of the option in the dearer setting",
    "cheaper_value": "win rate of the cheaper setting",
    "dearer_value": "win rate of the dearer setting",
    "easier_by": "by how much the dearer setting is the easier one: its win rate minus that of the cheaper one",
    "easier_by_low": "{lower} limit of its interval, paired by blocks of games (delete-one-block jackknife, "
    "Student)",
    "p": "p-value: in inversions one-sided, of the dearer setting not being the easier one; in interactions "
    "and synergies two-sided",
    "p_adjusted": "p adjusted over all that is tested with the policy and the deck, in synergies with the policy, "
    "in ability_interactions over the sets of one size on the body (Benjamini-Hochberg)",
    "order": "inverted (the dearer setting is surely the easier one), in order (surely not), undecided; at most 5 "
    "% of either are false finds; at the end: both on the floor, or both on the ceiling, and not compared",
    "neighbours": "pairs of settings that differ in this option only, and in price",
    "in_order": "of these, pairs of which the dearer one is surely the harder one",
    "measured_easier": "pairs of which the dearer one is measured as the easier one, by chance or truly",
    "inverted": "pairs of which the dearer one is surely the easier one",
    "at_the_end": "pairs that are not compared: both on the floor, or both on the ceiling",
    "together": "what a pair of levels does beyond the sum of what each does, in logits of the win rate",
    "together_low": "{lower} limit of its interval (delete-one-block jackknife, Student)",
    "in_points": "the same over what a point is worth: positive where the pair is harder than its points say",
    "in_points_low": "{lower} limit of its interval (Fieller)",
    "pair_verdict": "harder together, easier together (p_adjusted below 0.05), undecided, or too few settings",
    "matters": "whether the verdict is sure and in_points half a point or more",
    "what": "what the conclusion is about: price of an option, price against the one below, neighbours",
    "item": "the option with its levels, the price, or the pair of settings",
}
"""Those of `columns.COLUMNS` besides; what both have they share."""
