"""Confirmation of permanent deletion, with the number and addresses of the nodes including subtrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse

from apps.common.admin_base import action_page
from apps.common.errors import ContinuityError
from apps.engine.memory.addresses import Address
from apps.memory.admin.bulk_actions import acting_on, chosen, each
from apps.memory.models import MemNode
from apps.memory.services.tree.delete_permanently import node_erase, node_erase_preview

if TYPE_CHECKING:
    from apps.common.admin_base import ConsoleAdmin


@dataclass(frozen=True, slots=True)
class Preview:
    """A deletion preview: `named` has example addresses, `refused` the undeletable nodes with reasons."""

    count: int
    named: list[str]
    refused: list[str]


def erase_page(page: ConsoleAdmin, request: HttpRequest, queryset: QuerySet[MemNode]) -> HttpResponse | None:
    """Show the confirmation page, or delete once confirmed."""
    if request.POST.get("post"):
        each(
            page,
            request,
            queryset,
            lambda actor, row: node_erase(actor, node_id=row.pk),
            done="permanently deleted, with their contents",
            only=Q(),
        )
        return None
    try:
        rows = chosen(queryset)
    except ContinuityError as error:
        page.message_user(request, error.detail, messages.ERROR)
        return None
    context = {"preview": preview_of(request, rows)}
    return action_page(page, request, "console/erase.html", title="Delete permanently", rows=rows, **context)


def preview_of(request: HttpRequest, rows: Sequence[MemNode]) -> Preview:
    """Preview the deletion of rows, given in address order; rows below another selected one are counted with it."""
    count, named, refused = 0, list[str](), list[str]()
    counted: set[tuple[object, object, str]] = set()
    for row in rows:
        if any((row.workspace_id, row.owner_id, above.text) in counted for above in Address(row.uri).ancestors):
            continue
        try:
            with acting_on(request, row) as actor:
                preview = node_erase_preview(actor, row.pk)
        except ContinuityError as error:
            refused.append(f"{row.uri}: {error.detail}")
            continue
        counted.add((row.workspace_id, row.owner_id, row.uri))
        count += preview.count
        named += preview.examples
    return Preview(count, named, refused)
