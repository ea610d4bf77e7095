"""Compactions and rolling summaries over HTTP."""
