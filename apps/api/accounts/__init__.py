"""Endpoints of users, workspaces, members, API keys and the policy."""
