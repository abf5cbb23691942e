"""What the columns of the tables of drafts mean."""

DRAFT_COLUMNS = {
    "drafter": "who chose the cards of these decks: random, dearest, value (takes the highest worth of the table), fit "
    "(and weighs how cards go together), denial (and weighs what the other side would take)",
    "vs_drafter": "who chose those of the other side",
    "worth": "what the table of worths says of the card, in the unit of value. In tables of drafts the one that "
    "drafters go by (in draft_iterations that of the iteration, elsewhere the last one; empty where nobody goes by a "
    "table), in constructed_bans the one that bans go by",
    "seen": "choices in which the card was turned up before the drafter: of four and of three (17Lands: # Seen)",
    "picked": "drafts in which the drafter took it, leftovers included (17Lands: # Picked)",
    "pick": "kind of pick: first of four, pair of three, leftover (R40), one of four (R42)",
    "pick_rate": "picked / seen",
    "pick_rate_low": "{lower} limit of its interval (Wilson on the number of different drafts)",
    "ata": "mean place at which it was taken, of the four of a round: 1 first, 2.5 one of the pair, 4 leftover "
    "(17Lands: ATA); the last place at which it was seen is the same, as everybody sees every card (17Lands: ALSA)",
    "choices": "choices in which one of the two cards was taken and the other left",
    "taken_over": "share of these choices in which it was card, not other_card, that was taken",
    "taken_over_low": "{lower} limit of its interval (Wilson on the number of different drafts)",
    "drafter_verdict": "surely better, surely worse (score_low_all, score_high_all against 0.5), or undecided",
    "seat": "what a side does: drafts first, starts, both, or drafts first and goes second",
    "setting": "the setting of the AI (R38), in words",
    "value_first_setting": "value of the card under the first setting",
    "setting_verdict": "worth more, worth less for certain than under the first setting (Benjamini-Hochberg over the "
    "cards and settings of a policy), or undecided",
    "iteration": "number of the iteration of the table of worths; in the first, 0, chance drafts",
    "agreement": "rank correlation of worth and value over the cards: of the table drafted by and what was measured "
    "from these drafts; empty in iteration 0",
}
