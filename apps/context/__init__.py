"""Building and explaining context packs."""
