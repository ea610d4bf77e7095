"""Memories of our own export: they return to their own addresses, with their use and short tiers."""

from __future__ import annotations

from math import isfinite

from apps.conversations.imports.field_checks import BadMessage
from apps.hooks.imports.fields import Fields, date_of, number_of, required_date, short_of, texts_of, verbatim_of
from apps.hooks.imports.items import NodeItem
from apps.hooks.models import ImportStatus
from apps.hooks.services.imports.batch import Batch, NewNode
from apps.hooks.services.imports.memories import REASON, STATES
from apps.hooks.services.imports.outcomes import Outcome
from apps.hooks.services.imports.own.references import References, sources_in
from apps.memory.models.tree import LONGEST_TAG
from apps.memory.records.tree import ItemResult
from apps.memory.services.bulk.export import FORMAT
from apps.memory.services.bulk.import_ import items_of_data, tree_import
from apps.memory.services.bulk.restore import NodeState, states_restore


def node_add(batch: Batch, outcome: Outcome, item: NodeItem) -> None:
    """Add a memory to the batch, at whose end all of them are written together."""
    batch.nodes.append(NewNode(outcome, item.node, _state(item.state, item.node) if item.state else None))


def nodes_write(batch: Batch) -> None:
    """Import the memories of our own export. The caller has locked the tree."""
    if not batch.nodes:
        return
    references = References(batch)
    references.load([source for new in batch.nodes for source in sources_in(new.node)])
    nodes = [{**new.node, "sources": references.sources(new.node.get("sources") or [])} for new in batch.nodes]
    # Read as our own export, so that the trust that the file states counts as far as an import's may.
    items = items_of_data({"format": FORMAT, "nodes": nodes})
    reason = REASON.format(source=batch.source.value)
    results = tree_import(batch.actor, items=items, reason=reason)
    for new, result in zip(batch.nodes, results, strict=True):
        _note(new.outcome, result)
    pairs = zip(batch.nodes, results, strict=True)
    states_restore(
        {one.node_id: new.state for new, one in pairs if one.node_id and one.state == "created" and new.state}
    )


def _state(fields: Fields, node: Fields) -> NodeState:
    strength = fields.get("base_relevance")
    if not isinstance(strength, int | float) or isinstance(strength, bool) or not isfinite(strength):
        raise BadMessage("wrong_type", "base_relevance must be a number")
    return NodeState(
        base_relevance=strength,
        last_access=date_of(fields, "last_access"),
        access_count=number_of(fields, "access_count"),
        created_at=required_date(fields, "created_at"),
        abstract=verbatim_of(fields, "abstract"),
        overview=verbatim_of(fields, "overview"),
        tiers_by=short_of(fields, "tiers_by", 120),
        occurred_at=date_of(node, "occurred_at"),
        tags=tuple(tag[:LONGEST_TAG] for tag in texts_of(node, "tags")),
    )


def _note(outcome: Outcome, result: ItemResult) -> None:
    outcome.node_id, outcome.address = result.node_id, result.uri
    outcome.end(STATES.get(result.state, ImportStatus.CREATED), result.code)
    outcome.detail = result.detail
