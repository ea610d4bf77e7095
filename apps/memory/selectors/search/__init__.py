"""Finding memories and messages by words and by vectors."""
