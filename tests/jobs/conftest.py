"""Processes shared by tests of jobs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.processes import Running, start_dispatcher, start_worker
from tests.stack import TestServers


@pytest.fixture(scope="module")
def worker(stack: TestServers) -> Iterator[Running]:
    """One real worker per module. Tests that kill workers are in modules without it: it would take their jobs."""
    running = start_worker()
    yield running
    running.stop()


@pytest.fixture
def dispatcher(transactional_db: None) -> Iterator[Running]:
    running = start_dispatcher()
    yield running
    running.stop()
