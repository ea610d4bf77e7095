"""Relevance of memories to a message: material, training and report of the network that judges it."""
