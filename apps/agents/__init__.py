"""Coding agents: their events, sessions and observations."""
