"""What the columns of the tables of card values mean."""

CARD_COLUMNS = {
    "kind": "creature or incantation",
    "cost": "printed cost in mana; of a body that abilities are tried on, what it costs",
    "rank": "place by value under the policy, the best first; in tables of drafts of the drafter; in ability_subsets "
    "by beyond_price on the body, in ability_cards by the lift of all abilities of the card",
    "value_low_all": "{lower} limit of the interval that holds together with those of all cards of the policy, or of "
    "the drafter (Bonferroni); `value_verdict` is read off these",
    "value_verdict": "surely above the others, surely below the others, or undecided",
    "value_first": "the same where the deck with the card goes first, against the mean of those that go first",
    "value_first_low": "{lower} limit of its interval",
    "value_second": "the same where the deck with the card goes second",
    "value_second_low": "{lower} limit of its interval",
    "played": "share of these games in which the deck summoned or cast the card",
    "score_played": "score of the deck with the card in games in which it played it: observed, and biased by length "
    "and course of the games; not what a card is worth",
    "score_played_low": "{lower} limit of its interval",
    "other_card": "the other card of a pair",
    "synergy": "what a deck with both scores more than the sum of what each is worth with other partners, against "
    "decks with neither (difference of differences)",
    "synergy_low": "{lower} limit of its interval",
    "synergy_verdict": "surely more together, surely less together (Benjamini-Hochberg over the pairs of the policy), "
    "or undecided",
    "out": "card that a swap takes out of the deck",
    "into": "card that a swap puts into the deck",
    "gain": "what the card that comes is worth more than the one that goes, both in random decks; in draft_settings, "
    "what the card is worth more than under the first setting",
    "gain_low": "{lower} limit of its interval",
    "gain_low_all": "{lower} limit of the interval that holds together with those of all swaps of the deck "
    "(Bonferroni)",
}
