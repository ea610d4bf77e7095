"""Compaction: scheduling, runs, undo, and segment summaries."""
