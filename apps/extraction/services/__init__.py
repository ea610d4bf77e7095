"""Writes of extraction."""
