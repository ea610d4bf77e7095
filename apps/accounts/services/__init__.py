"""Writes of accounts: users, workspaces, members, keys, policies, and operator access records."""
