"""Fixtures of the client's tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.client.fake_server import FakeServer
from tests.client.machine import Machine


@pytest.fixture
def server() -> Iterator[FakeServer]:
    one = FakeServer()
    yield one
    one.stop()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    (tmp_path / "tmp").mkdir()
    yield Machine(tmp_path)
    for process in senders(tmp_path):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


@pytest.fixture
def paired(machine: Machine, server: FakeServer) -> Machine:
    machine.pair(server.url)
    return machine


def senders(folder: Path) -> list[int]:
    """Processes that send a spool below this folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            line = entry.read_bytes()
            if b"continuity_client.sender" in line and str(folder).encode() in line:
                found.append(int(entry.parent.name))
    return found
