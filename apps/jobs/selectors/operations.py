"""Operations as their owner, or an administrator of the workspace, may see them."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from apps.common.errors import NotFound
from apps.common.pagination import Page, page_of
from apps.jobs.models import Operation, OperationState
from apps.jobs.records import OperationActor, OperationView, operation_view


def operation_get(actor: OperationActor, operation_id: UUID) -> OperationView:
    row = _visible(actor).filter(pk=operation_id).first()
    if row is None:
        raise NotFound("Operation not found.")
    return operation_view(row)


def operation_find(actor: OperationActor, operation_id: UUID | None) -> OperationView | None:
    """Return the operation; raise `NotFound` if the actor may not see it."""
    row = _visible(actor).filter(pk=operation_id).first() if operation_id else None
    return operation_view(row) if row else None


def operation_list(actor: OperationActor, *, after: str | None, limit: int, subject: str = "") -> Page[OperationView]:
    """Return a page of operations, newest first, after the id `after`; `subject` filters by object."""
    rows = _visible(actor)
    if subject:
        rows = rows.filter(subject=subject)
    if after:
        rows = rows.filter(pk__lt=UUID(after))
    return page_of(rows.order_by("-id")[: limit + 1], limit, operation_view, lambda row: str(row.id))


def operation_open(actor: OperationActor, *, kind: str, subject: str) -> OperationView | None:
    """Return the actor's unfinished operation of a kind on an object, if there is one."""
    row = (unfinished_operations() & operations_on(actor, kind=kind, subject=subject)).first()
    return operation_view(row) if row else None


def operations_on(actor: OperationActor, *, kind: str, subject: str) -> QuerySet[Operation]:
    """The actor's own operations of a kind on an object."""
    return Operation.objects.filter(user_id=actor.user_id, kind=kind, subject=subject)


def operation_unfinished(operation_id: UUID) -> Operation | None:
    """Return the row of an operation that has not ended, for the job that works on it."""
    return unfinished_operations().filter(pk=operation_id).first()


def operation_requested(*, kind: str, subject: str) -> Operation | None:
    """Return the row of the oldest operation of a kind on an object that has not ended."""
    return unfinished_operations().filter(kind=kind, subject=subject).order_by("id").first()


def unfinished_operations() -> QuerySet[Operation]:
    return Operation.objects.filter(state__in=(OperationState.QUEUED, OperationState.RUNNING))


def _visible(actor: OperationActor) -> QuerySet[Operation]:
    rows = Operation.objects.all()
    return rows if actor.may_read_all_operations else rows.filter(user_id=actor.user_id)
