"""Undo of a change."""
