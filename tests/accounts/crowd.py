"""Several at once, each in a thread and on a connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from django.db import connection


def at_once(*works: Callable[[], None]) -> None:
    """All of them, let go together; returns when the last is done."""
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
