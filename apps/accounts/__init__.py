"""People, workspaces, keys, and each workspace's policy."""
