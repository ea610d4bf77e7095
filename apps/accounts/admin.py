"""People and workspaces in the console; keys can only be revoked here, and the record of operators only be read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account.models import EmailAddress
from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from apps.accounts.models import (
    ApiKey,
    IdempotencyKey,
    Membership,
    OperatorAccess,
    User,
    Workspace,
    WorkspacePolicy,
)
from apps.accounts.selectors.policies import installation_policy, policy_effective
from apps.common.console import (
    BY_WORKSPACE,
    Card,
    ConsoleAdmin,
    ReadOnlyAdmin,
    StackInline,
    TableInline,
    TenantForm,
    choices,
    column,
    link_column,
    link_row,
    list_url,
    name_column,
)
from apps.engine.policy import PolicyError, policy_override

if TYPE_CHECKING:
    _UserPage = DjangoUserAdmin[User]  # generic for the checker alone
else:
    _UserPage = DjangoUserAdmin

KEY_TONES = {"in force": "success", "revoked": "danger", "expired": "warning"}
PERSON_TONES = {"operator": "primary", "switched off": "danger"}
RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")


class PolicyForm(TenantForm):
    """Refuses what no policy can hold, and counts a change as a new version."""

    class Meta:
        labels: ClassVar = {"overrides": "What this workspace changed"}
        help_texts: ClassVar = {"overrides": 'An object of constants by name, like {"recent_message_count": 30}.'}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "overrides" in self.fields:
            self.fields["overrides"].required = False

    def clean_overrides(self) -> dict[str, Any]:
        overrides = self.cleaned_data["overrides"]
        if overrides is None:
            return {}
        if not isinstance(overrides, dict):
            raise forms.ValidationError("This must be an object of constants by name.")
        try:
            policy_override(installation_policy(), overrides)
        except PolicyError as error:
            raise forms.ValidationError(f"{error.key} {error.reason}.") from error
        return overrides

    def save(self, commit: bool = True) -> Any:
        if self.has_changed() and not self.instance._state.adding:
            self.instance.version += 1
        return super().save(commit)


class MembershipOfWorkspace(TableInline):
    model = Membership
    fields = ("user", "role")
    autocomplete_fields = ("user",)
    verbose_name_plural = "Members"


class MembershipOfUser(TableInline):
    model = Membership
    fields = ("workspace", "role")
    autocomplete_fields = ("workspace",)
    verbose_name_plural = "Workspaces"


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
        yield Card("In use", "Workspaces", f"{count:,}", "all there are", list_url(Workspace))


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


@admin.register(User)
class UserAdmin(_UserPage, ConsoleAdmin):
    form = PersonChangeForm
    add_form = PersonAddForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("email", "name", "shown_state", "last_login", "created_at")
    list_filter = ("is_staff", "is_superuser", "is_active")
    search_fields = ("email", "name")
    search_help_text = "Search by id, e-mail or name"
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
            return "switched off"
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
        """Only a superuser hands out rights."""
        rights = () if request.user.is_superuser else RIGHTS
        return (*super().get_readonly_fields(request, obj), *rights)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        stronger = obj is not None and obj.is_superuser and not request.user.is_superuser
        return not stronger and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """People are switched off: what they did stays theirs."""
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if "email" in form.changed_data:
            # Signing in knows addresses of its own; the old one must not stay a way in.
            EmailAddress.objects.filter(user=obj).delete()

    def cards(self) -> Iterable[Card]:
        active, staff = User.objects.filter(is_active=True).count(), User.objects.filter(is_staff=True).count()
        yield Card(
            "In use", "People", f"{active:,}", f"{staff:,} of them operators", list_url(User, is_active__exact=1)
        )


@admin.register(Membership)
class MembershipAdmin(ConsoleAdmin):
    list_display = ("user_name", "role", "workspace_link", "created_at")
    list_filter = (choices("role"), BY_WORKSPACE)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id", "workspace_id")
    search_fields = ("user__email", "workspace__name")
    search_help_text = "Search by id, e-mail or workspace"
    autocomplete_fields = ("user", "workspace")
    fixed_fields = ("user", "workspace")
    fields = (("user", "workspace"), "role")
    user_name = name_column("user", "member")
    user_link = link_column("user")
    workspace_link = link_column("workspace")


@admin.register(ApiKey)
class ApiKeyAdmin(ConsoleAdmin):
    """A key's secret is shown once, to whom it belongs, by the API; here it can be named and revoked."""

    list_display = ("shown_key", "name", "shown_state", "scopes", "user_link", "workspace_link", "last_used_at")
    list_filter = (("revoked_at", admin.EmptyFieldListFilter), BY_WORKSPACE)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id")
    search_fields = ("prefix", "name", "user__email")
    search_help_text = "Search by id, prefix, name or e-mail"
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
        return "expired" if row.expires_at is not None and row.expires_at <= timezone.now() else "in force"

    @admin.action(description="Revoke, from the next request on", permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        count = queryset.filter(revoked_at=None).update(revoked_at=timezone.now())
        self.message_user(request, f"{count} keys revoked.")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


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
        ("What holds", {"fields": ("effective",)}),
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
        base, held = asdict(installation_policy()), asdict(policy_effective(row.overrides))
        constants = [(name, base[name], held[name], base[name] != held[name]) for name in base]
        return render_to_string("console/policy.html", {"constants": constants})


@admin.register(IdempotencyKey)
class IdempotencyKeyAdmin(ReadOnlyAdmin):
    """The stored answers themselves stay out of the console."""

    list_display = ("key", "status", "user_link", "workspace_link", "created_at")
    list_filter = (BY_WORKSPACE,)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id")
    search_fields = ("key",)
    search_help_text = "Search by id or key"
    fields = ("key", "status", "request_digest", "user_link", "workspace_link", "created_at")
    user_link = link_column("user")
    workspace_link = link_column("workspace")


@admin.register(OperatorAccess)
class OperatorAccessAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "who", "reason")
    list_select_related = ("user",)
    id_search = ("id", "user_id")
    search_fields = ("user__email", "reason")
    search_help_text = "Search by id, e-mail or reason"
    ordering = ("-created_at",)
    date_hierarchy = "created_at"
    fields = ("created_at", "who", "reason")

    @column("who", order="user__email")
    def who(self, row: OperatorAccess) -> str:
        return row.user.email if row.user else "a command"


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyAdmin):
    """Django's own record of what was changed in the console; it names rows and fields, never what they hold."""

    list_display = ("action_time", "user_link", "what", "object_repr", "get_change_message")
    list_select_related = ("user", "content_type")
    ordering = ("-action_time",)
    id_search = ("user_id",)
    search_fields = ("object_repr", "user__email")
    search_help_text = "Search by row or e-mail"
    fields = ("action_time", "user_link", "what", "object_repr", "get_change_message")
    user_link = link_column("user", "who")

    @column("what")
    def what(self, row: LogEntry) -> str:
        return f"{row.get_action_flag_display()}: {row.content_type.name if row.content_type else 'gone'}".lower()


admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, ConsoleAdmin):
    """Rights that several operators share, such as only to read."""

    list_display = ("name",)
    search_fields = ("name",)
    search_help_text = "Search by name"
    id_search = ()
    ordering = ("name",)
    fixed_fields = ()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.is_superuser

    has_add_permission = has_delete_permission = has_change_permission


for _model in [model for model in admin.site._registry if model._meta.app_label == "account"]:
    # Addresses are edited with their person.
    admin.site.unregister(_model)
