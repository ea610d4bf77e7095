"""Maintenance of the search index: passages, embeddings and embedding spaces."""
