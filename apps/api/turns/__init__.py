"""Turns: a message goes in, its reply comes out as it is written."""
