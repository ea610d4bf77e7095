"""The response for one memory, shared by all endpoints that return one."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any
from uuid import UUID

from rest_framework.response import Response

from apps.accounts.actors import Actor
from apps.api.framework.etags import versioned
from apps.api.framework.requests import ApiRequest
from apps.api.memory.node_serializers import MemorySerializer, StoredMemorySerializer
from apps.conversations.selectors.message_positions import MessagePlace, message_places
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import FIXED
from apps.engine.tokens.counting import count_text
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.fact_history import earlier_values, later_value
from apps.memory.selectors.tree import node_decay

FULL = "full"
_HIDDEN = {"abstract": ("overview", "content"), "overview": ("content",), FULL: ()}


def node_response(request: ApiRequest, node: NodeRecord, *, tier: str = FULL) -> Response:
    """Return the memory with its ETag."""
    state = MemorySerializer(_node_state(request.actor, node, tier)).data
    return versioned(request, state, node.version)


def stored_response(request: ApiRequest, node: NodeRecord, *, is_new: bool) -> Response:
    """Return a memory that was just created, with its Location, or one that has the same text already."""
    state = StoredMemorySerializer({**_node_state(request.actor, node, FULL), "existing": not is_new}).data
    response = versioned(request, state, node.version, status=201 if is_new else 200)
    if is_new:
        response["Location"] = f"/api/memories/{node.id}"
    return response


def _node_state(actor: Actor, node: NodeRecord, tier: str) -> dict[str, Any]:
    known = {field.name: getattr(node, field.name) for field in fields(node)}
    texts = {name: known[name] for name in ("abstract", "overview", "content")}
    return {
        **known,
        **dict.fromkeys(_HIDDEN[tier]),
        "name": Address(node.uri).name,
        "fixed": Address(node.uri) in FIXED,
        "tier": tier,
        "tokens": {name: count_text(text) for name, text in texts.items()},
        "decay": node_decay(node),
        "earlier": earlier_values(actor, node.id) if node.valid_from else [],
        "later": later_value(actor, node),
        "sources": _sources(actor, node),
    }


def _sources(actor: Actor, node: NodeRecord) -> list[dict[str, Any]]:
    ids = {source.reference: _id(source.reference) for source in node.sources if source.kind == "message"}
    places = message_places(actor, [message_id for message_id in ids.values() if message_id])
    return [{**asdict(source), **_place(places.get(ids.get(source.reference)))} for source in node.sources]


def _place(place: MessagePlace | None) -> dict[str, Any]:
    return asdict(place) if place else dict.fromkeys(field.name for field in fields(MessagePlace))


def _id(reference: str) -> UUID | None:
    try:
        return UUID(reference)
    except ValueError:
        return None
