"""Writing conversations: every change of messages or counters holds the conversation's row."""
