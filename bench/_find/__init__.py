"""The parts of `bench.find`."""
