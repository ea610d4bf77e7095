"""Store what was retrieved for a reply and sent with its pack."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apps.context.models import UsedItems
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.layers import Layer
from apps.engine.pack.retrieved import RetrievedItem


def used_items_store(pack: ContextPack, *, conversation_id: UUID, reply_id: UUID, user_id: UUID) -> None:
    """Store what was retrieved for the reply and is in its pack, if anything."""
    if items := [_stored(layer, item) for layer, item in pack.used_items]:
        UsedItems.objects.create(conversation_id=conversation_id, reply_id=reply_id, user_id=user_id, items=items)


def _stored(layer: Layer, item: RetrievedItem) -> dict[str, Any]:
    other = {"conversation_id": item.conversation_id} if item.conversation_id else {}
    again = {"again": True} if item.again else {}
    return {
        **other,
        **again,
        "kind": "memory" if item.is_memory else "message",
        "id": item.id,
        "version": item.version,
        "layer": layer.value,
        "score": item.score,
        "similarity": item.similarity,
        "chance": item.chance,
        "tokens": item.tokens,
    }
