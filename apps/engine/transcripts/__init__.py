"""Transcripts of coding agents: their entries, the conversation in them, and a condensed form of it."""
