"""Admin pages for model settings and provider keys. Operators can only allow local models and delete keys."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import DropdownFilter

from apps.common.admin_base import (
    BY_WORKSPACE,
    ConsoleAdmin,
    ReadOnlyAdmin,
    TenantForm,
    column,
    link_column,
    name_column,
)
from apps.llm.models import ModelSettings, ProviderKey
from apps.llm.providers.base import CHOOSABLE
from apps.llm.routing.providers import provider_specs


class BackendFilter(DropdownFilter):  # type: ignore[misc]  # unfold has no types
    """A filter by provider."""

    title = "provider"
    parameter_name = "backend"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(spec.id, spec.label) for spec in provider_specs()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(backend=self.value()) if self.value() else queryset


class ModelSettingsForm(TenantForm):
    """Increments the version on every change. Disallowing local models may invalidate the workspace's choice."""

    def save(self, commit: bool = True) -> Any:
        if self.has_changed() and not self.instance._state.adding:
            self.instance.version += 1
        return super().save(commit)


@admin.register(ModelSettings)
class ModelSettingsAdmin(ConsoleAdmin):
    form = ModelSettingsForm
    list_display = ("workspace_name", "shown_backend", "shown_models", "local_allowed", "version", "updated_at")
    list_filter = (BackendFilter, "local_allowed", BY_WORKSPACE)
    list_select_related = ("workspace",)
    id_search = ("id", "workspace_id")
    search_fields = ("workspace__name",)
    search_help_text = "Search by id or workspace"
    fixed_fields = ("workspace",)
    autocomplete_fields = ("workspace",)
    readonly_fields = ("shown_backend", "shown_models", "version", "updated_at")
    fieldsets = (
        (None, {"fields": ("workspace", "local_allowed")}),
        ("Chosen by the workspace", {"fields": (("shown_backend", "shown_models"), ("version", "updated_at"))}),
    )
    add_fieldsets = ((None, {"fields": ("workspace", "local_allowed")}),)
    workspace_name = name_column("workspace")

    def label(self, row: ModelSettings) -> str:
        return f"Models of {row.workspace.name}"

    @column("provider", order="backend")
    def shown_backend(self, row: ModelSettings) -> str:
        return row.backend or "server default"

    @column("models by purpose")
    def shown_models(self, row: ModelSettings) -> str:
        named = [f"{purpose}: {row.by_purpose[purpose]}" for purpose in CHOOSABLE if row.by_purpose.get(purpose)]
        return ", ".join(named) or "server default"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(ProviderKey)
class ProviderKeyAdmin(ReadOnlyAdmin):
    """Keys are never shown. Operators can only delete one, so that the workspace must enter it again."""

    list_display = ("backend", "shown_end", "base_url", "tested_at", "workspace_link", "updated_at")
    list_filter = (BackendFilter, BY_WORKSPACE)
    list_select_related = ("workspace",)
    id_search = ("id", "workspace_id")
    search_fields = ("workspace__name",)
    search_help_text = "Search by id or workspace"
    fieldsets = (
        (None, {"fields": (("backend", "shown_end"), "base_url", "workspace_link")}),
        ("Record", {"fields": (("tested_at", "created_at", "updated_at"),)}),
    )
    workspace_link = link_column("workspace")

    def label(self, row: ProviderKey) -> str:
        return f"{row.backend} key of {row.workspace.name}"

    @column("key")
    def shown_end(self, row: ProviderKey) -> str:
        return f"…{row.last_four}"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("llm.delete_providerkey"))
