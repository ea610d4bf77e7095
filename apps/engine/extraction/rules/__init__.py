"""The phrases by which people state facts about themselves and their work, as rules by category."""
