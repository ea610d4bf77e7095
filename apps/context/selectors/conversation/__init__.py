"""Read models of a conversation's page: live state, token history, previews."""
