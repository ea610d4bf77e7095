"""Extraction over HTTP."""
