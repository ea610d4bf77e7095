"""Helpers for tests of the inbox: proposals from messages, and pairs that may contradict each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.records import MessageDraft
from apps.inbox.records import DecidedRecord, DecisionRecord, InboxItem, InboxQuery
from apps.inbox.selectors.decided import decided_page
from apps.inbox.selectors.pages import inbox_page
from apps.inbox.services.undo import inbox_undo
from apps.memory.models import MemConflict, MemNode
from apps.memory.records.tree import SourceRecord
from apps.memory.services.index.passages import node_passages_sync
from apps.turns.services.messages import messages_store
from tests.conversations.long_conversations import conversation
from tests.memory.trees import write

HOOKS, HOOKS_TEXT = "mem://user/entities/stripe/webhooks", "Stripe retries webhooks for three days."


def message(actor: Actor, talk: UUID, content: str, *, role: str = "user", name: str = "") -> UUID:
    with workspace(actor.workspace_id):
        drafts = [MessageDraft(role=role, content=content, name=name)]
        return messages_store(actor, conversation_id=talk, drafts=drafts).records[0].id


def memory(actor: Actor, uri: str, content: str, *sources: tuple[str, object], **fields: Any) -> UUID:
    """Write a memory with these sources; `fields` are columns."""
    named = [SourceRecord(kind, str(reference)) for kind, reference in sources]
    shared = bool(fields.pop("shared", False))
    node_id = write(actor, uri, content, sources=named, shared=shared).id
    with workspace(actor.workspace_id):
        if fields and MemNode.objects.filter(pk=node_id).update(**fields):
            node_passages_sync(MemNode.objects.filter(pk=node_id))
    return node_id


def proposal(actor: Actor, uri: str, content: str, *sources: tuple[str, object], **fields: Any) -> UUID:
    return memory(actor, uri, content, *sources, **{"arrival": "proposed", "trust": "tool", **fields})


def slot(value: str, subject: str = "user", attribute: str = "lives_in") -> dict[str, str]:
    return {"subject": subject, "attribute": attribute, "value": value}


def conflict(actor: Actor, earlier: UUID, later: UUID, reason: str = "another_value") -> UUID:
    with workspace(actor.workspace_id):
        return MemConflict.objects.create(earlier_id=earlier, later_id=later, reason=reason).id


def pair(actor: Actor) -> tuple[UUID, UUID, UUID]:
    """Return the ids of a conflict of two memories in use, of the earlier and of the later one."""
    earlier = memory(actor, "mem://user/events/launch-may", "The launch is in May.")
    later = memory(actor, "mem://user/events/launch-june", "The launch is in June.")
    return conflict(actor, earlier, later), earlier, later


def tool_talk(actor: Actor) -> tuple[UUID, UUID]:
    """Return a conversation and a message of the tool `web_search` in it."""
    talk = conversation(actor, title="Search")
    return talk, message(actor, talk, "Stripe retries webhooks for three days.", role="tool", name="web_search")


def waiting(actor: Actor, **query: Any) -> list[InboxItem]:
    with workspace(actor.workspace_id):
        return inbox_page(actor, InboxQuery(**query), limit=100).data


def row(actor: Actor, node_id: UUID) -> MemNode:
    with workspace(actor.workspace_id):
        return MemNode.objects.get(pk=node_id)


@pytest.fixture
def proposed(alice: Actor) -> UUID:
    return proposal(alice, HOOKS, HOOKS_TEXT)


def decide(actor: Actor, service: Callable[..., DecisionRecord], *ids: UUID, **more: Any) -> DecisionRecord:
    with workspace(actor.workspace_id):
        return service(actor, item_ids=ids, **more)


def undo(actor: Actor, decided: DecisionRecord) -> tuple[UUID, ...]:
    assert decided.change_id
    with workspace(actor.workspace_id):
        return inbox_undo(actor, change_id=decided.change_id).ids


def ids(actor: Actor) -> set[UUID]:
    return {item.id for item in waiting(actor)}


def decided(actor: Actor) -> list[DecidedRecord]:
    with workspace(actor.workspace_id):
        return decided_page(actor, limit=50).data
