"""Coding agents: sessions, observations, transcripts, imports."""
