"""Reading the state of a conversation's context."""
