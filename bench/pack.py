"""What building a context pack costs, and whether that stays the same however long a conversation is.

Each size of conversation is built warm (again and again), as the first of a new epoch with all its segments told, cold
(just imported) and with 10,000 messages left out at its end. Cold, the shortest has its segments made on the spot; the
others have none before the job has made them. Beside these stand the floor, which is one bare statement that reads the
window, and what LangChain and LlamaIndex take for the same messages. All take turns, so that whatever else the machine
does meets all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from bench._in_process_stack import product


def measure() -> Iterator[dict[str, Any]]:
    with product() as postgres:
        # It imports tables, which Django knows only from now on.
        yield from import_module("bench._packs.schedule").measured(postgres)
