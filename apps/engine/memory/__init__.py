"""The memory tree: addresses, categories, tiers, trust, decay and ranking."""
