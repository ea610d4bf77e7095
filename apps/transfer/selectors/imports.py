"""Reports of imports."""

from __future__ import annotations

from collections import Counter, defaultdict
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.transfer.models import ImportedItem, ImportRun, ImportStatus
from apps.transfer.records import ImportedResult, ImportReport, ItemProblem, KindCounts

MOST_LISTED = 1_000


def import_report(actor: Actor, import_id: UUID) -> ImportReport:
    """Return the report of the actor's own import; raise `NotFound` for another's, and after a dry run."""
    run = ImportRun.objects.filter(user_id=actor.user_id, import_id=import_id).first()
    if run is None:
        raise NotFound("Import not found.")
    own = ImportedItem.objects.filter(user_id=actor.user_id)
    created = own.filter(run=import_id)
    others = own.filter(last_run=import_id).exclude(run=import_id)
    return ImportReport(
        id=import_id,
        source=run.source,
        started_at=run.created_at,
        updated_at=run.updated_at,
        counts=_counts(created, others),
        messages=created.aggregate(total=Sum("message_count"))["total"] or 0,
        items=tuple(_result(row) for row in _listed(created | others)),
    )


def _counts(created: QuerySet[ImportedItem], others: QuerySet[ImportedItem]) -> tuple[KindCounts, ...]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for kind, count in created.values_list("kind").annotate(count=Count("id")):
        counts[kind][ImportStatus.CREATED.value] += count
    for kind, status, count in others.values_list("kind", "status").annotate(count=Count("id")):
        counts[kind][status] += count
    return tuple(KindCounts(kind, **{one: counts[kind][one] for one in ImportStatus.values}) for kind in sorted(counts))


def _listed(rows: QuerySet[ImportedItem]) -> QuerySet[ImportedItem]:
    wanted = Q(status__in=(ImportStatus.SKIPPED, ImportStatus.REFUSED)) | ~Q(problems=[])
    return rows.filter(wanted).order_by("id")[:MOST_LISTED]


def _result(row: ImportedItem) -> ImportedResult:
    return ImportedResult(
        key=row.key,
        kind=row.kind,
        status=row.status,
        reason=row.reason,
        node_id=row.node,
        conversation_id=row.conversation,
        session_id=row.session,
        messages=row.message_count,
        problems=tuple(ItemProblem(**one) for one in row.problems),
    )
