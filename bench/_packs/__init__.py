"""The parts of `bench.pack`."""
