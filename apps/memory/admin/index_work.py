"""The index's work in progress: the batches that workers embed, and how far a workspace's reconciliation has come."""

from __future__ import annotations

from django.contrib import admin

from apps.common.admin_base import BY_WORKSPACE, ReadOnlyAdmin, choices, link_column
from apps.memory.models import EmbeddingBatch, MemSweep


@admin.register(EmbeddingBatch)
class EmbeddingBatchAdmin(ReadOnlyAdmin):
    list_display = ("key", "size", "done", "began_at", "expires_at", "workspace_link")
    list_filter = (BY_WORKSPACE,)
    list_select_related = ("workspace",)
    search_fields = ("key", "workspace__name")
    search_help_text = "Search by id, job or workspace"
    workspace_link = link_column("workspace")


@admin.register(MemSweep)
class MemSweepAdmin(ReadOnlyAdmin):
    list_display = ("step", "after_uri", "workspace_link")
    list_filter = (choices("step"), BY_WORKSPACE)
    list_select_related = ("workspace",)
    search_fields = ("workspace__name",)
    search_help_text = "Search by id or workspace"
    workspace_link = link_column("workspace")
