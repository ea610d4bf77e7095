"""Writes of agent sessions: events, the end of a session, its archive."""
