"""Writing accounts: people, workspaces, members, keys, policies, and the record of operators."""
