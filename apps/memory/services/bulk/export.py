"""Export of a memory subtree: complete as JSON, or human-readable as Markdown.

A file is streamed in pages, each read in its own short unit of work (a transaction with tenancy settings). Call these
outside a unit of work, or consume the stream within one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import FIXED
from apps.memory.models import NodeType
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.tree import node_at, subtree
from apps.memory.services.tree.node_snapshot import PERSON

FORMAT, FORMAT_VERSION = "continuity-memory-tree", 1
PAGE = 500
_HEADING = re.compile(r"^(\\*# mem://)", re.MULTILINE)


def subtree_json(actor: Actor, address: Address) -> Iterator[str]:
    """One JSON object: its format, the address, and the nodes in use with their directories first."""
    _require_exists(actor, address)
    yield json.dumps(_head(address), ensure_ascii=False)[:-1] + ', "nodes": ['
    between = "\n"
    for record in _records(actor, address):
        yield between + json.dumps(node_fields(record), ensure_ascii=False)
        between = ",\n"
    yield "\n]}\n"


def subtree_markdown(actor: Actor, address: Address) -> Iterator[str]:
    """Yield the subtree as Markdown: a comment with the format, then for each memory a heading with its address, a
    comment with its other fields, and its content."""
    _require_exists(actor, address)
    yield f"<!-- {_comment(_head(address))} -->\n\n"
    for record in _records(actor, address):
        fields = node_fields(record)
        known = {name: value for name, value in fields.items() if name not in ("uri", "content")}
        text = _HEADING.sub(r"\\\1", record.content)
        yield f"# {record.uri}\n\n<!-- {_comment(known)} -->\n\n{text}{_trailing_newlines(text)}"


def _head(address: Address) -> dict[str, Any]:
    return {"format": FORMAT, "version": FORMAT_VERSION, "root": address.text}


def _records(actor: Actor, address: Address) -> Iterator[NodeRecord]:
    after: str | None = None
    while True:
        with workspace(actor.workspace_id):
            page = subtree(actor, address, after=after, most=PAGE)
        yield from page.data
        if (after := page.next_cursor) is None:
            return


def _require_exists(actor: Actor, address: Address) -> None:
    """Raise `NotFound` unless the address exists; a fixed directory exists even while it is empty."""
    if address not in FIXED:
        with workspace(actor.workspace_id):
            node_at(actor, address)


def node_fields(record: NodeRecord) -> dict[str, Any]:
    """Serialize a node without derived and empty fields."""
    by_hand = record.tiers_by == PERSON
    fields: dict[str, Any] = {
        "uri": record.uri,
        "directory": record.node_type == NodeType.DIRECTORY,
        "shared": record.shared,
        "content": record.content,
        "abstract": record.abstract if by_hand else "",
        "overview": record.overview if by_hand else "",
        "tags": list(record.tags),
        "trust": record.trust,
        "occurred_at": record.occurred_at.isoformat(),
        "slot": _slot(record),
        "valid_from": record.valid_from.isoformat() if record.valid_from else "",
        "valid_to": record.valid_to.isoformat() if record.valid_to else "",
        "sources": [{"kind": source.kind, "reference": source.reference} for source in record.sources],
    }
    return {name: value for name, value in fields.items() if value}


def _slot(record: NodeRecord) -> dict[str, Any]:
    if not record.attribute:
        return {}
    slot = {"subject": record.subject, "attribute": record.attribute, "value": record.value}
    return {**slot, "many": True} if record.many else slot


def _comment(known: dict[str, Any]) -> str:
    """Serialize to JSON for a Markdown comment, where `--` and `>` must be escaped."""
    return json.dumps(known, ensure_ascii=False).replace("--", "-\\u002d").replace(">", "\\u003e")


def _trailing_newlines(text: str) -> str:
    return "\n\n" if text and not text.endswith("\n") else "\n" if text else ""
