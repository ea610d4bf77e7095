"""The commands for people."""
