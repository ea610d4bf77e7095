"""Search of memories and messages by words and by vectors."""
