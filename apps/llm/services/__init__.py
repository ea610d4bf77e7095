"""Choosing, calling and paying for models."""
