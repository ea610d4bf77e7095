"""Folding: when it is due, one run of it, and its undoing."""
