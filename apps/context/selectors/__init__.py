"""Read-only queries for building and explaining packs."""
