"""Context packs: budget negotiation, strategies, cache epochs and provider formats."""
