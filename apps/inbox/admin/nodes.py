"""The memory list with the action that takes a source out of use."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from apps.inbox.admin.source_removal import source_page
from apps.memory.admin.nodes import MemNodeAdmin
from apps.memory.models import MemNode

admin.site.unregister(MemNode)


@admin.register(MemNode)
class MemNodeWithSourcesAdmin(MemNodeAdmin):
    """The list of the memory tree, which knows no inbox, with one action more, before the one that deletes."""

    actions = (*MemNodeAdmin.actions[:-1], "take_source_out", MemNodeAdmin.actions[-1])

    @admin.action(description="Take their source out of use …", permissions=["change"])
    def take_source_out(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> HttpResponse | None:
        return source_page(self, request, queryset)
