"""Reads that join conversations, memory and summaries."""
