"""Compaction of old messages into the rolling summary."""
