"""Memories found in conversations: what was read, what was found there, and what became of it."""
