"""Writes of the memory tree: create, edit, move, merge, share, archive, delete, undo."""
