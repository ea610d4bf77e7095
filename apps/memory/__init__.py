"""What outlives a message: pins, a person's own memory, and the memory tree."""
