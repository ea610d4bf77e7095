"""Reads of conversations; all of them check `conversation_access` first."""
