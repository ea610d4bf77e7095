"""Admin pages for workspaces, their members and their policies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from apps.accounts.admin.memberships import MembershipOfWorkspace
from apps.accounts.models import (
    Workspace,
    WorkspacePolicy,
)
from apps.accounts.selectors.policies import installation_policy, policy_effective
from apps.common.admin_base import (
    Card,
    ConsoleAdmin,
    StackInline,
    TenantForm,
    column,
    link_row,
    list_url,
    name_column,
)
from apps.engine.policy import PolicyError, policy_override


class PolicyForm(TenantForm):
    """Validates overrides and increments the version on every change."""

    class Meta:
        labels: ClassVar = {"overrides": "Overrides of this workspace"}
        help_texts: ClassVar = {
            "overrides": 'A JSON object of constants by name, for example {"recent_message_count": 30}.'
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "overrides" in self.fields:
            self.fields["overrides"].required = False

    def clean_overrides(self) -> dict[str, Any]:
        overrides = self.cleaned_data["overrides"]
        if overrides is None:
            return {}
        if not isinstance(overrides, dict):
            raise forms.ValidationError("This must be a JSON object of constants by name.")
        try:
            policy_override(installation_policy(), overrides)
        except PolicyError as error:
            raise forms.ValidationError(str(error)) from error
        return overrides

    def save(self, commit: bool = True) -> Any:
        if self.has_changed() and not self.instance._state.adding:
            self.instance.version += 1
        return super().save(commit)


class PolicyInline(StackInline):
    model = WorkspacePolicy
    form = PolicyForm
    fields = ("overrides", "version")
    readonly_fields = ("version",)
    max_num = 1
    verbose_name_plural = "Policy"


@admin.register(Workspace)
class WorkspaceAdmin(ConsoleAdmin):
    list_display = ("name", "id", "created_at")
    search_fields = ("name",)
    search_help_text = "Search by id or name"
    inlines = (MembershipOfWorkspace, PolicyInline)
    readonly_fields = ("id", "created_at", "related")
    fieldsets = ((None, {"fields": ("name", "related", ("id", "created_at"))}),)
    add_fieldsets = ((None, {"fields": ("name",)}),)

    @column("open")
    def related(self, row: Workspace) -> SafeString:
        here = {"workspace__id__exact": row.pk}
        names = {
            "conversations.Conversation": "conversations",
            "conversations.Message": "messages",
            "memory.PinnedMemory": "pins",
            "memory.UserMemory": "user memories",
            "memory.MemNode": "memory tree",
            "compaction.CompactionRun": "compaction runs",
            "jobs.DueJob": "jobs",
            "accounts.ApiKey": "API keys",
        }
        return link_row([(list_url(label, **here), text) for label, text in names.items()])

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def cards(self) -> Iterable[Card]:
        count = Workspace.objects.count()
        yield Card("In use", "Workspaces", f"{count:,}", "in total", list_url(Workspace))


@admin.register(WorkspacePolicy)
class WorkspacePolicyAdmin(ConsoleAdmin):
    form = PolicyForm
    list_display = ("workspace_name", "changed", "version", "updated_at")
    list_select_related = ("workspace",)
    id_search = ("id", "workspace_id")
    search_fields = ("workspace__name",)
    search_help_text = "Search by id or workspace"
    fixed_fields = ("workspace",)
    autocomplete_fields = ("workspace",)
    readonly_fields = ("version", "updated_at", "effective")
    fieldsets = (
        (None, {"fields": ("workspace", "overrides")}),
        ("Effective values", {"fields": ("effective",)}),
        ("Record", {"fields": (("version", "updated_at"),)}),
    )
    add_fieldsets = ((None, {"fields": ("workspace", "overrides", "effective")}),)
    workspace_name = name_column("workspace")

    def label(self, row: WorkspacePolicy) -> str:
        return f"Policy of {row.workspace.name}"

    @column("changed constants")
    def changed(self, row: WorkspacePolicy) -> str:
        return ", ".join(f"{name} = {value}" for name, value in sorted(row.overrides.items())) or "none"

    @column("all constants")
    def effective(self, row: WorkspacePolicy) -> SafeString:
        base, effective = asdict(installation_policy()), asdict(policy_effective(row.overrides))
        constants = [(name, base[name], effective[name], base[name] != effective[name]) for name in base]
        return render_to_string("console/policy.html", {"constants": constants})
