"""Batches of items, as they are sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from continuity_client.hook.redaction import redacted_event
from continuity_client.imports import Item

MOST_ITEMS, MOST_BYTES = 100, 3_000_000
LONGEST_TEXT = 10_000_000


def batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Items without their secrets, in batches of at most 100 and about 3 MB."""
    batch: list[Item] = []
    size = 0
    for item in items:
        clean = {**redacted_event(dict(item), longest=LONGEST_TEXT), "key": item["key"], "kind": item["kind"]}
        length = len(json.dumps(clean))
        if batch and (len(batch) == MOST_ITEMS or size + length > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(clean)
        size += length
    if batch:
        yield batch
