"""Archives of conversations in the trees of their owners."""
