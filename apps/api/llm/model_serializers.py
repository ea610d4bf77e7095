"""Request and response serializers of model settings and provider keys. Keys are write-only."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.framework.serializers import Changes, Choice, Input, OutputSerializer, Text
from apps.llm.providers.base import CHOOSABLE
from apps.llm.routing.model_selection import KEY_SOURCES, BackendStatus, ModelChoice, ResolvedKey, State
from apps.llm.routing.providers import PROVIDER_IDS
from apps.llm.selectors.model_settings import ModelsRecord
from apps.llm.services.provider_keys import KeyTest

NAME_LENGTH = 120
KEY_LENGTH = 500
ADDRESS_LENGTH = 300
BACKENDS = list(PROVIDER_IDS)


class ByPurposeInput(Changes):
    """Model names by purpose; null leaves the choice to the installation."""

    chat = Text(max_length=NAME_LENGTH, required=False, allow_null=True)
    compaction = Text(max_length=NAME_LENGTH, required=False, allow_null=True)
    extraction = Text(max_length=NAME_LENGTH, required=False, allow_null=True)
    merge = Text(max_length=NAME_LENGTH, required=False, allow_null=True)
    intent = Text(max_length=NAME_LENGTH, required=False, allow_null=True)


class ModelsInput(Changes):
    backend = Choice(
        choices=BACKENDS, required=False, allow_null=True, help_text="`null` leaves the choice to the installation."
    )
    by_purpose = ByPurposeInput(required=False)


class ModelTestInput(Input):
    backend = Choice(choices=BACKENDS)
    key = Text(max_length=KEY_LENGTH, required=False, help_text="Defaults to the key that would be used.")
    base_url = Text(max_length=ADDRESS_LENGTH, required=False, help_text="Only for `compatible`.")


class ProviderKeyInput(Input):
    key = Text(max_length=KEY_LENGTH)
    base_url = Text(max_length=ADDRESS_LENGTH, required=False, help_text="Only for `compatible`.")


class ByPurposeSerializer(OutputSerializer[Any]):
    chat = serializers.CharField(allow_null=True)
    compaction = serializers.CharField(allow_null=True)
    extraction = serializers.CharField(allow_null=True)
    merge = serializers.CharField(allow_null=True)
    intent = serializers.CharField(allow_null=True)


class ModelChoiceSerializer(OutputSerializer[ModelChoice]):
    purpose = serializers.ChoiceField(choices=CHOOSABLE)
    backend = serializers.ChoiceField(choices=BACKENDS)
    label = serializers.CharField(help_text="The display name of the provider.")  # type: ignore[assignment]  # a field may have this name
    model = serializers.CharField()
    configured = serializers.BooleanField(help_text="False if the built-in offline provider is used.")
    reason = serializers.CharField(help_text="A sentence.")
    refused = serializers.CharField(
        help_text="`no_price`: spending is limited and the model's price is unknown; otherwise empty."
    )


class ModelKeySerializer(OutputSerializer[ResolvedKey]):
    last_four = serializers.CharField(help_text="The last four characters; empty for a short key.")
    source = serializers.ChoiceField(choices=KEY_SOURCES)  # type: ignore[assignment]  # a field may have this name
    tested_at = serializers.DateTimeField(allow_null=True)


class ProviderStatusSerializer(OutputSerializer[BackendStatus]):
    backend = serializers.ChoiceField(choices=BACKENDS)
    label = serializers.CharField(help_text="The display name of the provider.")  # type: ignore[assignment]  # a field may have this name
    takes_key = serializers.BooleanField(help_text="Whether the workspace can store its own key for it.")
    takes_address = serializers.BooleanField(help_text="Whether a key requires a base URL.")
    state = serializers.ChoiceField(choices=list(State))
    detail = serializers.CharField(help_text="A sentence.")
    base_url = serializers.CharField(help_text="Base URL of the workspace's own key; visible to administrators.")
    key = ModelKeySerializer(allow_null=True, help_text="The workspace's own key; visible to administrators.")
    models = serializers.ListField(
        child=serializers.CharField(), help_text="Known models, at most 50; visible to administrators."
    )


class ModelsSerializer(OutputSerializer[ModelsRecord]):
    version = serializers.IntegerField()
    backend = serializers.ChoiceField(
        choices=BACKENDS, allow_null=True, help_text="`null` if the installation chooses."
    )
    by_purpose = ByPurposeSerializer()
    local_allowed = serializers.BooleanField(help_text="Whether the server's Claude CLI and Ollama may be used.")
    chosen = ModelChoiceSerializer(many=True)
    providers = ProviderStatusSerializer(many=True)


class KeyTestSerializer(OutputSerializer[KeyTest]):
    ok = serializers.BooleanField()
    code = serializers.CharField(help_text="`accepted`, or a stable error code.")
    detail = serializers.CharField(help_text="A sentence.")
    models = serializers.ListField(child=serializers.CharField(), help_text="Models that the key can use, at most 50.")
    latency_ms = serializers.IntegerField()
