"""Reads of extraction."""
