"""Helpers for tests of the memory tree: writing, listing, and replaying a node's revisions."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.memory.models import MemNode, MemRevision
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.nodes import sources_of
from apps.memory.selectors.tree import node_at, node_get, tree_list
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.memory.services.tree.node_snapshot import EMPTY, sources_json, state_of

SAID = "Something to remember."


def draft(uri: str, content: str = SAID, **more: Any) -> NodeDraft:
    return NodeDraft(Address(uri), content, **more)


def write(actor: Actor, uri: str, content: str = SAID, **more: Any) -> NodeRecord:
    with workspace(actor.workspace_id):
        return node_create(actor, draft=draft(uri, content, **more))


def directory(actor: Actor, uri: str, **more: Any) -> NodeRecord:
    return write(actor, uri, "", is_directory=True, **more)


def read(actor: Actor, node_id: UUID) -> NodeRecord:
    with workspace(actor.workspace_id):
        return node_get(actor, node_id)


def at(actor: Actor, uri: str) -> NodeRecord:
    with workspace(actor.workspace_id):
        return node_at(actor, Address(uri))


def listed(actor: Actor, uri: str, **more: Any) -> list[str]:
    with workspace(actor.workspace_id):
        return [line.uri for line in tree_list(actor, Address(uri), **{"limit": 100, **more}).data]


def told_state(row: MemNode) -> dict[str, Any]:
    """Return the node's state with its sources. Inside a unit of work."""
    return {**state_of(row), "sources": sources_json(sources_of([row.id]).get(row.id, ()))}


def replayed(node_id: UUID) -> dict[str, Any]:
    """Replay the node's revisions, each of which must begin with the state after the previous one."""
    state = dict(EMPTY)
    for revision in MemRevision.objects.filter(node_id=node_id).order_by("number"):
        for name, value in revision.before.items():
            # Addresses change with parents without a revision, and strength changes with accesses.
            if name not in ("uri", "base_relevance", "last_access", "access_count"):
                assert state[name] == value, (revision.operation, name)
        state |= revision.after
    return state


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
