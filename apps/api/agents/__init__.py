"""Endpoints for the hooks of coding agents."""
