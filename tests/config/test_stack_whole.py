"""The whole stack, as `make up` starts it: it restarts killed programs, and leaves no process behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from functools import partial

import pytest

from config.stack.process import poll
from config.stack.processes import naming
from config.stack.throwaway_stack import TemporaryStack, temporary_stack

FOREIGN = ("DATABASE_URL", "DATABASE_APP_URL", "REDIS_URL")


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> Iterator[TemporaryStack]:
    """A stack with its own servers, not those of the test run."""
    for name in FOREIGN:
        monkeypatch.delenv(name)
    with temporary_stack() as stack:
        yield stack


def pid_of(stack: TemporaryStack, name: str) -> int:
    services: dict[str, list[int]] = stack.home.read_status().get("services", {})
    return services.get(name, [0])[0]


def was_replaced(stack: TemporaryStack, name: str, killed: int) -> bool:
    return pid_of(stack, name) not in {0, killed}


def test_the_stack_restarts_killed_programs_and_leaves_no_process_behind(whole: TemporaryStack) -> None:
    whole.start()
    for name in ("redis", "postgres", "models", "worker", "web", "dispatcher"):
        killed = pid_of(whole, name)
        os.kill(killed, signal.SIGKILL)
        assert poll(partial(was_replaced, whole, name, killed), 15), name
    assert poll(lambda: whole.client.status("/readyz") == 200, 30)

    assert whole.process is not None
    whole.process.kill()
    whole.process.wait()
    assert poll(lambda: not naming(str(whole.home.path)), 10)

    whole.start()
    whole.stop()
    assert whole.process.returncode == 0
    assert naming(str(whole.home.path)) == []
