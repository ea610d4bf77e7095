"""What the account endpoints take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.accounts.permissions import PERMISSIONS
from apps.accounts.records import (
    KEY_SCOPES,
    KNOWLEDGE_DEPTHS,
    ROLES,
    ApiKeyRecord,
    ContextSettingsRecord,
    MemberRecord,
    NewApiKey,
    UserRecord,
    WorkspaceRecord,
)
from apps.api.accounts.rules import CategorySerializer, MessageLimitsSerializer
from apps.api.framework.serializers import Changes, Choice, Email, Flag, Input, OutputSerializer, Text, TokenBudget
from apps.api.llm.usage_serializers import SpendingSerializer

NAME_LENGTH = 120
PASSWORD_LENGTH = 256


class SignUpInput(Input):
    email = Email(max_length=254)
    password = Text(max_length=PASSWORD_LENGTH, trim_whitespace=False)
    name = Text(max_length=NAME_LENGTH, required=False, allow_blank=True, default="")


class SignInInput(Input):
    email = Text(max_length=254)
    password = Text(max_length=PASSWORD_LENGTH, trim_whitespace=False)


class MeInput(Input):
    name = Text(max_length=NAME_LENGTH, required=False)
    workspace_id = serializers.UUIDField(required=False)


class WorkspaceInput(Input):
    name = Text(max_length=NAME_LENGTH)


class MemberInput(Input):
    email = Email(max_length=254)
    role = Choice(choices=ROLES, default="member")


class RoleInput(Input):
    role = Choice(choices=ROLES)


class ApiKeyInput(Input):
    name = Text(max_length=NAME_LENGTH)
    scopes = serializers.ListField(child=Choice(choices=KEY_SCOPES), min_length=1, max_length=len(KEY_SCOPES))
    expires_at = serializers.DateTimeField(required=False, allow_null=True, default=None)


class PolicyInput(Input):
    overrides = serializers.DictField(child=serializers.JSONField(allow_null=True))


class ContextSettingsInput(Changes):
    knowledge_depth = Choice(choices=KNOWLEDGE_DEPTHS, required=False)
    history_first = Flag(required=False)
    token_budget = TokenBudget(allow_null=True, help_text="Null: the workspace's again.")


class UserSerializer(OutputSerializer[UserRecord]):
    id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()
    is_operator = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class WorkspaceSerializer(OutputSerializer[WorkspaceRecord]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    created_at = serializers.DateTimeField()


class FeaturesSerializer(OutputSerializer[Any]):
    """What is switched on; a workspace can only switch further off."""

    engine = serializers.BooleanField(help_text="Summaries, memory, compaction.")
    auto_compact = serializers.BooleanField()
    ui = serializers.BooleanField(help_text="The pill and the drawer.")


class ChatModelSerializer(OutputSerializer[Any]):
    provider = serializers.CharField()
    model = serializers.CharField()
    configured = serializers.BooleanField(help_text="False where replies are put together without a model.")
    because = serializers.CharField(help_text="Why it is this one, in a sentence.")


class MeSerializer(OutputSerializer[Any]):
    """`workspace`, `role`, `scopes`, `permissions`, `features` and `spending` are empty for somebody who belongs to no
    workspace."""

    user = UserSerializer()
    memberships = WorkspaceSerializer(many=True)
    workspace = WorkspaceSerializer(allow_null=True)
    role = serializers.ChoiceField(choices=ROLES, allow_null=True)
    role_label = serializers.CharField(help_text="The role's name for people.")
    permissions = serializers.ListField(
        child=serializers.ChoiceField(choices=PERMISSIONS),
        help_text="What the caller may do in the workspace, by their role and the scopes of their key.",
    )
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=KEY_SCOPES))
    features = FeaturesSerializer(allow_null=True)
    spending = SpendingSerializer(allow_null=True)
    chat_model = ChatModelSerializer()


class MemberSerializer(OutputSerializer[MemberRecord]):
    user_id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
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


class NewApiKeySerializer(OutputSerializer[NewApiKey]):
    key = ApiKeySerializer()
    secret = serializers.CharField(help_text="The whole key. It is shown this once.")


class PolicySerializer(OutputSerializer[Any]):
    version = serializers.IntegerField()
    effective = serializers.DictField(child=serializers.JSONField(), help_text="What holds.")
    overrides = serializers.DictField(child=serializers.JSONField(), help_text="What this workspace changed.")
    installation = serializers.DictField(child=serializers.JSONField(), help_text="What holds without that.")
    limits = MessageLimitsSerializer()
    categories = CategorySerializer(many=True)


class ContextSettingsSerializer(OutputSerializer[ContextSettingsRecord]):
    version = serializers.IntegerField()
    knowledge_depth = serializers.ChoiceField(
        choices=KNOWLEDGE_DEPTHS, help_text="How much of what is known of your topics a pack brings along."
    )
    history_first = serializers.BooleanField(
        help_text="In a long conversation, more of it rather than of what is known."
    )
    token_budget = serializers.IntegerField(
        allow_null=True, help_text="Of your packs, where neither the request nor the conversation says another."
    )
