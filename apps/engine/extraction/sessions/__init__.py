"""The overview of an agent's session, from its messages or its observations."""
