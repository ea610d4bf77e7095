"""Usage of memories by packs."""

from __future__ import annotations

from apps.context.selectors.retrieved_hits import memory_ids
from apps.engine.pack.context_pack import ContextPack
from apps.memory.services.accesses import accesses_add


def record_memory_accesses(pack: ContextPack) -> None:
    """Record an access to each memory in a pack that is sent to a model."""
    accesses_add(memory_ids(pack.retrieved))
