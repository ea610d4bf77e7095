"""The memories that were found in a conversation's messages, as they are now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import Count, Q
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.pagination import Page, page_of
from apps.extraction.models import ExtractionCandidate
from apps.extraction.records import ExtractedMemory
from apps.extraction.selectors.candidates import OF_FORGETTING, STORED
from apps.extraction.selectors.state import own_conversation
from apps.memory.models import Decision, MemConflict, MemNode

_SHOWN = (*STORED, *OF_FORGETTING)


def extracted_memories(
    actor: Actor, conversation_id: UUID, *, from_index: int, after: str | None, limit: int
) -> Page[ExtractedMemory]:
    """Return a page of them in the order of the messages, from an index on; `after` is the place of the last one seen.

    Those that a message asks to forget are among them, memories that were deleted permanently are left out.
    """
    own_conversation(actor, conversation_id)
    rows = ExtractionCandidate.objects.filter(
        conversation_id=conversation_id, outcome__in=_SHOWN, node__isnull=False, message__index__gte=from_index
    ).select_related("message", "node")
    if after:
        index, row_id = after.split()
        rows = rows.filter(Q(message__index__gt=int(index)) | Q(message__index=int(index), pk__gt=UUID(row_id)))
    read = list(rows.order_by("message__index", "pk")[: limit + 1])
    ids = [row.node_id for row in read if row.node_id]
    conflicts, replaced = _open_conflicts(ids), _replaced(ids)
    return page_of(
        read, limit, lambda row: _record(row, conflicts, replaced), lambda row: f"{row.message.index} {row.id}"
    )


def _open_conflicts(node_ids: Sequence[UUID]) -> Mapping[UUID, int]:
    rows = MemConflict.objects.filter(later_id__in=node_ids, decision=Decision.OPEN)
    return dict(rows.order_by().values_list("later_id").annotate(Count("id")))


def _replaced(node_ids: Sequence[UUID]) -> Mapping[UUID, list[str]]:
    """The statements that memories superseded."""
    rows = MemNode.objects.filter(superseded_by_id__in=node_ids, archived_at__isnull=True).order_by("id")
    replaced: dict[UUID, list[str]] = defaultdict(list)
    for node_id, statement in rows.values_list("superseded_by_id", "l2_content"):
        if node_id:
            replaced[node_id].append(statement)
    return replaced


def _record(
    row: ExtractionCandidate, conflicts: Mapping[UUID, int], replaced: Mapping[UUID, Sequence[str]]
) -> ExtractedMemory:
    node = row.node
    assert node is not None  # noqa: S101  # narrows the type: the query selects candidates with a memory
    return ExtractedMemory(
        id=row.id,
        message_id=row.message_id,
        index=row.message.index,
        quote=row.message.content[row.start : row.end],
        rule=row.rule,
        outcome=row.outcome,
        state=_state(node),
        memory_id=node.id,
        uri=node.uri,
        statement=node.l2_content,
        change_id=row.change,
        conflicts=conflicts.get(node.id, 0),
        replaced=replaced.get(node.id, ()),
        created_at=row.created_at,
    )


def _state(node: MemNode) -> str:
    if node.archived_at is not None:
        return "archived"
    has_ended = node.valid_to is not None and node.valid_to <= timezone.now()
    return "superseded" if node.superseded_by_id or has_ended else node.arrival
