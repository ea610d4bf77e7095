"""Endpoints for people, workspaces, members, keys and the policy."""
