"""Admin actions on selected memories; each calls its service once per memory."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse

from apps.accounts.actors import Actor
from apps.common.admin_base import ServiceAdmin
from apps.engine.memory.trust import Arrival
from apps.memory.admin.bulk_actions import each, reason_of
from apps.memory.admin.delete import erase_page
from apps.memory.admin.merge import merge_page
from apps.memory.models import MemNode, NodeType
from apps.memory.records.tree import NodeRecord
from apps.memory.services.index.reembed import nodes_reembed
from apps.memory.services.tree.archive import node_approve, node_archive, node_unarchive
from apps.memory.services.tree.share import node_share

IN_USE, ARCHIVED = Q(archived_at__isnull=True), Q(archived_at__isnull=False)
PROPOSED = IN_USE & Q(arrival=Arrival.PROPOSED.value)


class _Service(Protocol):
    """A change of one memory, for a reason."""

    def __call__(self, actor: Actor, *, node_id: UUID, reason: str) -> NodeRecord: ...


class NodeActions(ServiceAdmin):
    """Actions of the memory list."""

    @admin.action(description="Approve proposed memories", permissions=["change"])
    def approve(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> None:
        self._apply(request, queryset, node_approve, done="approved", only=PROPOSED)

    @admin.action(description="Archive, with contents", permissions=["change"])
    def archive(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> None:
        self._apply(request, queryset, node_archive, done="archived, with their contents", only=IN_USE)

    @admin.action(description="Unarchive", permissions=["change"])
    def restore(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> None:
        self._apply(request, queryset, node_unarchive, done="unarchived", only=ARCHIVED)

    @admin.action(description="Share with the whole workspace", permissions=["change"])
    def share(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> None:
        self._apply(request, queryset, node_share, done="shared, with their contents", only=Q(owner__isnull=False))

    @admin.action(description="Rebuild embeddings", permissions=["change"])
    def reembed(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> None:
        each(
            self,
            request,
            queryset,
            lambda actor, row: nodes_reembed(actor, node_ids=[row.pk]),
            done="will be embedded again",
            only=IN_USE & Q(node_type=NodeType.LEAF),
        )

    @admin.action(description="Merge into one …", permissions=["change"])
    def merge(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> HttpResponse | None:
        return merge_page(self, request, queryset)

    @admin.action(description="Delete permanently …", permissions=["delete"])
    def erase(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> HttpResponse | None:
        return erase_page(self, request, queryset)

    def _apply(
        self, request: HttpRequest, queryset: QuerySet[MemNode], service: _Service, *, done: str, only: Q
    ) -> None:
        """Call the service on each selected memory, with the reason of the action bar."""
        reason = reason_of(request.POST.get("reason"))
        each(
            self,
            request,
            queryset,
            lambda actor, row: service(actor, node_id=row.pk, reason=reason),
            done=done,
            only=only,
        )
