"""The inbox over HTTP."""
