"""Memories that were taken out of use because of where they came from, not for what they say.

The same words from elsewhere can become a memory again; the same words of the same source cannot.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from apps.common.ids import is_id
from apps.conversations.models import Message
from apps.engine.memory.trust import Arrival
from apps.memory.models import MemNode, MemRevision, MemSource, Operation, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import sources_of

BY_EXCLUSION = "exclusion"
"""`made_by` of the changes that follow from excluding and including messages."""
ARCHIVED_WITH_SOURCE = "Archived, because it came from the"
"""The beginning of the reason of archiving everything from a source, which differs in nothing else from archiving."""


def withdrawn(rows: Collection[MemNode]) -> frozenset[UUID]:
    """Return those of the archived memories that an exclusion or a decision about their source archived, and of the
    proposals those that a quarantine made."""
    archived = [row.id for row in rows if row.archived_at is not None]
    proposed = [row.id for row in rows if row.archived_at is None and row.arrival == Arrival.PROPOSED]
    last = _revisions(archived).filter(after__archived_at__isnull=False).order_by("node_id", "-number")
    found = last.distinct("node_id").values_list("node_id", "made_by", "operation", "reason")
    of_sources = {node_id for node_id, *how in found if _is_of_source(*how)}
    return frozenset({*of_sources, *_quarantines().filter(node_id__in=proposed).values_list("node_id", flat=True)})


def comes_from(row: MemNode, sources: Iterable[SourceRecord]) -> bool:
    """Whether these are sources of the memory, or copies of them in other conversations."""
    known = {one.reference for one in sources_of([row.id]).get(row.id, ())}
    others = [one.reference for one in sources if one.reference not in known]
    ids = [reference for reference in (*known, *others) if is_id(reference)]
    rows = Message.objects.filter(pk__in=ids).only("conversation_id", "copied_from", "created_at")
    messages = {str(one.id): one for one in rows}
    originals = [messages[reference] for reference in known if reference in messages]
    return all(reference in messages and _is_copy(messages[reference], originals) for reference in others)


def quarantined_messages(owner_id: UUID, uri: str, message_ids: Iterable[UUID]) -> frozenset[UUID]:
    """Return those of the messages that are sources of quarantined memories of a person, or that a decision about
    their source has taken from the memory at this address, which is compiled from many."""
    named = {str(one): one for one in message_ids}
    of_owner = MemSource.objects.filter(kind=SourceKind.MESSAGE, reference__in=list(named), node__owner_id=owner_id)
    waiting = of_owner.exclude(node__uri=uri).filter(
        Exists(_quarantines().filter(node_id=OuterRef("node_id"))),
        node__arrival=Arrival.PROPOSED.value,
        node__archived_at__isnull=True,
    )
    references = {*waiting.values_list("reference", flat=True), *_taken_sources(owner_id, uri)}
    return frozenset(named[one] for one in references if one in named)


def _taken_sources(owner_id: UUID, uri: str) -> set[str]:
    """Return the sources that a person took from a memory, or with which it waits again, until they are accepted."""
    taken, sources = set[str](), set[str]()
    rows = MemRevision.objects.filter(node__owner_id=owner_id, node__uri=uri).order_by("number")
    for made_by, before, after in rows.values_list("made_by", "before", "after"):
        if "sources" in after:
            earlier, sources = sources, {reference for _, reference in after["sources"]}
            taken = taken if made_by else (taken | earlier) - sources
        if before.get("arrival") == Arrival.ACCEPTED:
            taken |= sources
        elif after.get("arrival") == Arrival.ACCEPTED:
            taken -= sources
    return taken


def _quarantines() -> QuerySet[MemRevision]:
    """Select the revisions in which a person made a memory in use wait again."""
    is_new = Q(operation=Operation.EDIT, made_by="", after__arrival=Arrival.PROPOSED.value)
    return MemRevision.objects.filter(is_new, before__arrival=Arrival.ACCEPTED.value)


def _revisions(node_ids: Collection[UUID]) -> QuerySet[MemRevision]:
    return MemRevision.objects.filter(node_id__in=list(node_ids))


def _is_of_source(made_by: str, operation: str, reason: str) -> bool:
    is_archiving = operation == Operation.ARCHIVE
    return is_archiving and (made_by == BY_EXCLUSION or (not made_by and reason.startswith(ARCHIVED_WITH_SOURCE)))


def _is_copy(message: Message, originals: Collection[Message]) -> bool:
    """Whether it was copied from one of the messages; a conversation that is imported twice has the same times."""
    is_elsewhere = message.conversation_id not in {one.conversation_id for one in originals}
    is_same_time = message.created_at in {one.created_at for one in originals}
    return message.copied_from in {one.id for one in originals} or (is_elsewhere and is_same_time)
