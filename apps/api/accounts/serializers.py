"""Request and response serializers of accounts, workspaces, members and API keys."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.password_validation import MinimumLengthValidator, get_default_password_validators
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.permissions import PERMISSIONS
from apps.accounts.records import (
    KEY_SCOPES,
    KNOWLEDGE_DEPTHS,
    LONGEST_END_USER_ID,
    ROLES,
    ROLES_OF_MEMBERS,
    ApiKeyRecord,
    ContextSettingsRecord,
    EndUserRecord,
    MemberRecord,
    UserRecord,
    WorkspaceRecord,
)
from apps.api.accounts.rules import CategorySerializer, MessageLimitsSerializer
from apps.api.framework.serializers import Changes, Choice, Email, Flag, Input, OutputSerializer, Text, TokenBudget
from apps.api.llm.usage_serializers import SpendingSerializer

NAME_LENGTH = 120
PASSWORD_LENGTH = 256
SHORTEST_PASSWORD = next(
    rule.min_length for rule in get_default_password_validators() if isinstance(rule, MinimumLengthValidator)
)


@extend_schema_field({"type": "string", "pattern": rf"^[\s\S]{{{SHORTEST_PASSWORD},}}$", "maxLength": PASSWORD_LENGTH})
class NewPassword(Text):
    """A password to set. The password validators refuse short ones, with codes of their own.

    The schema states the length as a pattern, because drf-spectacular sets `minLength` to 1.
    """

    def __init__(self) -> None:
        super().__init__(max_length=PASSWORD_LENGTH, trim_whitespace=False)


class SignUpInput(Input):
    email = Email(max_length=254)
    password = NewPassword()
    name = Text(max_length=NAME_LENGTH, required=False, allow_blank=True, default="")


class SignInInput(Input):
    email = Text(max_length=254)
    password = Text(max_length=PASSWORD_LENGTH, trim_whitespace=False)


class MeInput(Input):
    name = Text(max_length=NAME_LENGTH, required=False)
    workspace_id = serializers.UUIDField(required=False)
    tour_done = serializers.BooleanField(required=False)
    time_zone = Text(
        max_length=64,
        required=False,
        allow_blank=True,
        help_text="Name in the IANA database, in which days are counted; empty for UTC.",
    )


class WorkspaceInput(Input):
    name = Text(max_length=NAME_LENGTH)


class RoleInput(Input):
    role = Choice(choices=ROLES_OF_MEMBERS)


class ApiKeyInput(Input):
    name = Text(max_length=NAME_LENGTH)
    scopes = serializers.ListField(
        child=Choice(choices=KEY_SCOPES), min_length=1, max_length=len(KEY_SCOPES), default=["read", "write"]
    )
    expires_at = serializers.DateTimeField(required=False, allow_null=True, default=None)


class PolicyInput(Input):
    overrides = serializers.DictField(child=serializers.JSONField(allow_null=True))


class ContextSettingsInput(Changes):
    knowledge_depth = Choice(choices=KNOWLEDGE_DEPTHS, required=False)
    history_first = Flag(required=False)
    token_budget = TokenBudget(allow_null=True, help_text="`null` resets it to the workspace's budget.")
    remembers = Flag(required=False)


class UserSerializer(OutputSerializer[UserRecord]):
    id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()
    is_operator = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    tour_done = serializers.BooleanField(help_text="Whether the web app's tour was shown.")
    time_zone = serializers.CharField(help_text="Name in the IANA database; empty for UTC.")


class WorkspaceSerializer(OutputSerializer[WorkspaceRecord]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    created_at = serializers.DateTimeField()


class FeaturesSerializer(OutputSerializer[Any]):
    """Enabled features. A workspace can disable features but not enable those that the installation disables."""

    engine = serializers.BooleanField(help_text="Summaries, memory and compaction.")
    auto_compact = serializers.BooleanField()
    ui = serializers.BooleanField(help_text="The context pill and the drawer.")


class ChatModelSerializer(OutputSerializer[Any]):
    provider = serializers.CharField()
    model = serializers.CharField()
    configured = serializers.BooleanField(help_text="False if replies are composed without a model.")
    reason = serializers.CharField(help_text="Why this model is used, as a sentence.")


class MeSerializer(OutputSerializer[Any]):
    """`workspace`, `role`, `scopes`, `permissions`, `features` and `spending` are empty for a user without a
    workspace."""

    user = UserSerializer()
    memberships = WorkspaceSerializer(many=True)
    workspace = WorkspaceSerializer(allow_null=True)
    role = serializers.ChoiceField(choices=ROLES, allow_null=True)
    role_label = serializers.CharField(help_text="The display name of the role.")
    permissions = serializers.ListField(
        child=serializers.ChoiceField(choices=PERMISSIONS),
        help_text="Permissions in the workspace, from the caller's role and the scopes of their key.",
    )
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=KEY_SCOPES))
    features = FeaturesSerializer(allow_null=True)
    spending = SpendingSerializer(allow_null=True)
    chat_model = ChatModelSerializer()


class MemberSerializer(OutputSerializer[MemberRecord]):
    user_id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES_OF_MEMBERS)
    created_at = serializers.DateTimeField()


class EndUserQuery(Input):
    external_id = Text(
        max_length=LONGEST_END_USER_ID, required=False, default="", help_text="Only those whose ids begin with this."
    )


class EndUserSerializer(OutputSerializer[EndUserRecord]):
    id = serializers.UUIDField()
    external_id = serializers.CharField(help_text="The application's own id of its user.")
    created_at = serializers.DateTimeField()


class ApiKeySerializer(OutputSerializer[ApiKeyRecord]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    prefix = serializers.CharField()
    user_id = serializers.UUIDField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=KEY_SCOPES))
    expires_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class NewApiKeySerializer(ApiKeySerializer):
    secret = serializers.CharField(help_text="The complete key, to be sent with requests. It is returned only once.")


class PolicySerializer(OutputSerializer[Any]):
    version = serializers.IntegerField()
    effective = serializers.DictField(child=serializers.JSONField(), help_text="The values in effect.")
    overrides = serializers.DictField(
        child=serializers.JSONField(), help_text="The values that this workspace overrides."
    )
    installation = serializers.DictField(child=serializers.JSONField(), help_text="The installation's values.")
    limits = MessageLimitsSerializer()
    categories = CategorySerializer(many=True)


class ContextSettingsSerializer(OutputSerializer[ContextSettingsRecord]):
    version = serializers.IntegerField()
    knowledge_depth = serializers.ChoiceField(
        choices=KNOWLEDGE_DEPTHS, help_text="How much memory about your topics a pack contains."
    )
    history_first = serializers.BooleanField(help_text="In a long conversation, prefer its history over memory.")
    token_budget = serializers.IntegerField(
        allow_null=True, help_text="Token budget of your packs, unless the request or the conversation sets one."
    )
    remembers = serializers.BooleanField(
        help_text="Whether memories are made from your conversations. What is said while they are not is never read."
    )
