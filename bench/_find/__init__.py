"""The parts of the measurement of retrieval."""
