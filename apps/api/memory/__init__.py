"""Memories, pins and user memory over HTTP."""
