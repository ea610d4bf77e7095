"""Admin pages for memberships. Changes go through the same services as the API, with the same side effects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.models import MEMBER_ROLES, Membership, Role
from apps.accounts.selectors.users import owners_needed
from apps.accounts.services.members import LAST_OWNER, membership_end, membership_update
from apps.common.admin_base import (
    BY_WORKSPACE,
    ConsoleAdmin,
    TableInline,
    change_link,
    choices,
    link_column,
    name_column,
)

if TYPE_CHECKING:
    # unfold has no types, and Django's classes are generic only for the type checker.
    _Form = forms.ModelForm[Membership]
    _FormSet = forms.BaseInlineFormSet[Membership, Any, Any]
else:
    from unfold.forms import PaginationInlineFormSet as _FormSet

    _Form = forms.ModelForm


class MembershipForm(_Form):
    """Only the role of a membership can change, except that of a workspace's last owner."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in {"user", "workspace"} & set(self.fields):
            self.fields[name].disabled = not self.instance._state.adding
        role: Any = self.fields.get("role")
        if role is not None:
            role.choices = [choice for choice in role.choices if choice[0] != Role.END_USER]

    def clean_role(self) -> str:
        role: str = self.cleaned_data["role"]
        if role != Role.OWNER and owners_needed([self.instance.pk]).exists():
            raise forms.ValidationError(LAST_OWNER)
        return role


class MembershipFormSet(_FormSet):
    def clean(self) -> None:
        """Check all changes together: two owners may each be removable, but not both."""
        super().clean()
        changed = [form for form in self.initial_forms if form.cleaned_data.get("role", Role.OWNER) != Role.OWNER]
        leaving = [form.instance.pk for form in {*changed, *self.deleted_forms}]
        if owners_needed(leaving).exists():
            raise forms.ValidationError(LAST_OWNER)

    def save_existing(self, form: Any, obj: Membership, commit: bool = True) -> Membership:
        _update(obj)
        return obj

    def delete_existing(self, obj: Membership, commit: bool = True) -> None:
        _end(obj)


class _MembershipInline(TableInline):
    model = Membership
    form = MembershipForm
    formset = MembershipFormSet

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        return _of_members(super().get_queryset(request))


class MembershipOfUser(_MembershipInline):
    fields = ("workspace", "role")
    autocomplete_fields = ("workspace",)
    verbose_name_plural = "Workspaces"


class MembershipOfWorkspace(_MembershipInline):
    fields = ("user", "role")
    autocomplete_fields = ("user",)
    verbose_name_plural = "Members"


@admin.register(Membership)
class MembershipAdmin(ConsoleAdmin):
    form = MembershipForm
    list_display = ("user_name", "role", "workspace_link", "created_at")
    list_filter = (choices("role"), BY_WORKSPACE)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id", "workspace_id")
    search_fields = ("user__email", "workspace__name")
    search_help_text = "Search by id, email or workspace"
    autocomplete_fields = ("user", "workspace")
    fixed_fields = ("user", "workspace")
    fields = (("user", "workspace"), "role")
    user_name = name_column("user", "member")
    user_link = link_column("user")
    workspace_link = link_column("workspace")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        return _of_members(super().get_queryset(request))

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        if change:
            _update(obj)
        else:
            super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: Membership) -> None:
        _end(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Membership]) -> None:
        for row in queryset:
            _end(row)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Report last owners as protected on the confirmation page, so that nothing is deleted."""
        objects, counts, permissions, protected = super().get_deleted_objects(objs, request)
        needed = owners_needed([row.pk for row in objs])
        return objects, counts, permissions, [*protected, *(change_link(row, f"{row}: {LAST_OWNER}") for row in needed)]


def _of_members(rows: QuerySet[Membership]) -> QuerySet[Membership]:
    """Leave out the users of applications, who are managed by their application's key."""
    return rows.filter(role__in=MEMBER_ROLES)


def _update(row: Membership) -> None:
    membership_update(workspace_id=row.workspace_id, user_id=row.user_id, role=row.role)


def _end(row: Membership) -> None:
    membership_end(workspace_id=row.workspace_id, user_id=row.user_id)
