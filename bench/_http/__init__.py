"""The parts of `bench.http`."""
