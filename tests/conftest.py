"""Fixtures of every test."""

from tests.people import acme, alice, bob, charlie
from tests.shared_data import shared_acme, shared_alice, shared_bob, shared_charlie, shared_transaction

__all__ = [
    "acme",
    "alice",
    "bob",
    "charlie",
    "shared_acme",
    "shared_alice",
    "shared_bob",
    "shared_charlie",
    "shared_transaction",
]
