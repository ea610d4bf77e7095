"""Memories of our own export: they return to their own addresses, with their use and short tiers."""

from __future__ import annotations

from dataclasses import replace

from apps.conversations.selectors.access import conversation_lock
from apps.memory.records.tree import ItemResult
from apps.memory.services.bulk.import_ import items_of_data, tree_import
from apps.memory.services.bulk.restore import NodeState, states_restore
from apps.transfer.formats.items import NodeItem
from apps.transfer.formats.own_items import SessionMemoryItem
from apps.transfer.models import ImportStatus
from apps.transfer.services.imports.batch import Batch, NewNode
from apps.transfer.services.imports.memories import REASON, STATES
from apps.transfer.services.imports.outcomes import CONFIRMED, Outcome
from apps.transfer.services.imports.restore.conversations import own_conversation_of
from apps.transfer.services.imports.restore.node_states import state_in
from apps.transfer.services.imports.restore.references import References, sources_in
from apps.transfer.services.imports.restore.session_archives import (
    archive_check,
    archives_make_room,
    archives_schedule_missing,
    as_archives,
    session_address,
)


def node_add(batch: Batch, outcome: Outcome, item: NodeItem) -> None:
    """Add a memory to the batch, at whose end all of them are written together."""
    batch.nodes.append(NewNode(outcome, item.node, state_in(item.state, item.node)))


def session_memory_add(batch: Batch, outcome: Outcome, item: SessionMemoryItem) -> None:
    """The same for a memory in the folder of an imported conversation."""
    conversation = conversation_lock(own_conversation_of(batch, outcome, item.conversation).id)
    address = session_address(item.node.get("uri"), conversation.id)
    archive_of = conversation.id if archive_check(conversation, address) else None
    node = {**item.node, "uri": address.text}
    batch.nodes.append(NewNode(outcome, node, state_in(item.state, node), archive_of))


def nodes_write(batch: Batch) -> None:
    """Import the memories of our own export. The caller has locked the tree."""
    archives_make_room(batch)
    if not batch.nodes:
        return
    references = References(batch)
    references.load([source for new in batch.nodes for source in sources_in(new.node)])
    nodes = [{**new.node, "sources": references.sources(new.node.get("sources") or [])} for new in batch.nodes]
    items = as_archives(batch, items_of_data(nodes))
    reason = REASON.format(source=batch.source.value)
    results = tree_import(batch.actor, items=items, reason=reason, confirmed=batch.confirmed)
    for new, result in zip(batch.nodes, results, strict=True):
        _note(new.outcome, result)
    archives_schedule_missing(batch)
    pairs = zip(batch.nodes, results, strict=True)
    states_restore(
        {
            one.node_id: _state(batch, new.state)
            for new, one in pairs
            if one.node_id and one.state == "created" and new.state
        }
    )


def _state(batch: Batch, state: NodeState) -> NodeState:
    """Without what a person would not see before they accept the memory: its short tiers, and a folder's words."""
    return state if batch.confirmed else replace(state, abstract="", overview="", tiers_by="", tags=())


def _note(outcome: Outcome, result: ItemResult) -> None:
    outcome.node_id, outcome.address = result.node_id, result.uri
    is_unchanged = outcome.earlier is not None and outcome.earlier.digest == outcome.digest
    if is_unchanged and result.state == "updated":
        outcome.end(ImportStatus.EXISTING, CONFIRMED)
        return
    outcome.end(STATES.get(result.state, ImportStatus.CREATED), result.code)
    outcome.detail = result.detail
