"""The use of memories by packs."""

from __future__ import annotations

from apps.context.selectors.retrieval import memories_among
from apps.engine.pack.context_pack import ContextPack
from apps.memory.services.accesses import accesses_add


def pack_note_accesses(pack: ContextPack) -> None:
    """The memories in a pack are of use to the model that it is sent to."""
    accesses_add(memories_among(pack.found))
