"""Users, workspaces, API keys, workspace policies, and per-user context settings."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower

from apps.common.models import Identified, WorkspaceOwned
from apps.engine.pack.layers import Depth

END_USER_ID_LENGTH = 200


class Role(models.TextChoices):
    OWNER = "owner"
    ADMIN = "admin"
    CURATOR = "curator"
    AUDITOR = "auditor"
    MEMBER = "member"
    VIEWER = "viewer"
    END_USER = "end_user", "End user"
    """Of an application's users, who have no login: a key acts for them."""


MEMBER_ROLES = tuple(role for role in Role if role is not Role.END_USER)
"""The roles of people who sign in."""


class KeyScope(models.TextChoices):
    READ = "read", "read conversations, packs and memories"
    WRITE = "write", "write messages, pins and memories"
    ADMIN = "admin", "change the workspace: members, keys, policy"
    ACT_FOR_USERS = "act_for_users", "act for the users of an application"


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=email.lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str, **fields: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=(username or "").lower())


class User(Identified, AbstractBaseUser, PermissionsMixin):
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField("operator", default=False, help_text="May use the console over all workspaces.")
    tour_done = models.BooleanField(default=False, db_default=False, help_text="Whether they have seen the tour.")
    time_zone = models.CharField(
        max_length=64, blank=True, default="", db_default="", help_text="Name in the IANA database; UTC if empty."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(Lower("email"), name="user_email_any_case")]

    def __str__(self) -> str:
        return self.email


class Workspace(Identified):
    name = models.CharField(max_length=120)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Membership(Identified):
    workspace = models.ForeignKey(Workspace, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    chosen_at = models.DateTimeField(null=True, blank=True, help_text="When the person last switched to it.")
    end_user_digest = models.CharField(
        max_length=64, null=True, editable=False, help_text="Of the id that an application gives its user."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "user"], name="membership_once"),
            models.UniqueConstraint(fields=["workspace", "end_user_digest"], name="membership_end_user_once"),
            models.CheckConstraint(
                condition=models.Q(role=Role.END_USER, end_user_digest__isnull=False)
                | (~models.Q(role=Role.END_USER) & models.Q(end_user_digest=None)),
                name="membership_end_user_has_digest",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.user_id} of {self.workspace_id}"


class Invitation(Identified):
    """An invitation of an email address to a workspace. Only a SHA-256 of the link's secret is stored."""

    workspace = models.ForeignKey(Workspace, models.CASCADE, related_name="invitations")
    email = models.EmailField()
    role = models.CharField(max_length=10, choices=[(role.value, role.label) for role in MEMBER_ROLES])
    invited_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was accepted, declined, revoked or replaced."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["workspace", "email"], condition=models.Q(ended_at=None), name="invitation_pending_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.role} invited to {self.workspace_id}"


class ApiKey(Identified):
    """An API key `ck_<prefix>_<secret>`. Only the prefix and a SHA-256 of the whole key are stored."""

    workspace = models.ForeignKey(Workspace, models.CASCADE, related_name="api_keys")
    user = models.ForeignKey(User, models.CASCADE, related_name="api_keys", help_text="Whom the key acts for.")
    name = models.CharField(max_length=120)
    prefix = models.CharField(max_length=12, unique=True)
    digest = models.CharField(max_length=64, editable=False)
    scopes = ArrayField(models.CharField(max_length=20, choices=KeyScope))
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"ck_{self.prefix}…"


class EndUser(WorkspaceOwned):
    """A person who uses an application that has a key, by the id that the application gives them."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    external_id = models.CharField(max_length=END_USER_ID_LENGTH, db_collation="C")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "external_id"], name="end_user_once"),
            models.UniqueConstraint(fields=["workspace", "user"], name="end_user_account_once"),
        ]

    def __str__(self) -> str:
        return self.external_id


class PairingStatus(models.TextChoices):
    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"
    USED = "used"


class Pairing(Identified):
    """A client's request for a key, which a person decides on in the browser by its user code.

    Its device code is stored only as a SHA-256. The key is created when the client collects it.
    """

    user_code = models.CharField(max_length=8, unique=True)
    device_digest = models.CharField(max_length=64, unique=True, editable=False)
    client = models.CharField(max_length=40)
    name = models.CharField(max_length=120, help_text="The machine's host name.")
    version = models.CharField(max_length=40, blank=True)
    status = models.CharField(max_length=8, choices=PairingStatus, default=PairingStatus.PENDING)
    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="+", help_text="Who decided.")
    workspace = models.ForeignKey(Workspace, models.CASCADE, null=True, related_name="+")
    expires_at = models.DateTimeField(db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.status} pairing {self.pk}"


class PairedClient(WorkspaceOwned):
    """A client with an API key of its own, and the last event that it sent."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    api_key = models.ForeignKey(ApiKey, models.CASCADE, related_name="+", db_index=False)
    client = models.CharField(max_length=40)
    name = models.CharField(max_length=120, help_text="The machine's host name.")
    version = models.CharField(max_length=40, blank=True)
    paired_at = models.DateTimeField(auto_now_add=True)
    last_event_at = models.DateTimeField(null=True)
    last_event = models.CharField(max_length=60, blank=True)
    event_count = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "api_key"], name="paired_client_key_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["workspace", "user", "-id"], name="paired_client_newest")]


class Installation(Identified):
    """The one row whose id identifies this server to its clients."""

    only = models.BooleanField(default=True, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=models.Q(only=True), name="installation_once")]

    def __str__(self) -> str:
        return f"installation {self.pk}"


class WorkspacePolicy(WorkspaceOwned):
    """The workspace's overrides of the installation's policy."""

    overrides = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "workspace policies"
        constraints: ClassVar = [models.UniqueConstraint(fields=["workspace"], name="workspace_policy_once")]


class ContextSettings(WorkspaceOwned):
    """A member's settings for their own context packs; without a row the workspace's defaults apply."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    knowledge_depth = models.CharField(
        max_length=8, choices=[(depth.value, depth.value) for depth in Depth], default=Depth.STANDARD.value
    )
    history_first = models.BooleanField(default=False)
    token_budget = models.PositiveIntegerField(null=True, blank=True, help_text="Empty: the workspace's.")
    remembers = models.BooleanField(
        default=True, db_default=True, help_text="Whether memories are made from their conversations."
    )
    version = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "context settings"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "user"], name="context_settings_once"),
        ]


class IdempotencyKey(WorkspaceOwned):
    """The stored response to a POST, replayed for identical requests for a day."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=255)
    request_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.JSONField(null=True)
    headers = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "user", "key"], name="idempotency_key_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["workspace", "created_at"], name="idempotency_key_age")]


class OperatorAccess(Identified):
    """Audit record of an operator's access to all workspaces; the application never changes or deletes it."""

    user = models.ForeignKey(User, models.PROTECT, null=True, related_name="+", help_text="Empty for a command.")
    reason = models.CharField(max_length=300)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "operator accesses"
        indexes: ClassVar = [models.Index(fields=["-created_at"], name="operator_access_newest")]

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d %H:%M} {self.reason}"
