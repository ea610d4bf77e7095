"""Usage of memories by packs."""

from __future__ import annotations

from apps.context.selectors.retrieved_hits import memory_ids
from apps.engine.pack.context_pack import ContextPack
from apps.memory.services.accesses import accesses_add


def record_memory_accesses(pack: ContextPack) -> None:
    """Record an access to each retrieved memory in a pack that is sent to a model, whichever layer has it."""
    accesses_add(memory_ids([item for _, item in pack.used_items]))
