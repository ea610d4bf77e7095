"""Merge page of the admin: the target and the merged text are reviewed and edited first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from apps.common.admin_base import action_page, label_of
from apps.common.errors import ContinuityError, Stale, Unprocessable
from apps.common.ids import parse_id
from apps.engine.memory.tree import merge_contents
from apps.engine.memory.trust import Trust, lowest
from apps.memory.admin.bulk_actions import acting_on, chosen, reason_of
from apps.memory.admin.node_panels import TRUST_LABELS
from apps.memory.models import MemNode, NodeType
from apps.memory.services.tree.merge import nodes_merge

if TYPE_CHECKING:
    from apps.common.admin_base import ConsoleAdmin

_FEWEST = 2


def merge_page(page: ConsoleAdmin, request: HttpRequest, queryset: QuerySet[MemNode]) -> HttpResponse | None:
    """Show the choice of target and the merged text, or merge once confirmed. Refusals are shown on the page."""
    try:
        rows = chosen(queryset.defer(None))
        _check(rows)
    except ContinuityError as error:
        page.message_user(request, error.detail, messages.ERROR)
        return None
    target = _target(request, rows)
    if request.POST.get("post") == "merge":
        try:
            _merge(request, rows, target)
        except ContinuityError as error:
            page.message_user(request, error.detail, messages.ERROR)
        else:
            page.message_user(request, f"{len(rows) - 1:,} merged into {target.uri}.", messages.SUCCESS)
            return None
    return _confirmation(page, request, rows, target)


def _confirmation(page: ConsoleAdmin, request: HttpRequest, rows: Sequence[MemNode], target: MemNode) -> HttpResponse:
    others = [row for row in rows if row.pk != target.pk]
    edited = request.POST.get("content", "") if request.POST.get("post") == "merge" else ""
    context = {
        "choices": [(row, label_of(row), row.pk == target.pk) for row in rows],
        "target": target,
        "content": edited or merge_contents([target.l2_content, *(row.l2_content for row in others)]),
        "trust": TRUST_LABELS[lowest(Trust(row.trust) for row in rows)],
        "seen": _seen(rows),
        "reason": request.POST.get("reason", ""),
    }
    return action_page(page, request, "console/merge.html", title="Merge into one", rows=rows, **context)


def _merge(request: HttpRequest, rows: Sequence[MemNode], target: MemNode) -> None:
    if request.POST.get("seen") != _seen(rows):
        raise Stale("One of the memories has changed: preview the merge again, or merge the current versions.")
    sources = [row.pk for row in rows if row.pk != target.pk]
    content = request.POST.get("content", "").replace("\r\n", "\n")
    reason = reason_of(request.POST.get("reason"))
    with acting_on(request, target) as actor:
        nodes_merge(
            actor, target_id=target.pk, source_ids=sources, content=content, version=target.version, reason=reason
        )


def _check(rows: Sequence[MemNode]) -> None:
    """Reject selections that the page cannot show; the service checks everything else."""
    if len(rows) < _FEWEST:
        raise Unprocessable("Choose at least two memories to merge.")
    if len({(row.workspace_id, row.owner_id) for row in rows}) > 1:
        raise Unprocessable("Memories of different owners cannot be merged.")
    if any(row.node_type == NodeType.DIRECTORY for row in rows):
        raise Unprocessable("A folder cannot be merged. Move its contents instead.")


def _target(request: HttpRequest, rows: Sequence[MemNode]) -> MemNode:
    """Return the chosen target; by default the most trusted memory, then the longest."""
    named = request.POST.get("target", "")
    ranks = {trust.value: rank for rank, trust in enumerate(Trust)}
    default = min(rows, key=lambda row: (ranks[row.trust], -len(row.l2_content)))
    return next((row for row in rows if row.pk == parse_id(named)), default)


def _seen(rows: Sequence[MemNode]) -> str:
    return " ".join(f"{row.pk}:{row.version}" for row in rows)
