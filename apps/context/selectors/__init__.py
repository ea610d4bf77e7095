"""Building and explaining packs: nothing here writes."""
