"""The seven abilities: their names and what each does, with the number of its rule."""

ABILITY_RULES: dict[str, tuple[str, str]] = {
    "Splash": ("R20", "its attack also hits the enemy creature at the same position in the other lane"),
    "Perforation": ("R21", "its attack also hits the creature directly behind the target"),
    "Rage": ("R23", "attacks on the turn it arrives, enemy creatures only, never the fortress"),
    "Protection": ("R24", "the first source of damage that hits it each turn does nothing to it"),
    "Indestructible": ("R25", "takes no damage from Incantations"),
    "Berserk": ("R26", "attacks again each time its attack destroys at least one enemy creature"),
    "Sprint": (
        "R27",
        "moves to the front of its lane when it attacks; +1 attack per own creature passed, this assault",
    ),
}

INCANTATION_RULES: dict[str, tuple[str, str]] = {
    "Splash": ("R22", "also hits the creature at the same position in the other lane of the target's side"),
    "Perforation": ("R22", "also hits the creature directly behind the target"),
}

ABILITIES = tuple(ABILITY_RULES)
INCANTATION_ABILITIES = tuple(INCANTATION_RULES)


def ability_text(ability: str, kind: str = "creature") -> str:
    """Return one line saying what `ability` does on a card of `kind`, with its rule number."""
    rule, text = (INCANTATION_RULES if kind == "incantation" else ABILITY_RULES)[ability]
    return f"{ability} ({rule}): {text}"


def aura_text(ability: str) -> str:
    """Return one line saying what an Aura of `ability` does, with its rule numbers."""
    rule, text = ABILITY_RULES[ability]
    return (
        f"Aura of {ability} (R29): the creatures directly in front and behind have {ability} ({rule}: {text})"
    )
