"""Request and response serializers of pairings and paired clients."""

from __future__ import annotations

from typing import Any

from django.core.validators import RegexValidator
from rest_framework import serializers

from apps.accounts.records import PairedClientRecord, PairingRecord
from apps.api.framework.serializers import Input, OutputSerializer, Text

STATUSES = ("pending", "approved", "denied", "used")
# The approval page shows it: control characters and changes of the writing direction could disguise it.
_NO_CONTROLS = RegexValidator(
    r"^[^\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]*$", "Control characters are not allowed."
)
_CLIENT = RegexValidator(r"^[a-z0-9]+(-[a-z0-9]+)*$", "Use lowercase letters, digits and hyphens.")


class PairingInput(Input):
    client = Text(max_length=40, validators=[_CLIENT], help_text="The kind of client, such as `claude-code`.")
    name = Text(max_length=120, validators=[_NO_CONTROLS], help_text="The machine's host name.")
    version = Text(
        max_length=40,
        validators=[_NO_CONTROLS],
        required=False,
        allow_blank=True,
        default="",
        help_text="The client's.",
    )


class PairingTokenInput(Input):
    device_code = Text(max_length=64)


class NewPairingSerializer(OutputSerializer[Any]):
    device_code = serializers.CharField(help_text="The client's secret, to collect the key with.")
    user_code = serializers.CharField(help_text="Show it, for the person to compare with the page.")
    verification_url = serializers.CharField(help_text="The page where the person decides, without the host.")
    expires_in = serializers.IntegerField(help_text="Seconds until the codes expire.")
    interval = serializers.IntegerField(help_text="Seconds to wait between two polls.")
    server_id = serializers.UUIDField()


class PairingPendingSerializer(OutputSerializer[Any]):
    status = serializers.ChoiceField(choices=("pending",))


class NamedWorkspaceSerializer(OutputSerializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()


class NamedUserSerializer(OutputSerializer[Any]):
    id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()


class PairedKeySerializer(OutputSerializer[Any]):
    status = serializers.ChoiceField(choices=("approved",))
    api_key = serializers.CharField(help_text="The complete key. It is returned only once.")
    key_id = serializers.UUIDField()
    workspace = NamedWorkspaceSerializer()
    user = NamedUserSerializer()
    server_id = serializers.UUIDField()


class PairingSerializer(OutputSerializer[PairingRecord]):
    user_code = serializers.CharField()
    client = serializers.CharField()
    name = serializers.CharField(help_text="The machine's host name.")
    version = serializers.CharField()
    status = serializers.ChoiceField(choices=STATUSES)
    workspace_id = serializers.UUIDField(help_text="The workspace of the key.")
    workspace_name = serializers.CharField()
    requested_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class PairedClientSerializer(OutputSerializer[PairedClientRecord]):
    id = serializers.UUIDField()
    key_id = serializers.UUIDField()
    user_id = serializers.UUIDField()
    user_name = serializers.CharField(help_text="Who paired it.")
    client = serializers.CharField()
    name = serializers.CharField(help_text="The machine's host name.")
    version = serializers.CharField()
    paired_at = serializers.DateTimeField()
    last_event_at = serializers.DateTimeField(allow_null=True)
    last_event = serializers.CharField(help_text="The name of the last event. Empty before the first.")
    event_count = serializers.IntegerField()
    revoked_at = serializers.DateTimeField(allow_null=True)


class AgentTestSerializer(OutputSerializer[Any]):
    engine = serializers.ChoiceField(choices=("enabled", "disabled"), help_text="A disabled engine gives no context.")
    bytes = serializers.IntegerField(help_text="Of the text in UTF-8.")
    tokens = serializers.IntegerField()
    memories = serializers.IntegerField(help_text="Number of memories in the text.")
    ms = serializers.IntegerField(help_text="How long the server took to compose it.")
