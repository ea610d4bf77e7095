"""Imports of conversations from files, in batches and in the background."""
