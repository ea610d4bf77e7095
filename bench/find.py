"""What finding a memory costs as a workspace grows, alone and with others at it, and how much of what is near it finds.

A hundred people share a workspace of 1,000, 10,000 and 100,000 memories, and one has 20,000. The floor is the same
statement, sent by a bare driver with the same role in one transaction. Beside these stand others that keep memories in
the same PostgreSQL, with the same vectors: how long they take, how many rows come, and how many of the ten nearest.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from bench._in_process_stack import product
from config.gc_tuning import keep_what_is_loaded, look_less_often


def measure() -> Iterator[dict[str, Any]]:
    with product() as postgres:
        # It imports tables, which Django knows only from now on.
        rounds = import_module("bench._find.schedule")
        # As in the process that serves requests.
        keep_what_is_loaded()
        look_less_often()
        yield from rounds.measured(postgres)
