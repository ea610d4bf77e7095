"""The reader's part in a summary without a model: what sentences are worth, and which lines no longer hold."""
