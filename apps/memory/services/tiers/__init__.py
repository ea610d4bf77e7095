"""Abstracts and overviews: extracted immediately, rewritten by a model later."""
