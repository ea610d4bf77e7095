"""Judgment whether memories are relevant to a message, by a network of our own that reads both together."""
