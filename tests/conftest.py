"""Fixtures of every test, and how hard the tests look for counterexamples."""

from hypothesis import settings

from tests.people import acme, alice, bob, charlie

__all__ = ["acme", "alice", "bob", "charlie"]

# Speed is measured elsewhere: a busy machine must not fail a test.
settings.register_profile("short", deadline=None)
settings.register_profile("long", deadline=None, max_examples=2_000)
settings.load_profile("short")
