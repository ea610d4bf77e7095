"""Fixtures of every test."""

import pytest

from tests.people import acme, alice, bob, charlie

__all__ = ["acme", "alice", "bob", "charlie"]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first, so that in the end no process waits for another."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/browser/"))
