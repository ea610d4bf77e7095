"""Providers for tests: real servers on a loopback port that speak the real wire, and misbehave when told to."""
