"""Memories by what they come from: a message, a conversation, an import, or the results of a tool."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from uuid import UUID

from django.db.models import CharField, Q, QuerySet
from django.db.models.functions import Cast

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.conversations.models import Conversation, Message, MessageRole
from apps.conversations.selectors.access import conversations_of
from apps.inbox.records import ScopeKind, SourceScope
from apps.inbox.selectors.open_items import decidable
from apps.memory.models import MemNode, MemSource, NodeType, SourceKind
from apps.memory.records.tree import SourceRecord


def scope_check(actor: Actor, scope: SourceScope) -> None:
    """Raise `NotFound` for a message or conversation that the actor may not read."""
    if scope.kind not in (ScopeKind.MESSAGE, ScopeKind.CONVERSATION):
        return
    readable = _readable(actor)
    found = readable.filter(pk=scope.reference)
    if scope.kind is ScopeKind.MESSAGE:
        messages = Message.objects.filter(pk=scope.reference, conversation__in=readable)
        if not messages.exists():
            raise NotFound("Message not found.")
    elif not found.exists():
        raise NotFound("Conversation not found.")


def memories_from(actor: Actor, scope: SourceScope) -> QuerySet[MemNode]:
    """Select the memories that the actor decides about and that have a source in the scope, archived ones excluded."""
    named = sources_in(actor, scope).values("node_id")
    return MemNode.objects.filter(decidable(actor), pk__in=named, node_type=NodeType.LEAF, archived_at__isnull=True)


def sources_in(actor: Actor, scope: SourceScope) -> QuerySet[MemSource]:
    if scope.kind is ScopeKind.IMPORT:
        return MemSource.objects.filter(kind=SourceKind.IMPORT, reference=scope.reference)
    of_messages = MemSource.objects.filter(kind=SourceKind.MESSAGE)
    if scope.kind is ScopeKind.MESSAGE:
        return of_messages.filter(reference=scope.reference)
    messages = Message.objects.filter(_messages_in(actor, scope)).annotate(reference=Cast("pk", CharField()))
    return of_messages.filter(reference__in=messages.values("reference"))


def named_sources(actor: Actor, scope: SourceScope, node_ids: Collection[UUID]) -> Mapping[UUID, set[SourceRecord]]:
    """Return the nodes' sources that are in the scope."""
    found: dict[UUID, set[SourceRecord]] = {}
    rows = sources_in(actor, scope).filter(node_id__in=node_ids).values_list("node_id", "kind", "reference")
    for node_id, kind, reference in rows:
        found.setdefault(node_id, set()).add(SourceRecord(kind, reference))
    return found


def _messages_in(actor: Actor, scope: SourceScope) -> Q:
    if scope.kind is ScopeKind.CONVERSATION:
        return Q(conversation_id=scope.reference)
    return Q(role=MessageRole.TOOL, name=scope.reference, conversation__in=_readable(actor))


def _readable(actor: Actor) -> QuerySet[Conversation]:
    """Select what the actor may read, for an operator the conversations of the person they act for."""
    if actor.on_behalf_of is None:
        return conversations_of(actor)
    return Conversation.objects.filter(owner_id=actor.on_behalf_of)
