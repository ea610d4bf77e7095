"""Attacks on a running stack of its own, on loopback: `make attack`."""
