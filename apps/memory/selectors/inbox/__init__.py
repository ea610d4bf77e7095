"""Reads of the inbox."""
