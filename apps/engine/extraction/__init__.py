"""Memories found in a conversation without a model: rules on clauses that prefer silence to a wrong memory."""
