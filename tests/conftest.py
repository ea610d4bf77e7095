"""Fixtures of every test."""

from tests.people import acme, alice, bob, charlie

__all__ = ["acme", "alice", "bob", "charlie"]
