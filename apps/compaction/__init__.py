"""Folding old messages into the rolling summary."""
