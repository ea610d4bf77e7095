"""When a conversation is compacted, what is compacted, and how healthy its context is."""
