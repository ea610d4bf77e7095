"""Users, workspaces, API keys, and workspace policies."""
