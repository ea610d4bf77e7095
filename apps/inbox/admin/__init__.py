"""The inbox in the console: its two lists, and what it adds to that of memories."""

from apps.inbox.admin import nodes, open_items

__all__ = ["nodes", "open_items"]
