"""Memory in the console: pins, what people wrote of themselves, the tree with its history, and what search reads."""

from apps.memory.admin import embedding_spaces, index_work, nodes, pins, retrieval, revisions, user_memory

__all__ = ["embedding_spaces", "index_work", "nodes", "pins", "retrieval", "revisions", "user_memory"]
