"""Reads of agent sessions and their observations."""
