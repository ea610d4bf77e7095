"""Concurrent calls, each on its own thread and database connection."""

from __future__ import annotations

import threading
from collections.abc import Callable

from django.db import connection


def at_once(*works: Callable[[], None]) -> None:
    """Start all calls together and wait for the last one."""
    gate = threading.Barrier(len(works))

    def run(work: Callable[[], None]) -> None:
        gate.wait()
        try:
            work()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
