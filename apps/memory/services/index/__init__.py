"""What retrieval reads: passages, embeddings and their spaces."""
