"""Admin pages for users, groups and API keys. API keys can only be renamed and revoked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from apps.accounts.admin.memberships import MembershipOfUser
from apps.accounts.models import (
    ApiKey,
    OperatorAccess,
    User,
)
from apps.accounts.services.users import user_access_recheck
from apps.common.admin_base import (
    BY_WORKSPACE,
    Card,
    ConsoleAdmin,
    column,
    counted,
    is_set,
    link_column,
    link_row,
    list_url,
)
from apps.events.publish import publish
from apps.events.types import AccessRevoked

if TYPE_CHECKING:
    _UserPage = DjangoUserAdmin[User]  # generic only for the type checker
else:
    _UserPage = DjangoUserAdmin

KEY_TONES = {"active": "success", "revoked": "danger", "expired": "warning"}
PERSON_TONES = {"operator": "primary", "off": "danger"}
RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")

admin.site.unregister(Group)


class PersonAddForm(UserCreationForm):  # type: ignore[misc]  # unfold has no types
    class Meta:
        model = User
        fields = ("email", "name")

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()


class PersonChangeForm(UserChangeForm):  # type: ignore[misc]  # unfold has no types
    class Meta:
        model = User
        fields = "__all__"

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()


class PersonPasswordForm(AdminPasswordChangeForm):  # type: ignore[misc]  # unfold has no types
    def save(self, commit: bool = True) -> Any:
        """Save the new password, which ends the user's sessions, and close their sockets."""
        user = super().save(commit)
        user_access_recheck(user_id=user.pk)
        return user


@admin.register(User)
class UserAdmin(_UserPage, ConsoleAdmin):
    form = PersonChangeForm
    add_form = PersonAddForm
    change_password_form = PersonPasswordForm
    list_display = ("email", "name", "shown_state", "last_login", "created_at")
    list_filter = ("is_staff", "is_superuser", "is_active")
    search_fields = ("email", "name")
    search_help_text = "Search by id, email or name"
    ordering = ("-id",)
    inlines = (MembershipOfUser,)
    readonly_fields = ("last_login", "created_at", "related")
    fieldsets = (
        (None, {"fields": (("email", "name"), "password", "related")}),
        ("Access", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Record", {"fields": (("created_at", "last_login"),)}),
    )
    add_fieldsets = ((None, {"fields": ("email", "name", "usable_password", "password1", "password2")}),)

    def label(self, row: User) -> str:
        return row.email

    @column("state", tones=PERSON_TONES)
    def shown_state(self, row: User) -> str:
        if not row.is_active:
            return "off"
        return "operator" if row.is_staff else "person"

    @column("open")
    def related(self, row: User) -> SafeString:
        return link_row(
            [
                (list_url("conversations.Conversation", owner__id__exact=row.pk), "conversations"),
                (list_url("memory.UserMemory", user__id__exact=row.pk), "user memories"),
                (list_url("memory.MemNode", owner__id__exact=row.pk), "memory tree"),
                (list_url(ApiKey, user__id__exact=row.pk), "API keys"),
                (list_url(OperatorAccess, user__id__exact=row.pk), "operator accesses"),
            ]
        )

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Only superusers can grant permissions."""
        rights = () if request.user.is_superuser else RIGHTS
        return (*super().get_readonly_fields(request, obj), *rights)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        stronger = obj is not None and obj.is_superuser and not request.user.is_superuser
        return not stronger and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Users are deactivated instead of deleted, so that their records remain attributed."""
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if "email" in form.changed_data:
            # allauth stores its own addresses for sign-in; the old one must stop working.
            EmailAddress.objects.filter(user=obj).delete()
        if "is_active" in form.changed_data:
            user_access_recheck(user_id=obj.pk)

    def cards(self) -> Iterable[Card]:
        active, staff = User.objects.filter(is_active=True).count(), User.objects.filter(is_staff=True).count()
        yield Card(
            "In use", "People", f"{active:,}", f"{staff:,} of them operators", list_url(User, is_active__exact=1)
        )


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, ConsoleAdmin):
    """Groups of permissions for operators, such as read-only access."""

    list_display = ("name",)
    search_fields = ("name",)
    search_help_text = "Search by name"
    id_search = ()
    ordering = ("name",)
    fixed_fields = ()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.is_superuser

    has_add_permission = has_delete_permission = has_change_permission


@admin.register(ApiKey)
class ApiKeyAdmin(ConsoleAdmin):
    """API keys, to rename and revoke. Secrets are shown only once, by the API, to the key's owner."""

    list_display = ("shown_key", "name", "shown_state", "scopes", "user_link", "workspace_link", "last_used_at")
    list_filter = (is_set("revoked_at", "revoked"), BY_WORKSPACE)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id")
    search_fields = ("prefix", "name", "user__email")
    search_help_text = "Search by id, prefix, name or email"
    actions = ("revoke",)
    readonly_fields = (
        *("shown_key", "shown_state", "scopes", "user_link", "workspace_link"),
        *("created_at", "last_used_at", "expires_at", "revoked_at"),
    )
    fieldsets = (
        (None, {"fields": ("name", ("shown_key", "shown_state"), "scopes", ("user_link", "workspace_link"))}),
        ("Times", {"fields": (("created_at", "last_used_at"), ("expires_at", "revoked_at"))}),
    )
    user_link = link_column("user", "acts for")
    workspace_link = link_column("workspace")

    @column("key", order="prefix")
    def shown_key(self, row: ApiKey) -> str:
        return str(row)

    @column("state", order="revoked_at", tones=KEY_TONES)
    def shown_state(self, row: ApiKey) -> str:
        if row.revoked_at is not None:
            return "revoked"
        return "expired" if row.expires_at is not None and row.expires_at <= timezone.now() else "active"

    @admin.action(description="Revoke", permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        rows = list(queryset.filter(revoked_at=None))
        ApiKey.objects.filter(pk__in=[row.pk for row in rows]).update(revoked_at=timezone.now())
        for row in rows:
            publish(AccessRevoked(workspace_id=row.workspace_id, user_id=row.user_id, key_id=row.id))
        self.message_user(request, f"{counted(len(rows), 'key')} revoked.")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
