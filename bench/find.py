"""Latency, throughput and recall of memory search as a workspace grows.

A hundred people share a workspace of 1,000, 10,000 and 100,000 memories, and one person has 20,000. The baseline is the
same statement, sent by the bare driver with the same role in one transaction. Other libraries store the same memories
and vectors in the same PostgreSQL: their latency, number of rows and recall of the ten nearest are compared. The
vectors are WordLlama's, made in a minute for 130,000 memories; the time of each local model has a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from bench._in_process_stack import product
from config.gc_tuning import collect_less_often, freeze_loaded_objects


def measure() -> Iterator[dict[str, Any]]:
    with product(EMBEDDINGS="wordllama") as postgres:
        # Imports models, so Django must be set up.
        rounds = import_module("bench._find.schedule")
        # As in the web process.
        freeze_loaded_objects()
        collect_less_often()
        yield from rounds.measured(postgres)
