"""Providers, models, and the choice of a model for a purpose."""
