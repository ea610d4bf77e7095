"""Calls of the server's own models, and the process that runs them for all others."""
