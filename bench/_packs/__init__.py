"""The parts of the measurement of packs."""
