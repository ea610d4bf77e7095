"""Request and response serializers of invitations."""

from __future__ import annotations

from rest_framework import serializers

from apps.accounts.records import ROLES_OF_MEMBERS, InvitationRecord
from apps.api.framework.serializers import Choice, Email, Input, OutputSerializer, Text

_SECRET_LENGTH = 64


class InvitationInput(Input):
    email = Email(max_length=254)
    role = Choice(choices=ROLES_OF_MEMBERS, default="member")


class InvitationSecretInput(Input):
    secret = Text(max_length=_SECRET_LENGTH, help_text="The last part of the link, after `/join/`.")


class InvitationSerializer(OutputSerializer[InvitationRecord]):
    id = serializers.UUIDField()
    email = serializers.EmailField()
    role = serializers.ChoiceField(choices=ROLES_OF_MEMBERS)
    invited_by = serializers.CharField(help_text="The name of the person who sent it.")
    expires_at = serializers.DateTimeField()
    created_at = serializers.DateTimeField()


class NewInvitationSerializer(InvitationSerializer):
    secret = serializers.CharField(
        help_text="The last part of the link `/join/<secret>`, to pass on. It is returned only once."
    )


class InvitationPreviewSerializer(OutputSerializer[InvitationRecord]):
    workspace_name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES_OF_MEMBERS)
    invited_by = serializers.CharField(help_text="The name of the person who sent it.")
    expires_at = serializers.DateTimeField()
