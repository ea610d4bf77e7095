"""Text embeddings, computed locally or by a provider."""
