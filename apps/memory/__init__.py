"""Pins, user memory, the memory tree and its search."""
