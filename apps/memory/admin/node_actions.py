"""Admin actions on selected memories; each calls its service once per memory."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse

from apps.common.admin_base import (
    ServiceAdmin,
)
from apps.engine.memory.trust import Arrival
from apps.memory.admin.bulk_actions import each, reason_of
from apps.memory.admin.delete import erase_page
from apps.memory.admin.merge import merge_page
from apps.memory.models import MemNode, NodeType
from apps.memory.services.index.reembed import nodes_reembed
from apps.memory.services.tree.archive import node_approve, node_archive, node_unarchive
from apps.memory.services.tree.share import node_share

IN_USE, ARCHIVED = Q(archived_at__isnull=True), Q(archived_at__isnull=False)
PROPOSED = IN_USE & Q(arrival=Arrival.PROPOSED.value)


class NodeActions(ServiceAdmin):
    """Actions of the memory list."""

    @admin.action(description="Approve proposed memories", permissions=["change"])
    def approve(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> None:
        reason = reason_of(request.POST.get("reason"))
        each(
            self,
            request,
            queryset,
            lambda actor, row: node_approve(actor, node_id=row.pk, reason=reason),
            done="approved",
            only=PROPOSED,
        )

    @admin.action(description="Archive, with contents", permissions=["change"])
    def archive(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> None:
        reason = reason_of(request.POST.get("reason"))
        each(
            self,
            request,
            queryset,
            lambda actor, row: node_archive(actor, node_id=row.pk, reason=reason),
            done="archived, with their contents",
            only=IN_USE,
        )

    @admin.action(description="Unarchive", permissions=["change"])
    def restore(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> None:
        reason = reason_of(request.POST.get("reason"))
        each(
            self,
            request,
            queryset,
            lambda actor, row: node_unarchive(actor, node_id=row.pk, reason=reason),
            done="unarchived",
            only=ARCHIVED,
        )

    @admin.action(description="Share with the whole workspace", permissions=["change"])
    def share(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> None:
        reason = reason_of(request.POST.get("reason"))
        each(
            self,
            request,
            queryset,
            lambda actor, row: node_share(actor, node_id=row.pk, reason=reason),
            done="shared, with their contents",
            only=Q(owner__isnull=False),
        )

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
