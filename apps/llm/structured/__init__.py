"""Structured output: prompt templates, quoted data, answer schemas and their validation."""
