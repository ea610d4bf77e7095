"""Summaries written by a model: prompts, schemas, parsing and review."""
