"""Extraction by a model: the prompt, the answer's schema, and what it claims as candidates."""
