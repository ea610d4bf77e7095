"""Checks of the sources that a caller names for a new memory."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Unprocessable
from apps.conversations.models import Message
from apps.conversations.selectors.access import conversations_of
from apps.memory.models import SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import visible_nodes


def sources_check(actor: Actor, sources: Iterable[SourceRecord]) -> None:
    """Raise `Unprocessable` for a message, memory or person that the actor cannot see."""
    named = list(sources)
    known = {
        SourceKind.MESSAGE.value: _messages(actor, _ids(named, SourceKind.MESSAGE)),
        SourceKind.NODE.value: _nodes(actor, _ids(named, SourceKind.NODE)),
        SourceKind.PERSON.value: {str(actor.user_id)},
    }
    for source in named:
        if source.kind in known and source.reference not in known[source.kind]:
            raise Unprocessable(f"The source {source.kind} was not found.", code="unknown_source")


def _ids(sources: Iterable[SourceRecord], kind: SourceKind) -> list[UUID]:
    return [found for source in sources if source.kind == kind.value and (found := _uuid(source.reference))]


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _messages(actor: Actor, ids: list[UUID]) -> set[str]:
    if not ids:
        return set()
    readable = conversations_of(actor).values("pk")
    return set(map(str, Message.objects.filter(pk__in=ids, conversation__in=readable).values_list("pk", flat=True)))


def _nodes(actor: Actor, ids: list[UUID]) -> set[str]:
    return set(map(str, visible_nodes(actor).filter(pk__in=ids).values_list("pk", flat=True))) if ids else set()
