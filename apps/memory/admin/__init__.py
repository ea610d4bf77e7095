"""Memory in the console: pins, what people wrote of themselves, the tree with its history, and what search reads."""

from apps.memory.admin import history, nodes, pins, retrieval, spaces, user_memory

__all__ = ["history", "nodes", "pins", "retrieval", "spaces", "user_memory"]
