"""Decisions about what waits in the inbox."""
