"""Compaction planning, segments, token history and the health of a context."""
