"""Latency of building a context pack, and its independence of the conversation's length.

For each size a pack is built warm (repeatedly), as the first of a new cache epoch with all segments summarized, cold
(just imported), and with 10,000 excluded messages at the end. Cold, the shortest conversation gets segment summaries
immediately; the others have none before the job. The baseline is one bare statement that reads the window; LangChain
and LlamaIndex are timed on the same messages. All take turns, so that other load affects all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from bench._in_process_stack import product


def measure() -> Iterator[dict[str, Any]]:
    with product() as postgres:
        # Imports models, so Django must be set up.
        yield from import_module("bench._packs.schedule").measured(postgres)
