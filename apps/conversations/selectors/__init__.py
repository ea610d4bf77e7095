"""Reading conversations: everything asks `conversation_access` first."""
