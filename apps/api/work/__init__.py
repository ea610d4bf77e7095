"""Endpoints to watch long work, and the health of the installation."""
