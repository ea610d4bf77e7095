"""Writes of conversations: every change of messages or counters locks the conversation's row."""
