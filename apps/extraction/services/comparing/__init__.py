"""Comparison of new statements with what is known: what they repeat, end, or ask to forget."""
