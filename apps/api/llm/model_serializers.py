"""What the addresses of models take and give. A key is taken and never given."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.framework.serializers import Changes, Choice, Input, OutputSerializer, Text
from apps.llm.providers.base import CHOOSABLE
from apps.llm.routing.model_selection import KEY_SOURCES, Found, FoundKey, ModelChoice, State
from apps.llm.routing.providers import PROVIDER_IDS
from apps.llm.selectors.model_settings import ModelsRecord
from apps.llm.services.provider_keys import KeyTest

NAME_LENGTH = 120
KEY_LENGTH = 500
ADDRESS_LENGTH = 300
BACKENDS = list(PROVIDER_IDS)


class ByPurposeInput(Changes):
    """Names of models; null leaves one to the installation."""

    chat = Text(max_length=NAME_LENGTH, required=False, allow_null=True)
    compaction = Text(max_length=NAME_LENGTH, required=False, allow_null=True)
    extraction = Text(max_length=NAME_LENGTH, required=False, allow_null=True)
    merge = Text(max_length=NAME_LENGTH, required=False, allow_null=True)
    intent = Text(max_length=NAME_LENGTH, required=False, allow_null=True)


class ModelsInput(Changes):
    backend = Choice(choices=BACKENDS, required=False, allow_null=True, help_text="Null leaves it to the installation.")
    by_purpose = ByPurposeInput(required=False)


class ModelTestInput(Input):
    backend = Choice(choices=BACKENDS)
    key = Text(max_length=KEY_LENGTH, required=False, help_text="Absent: the one that would be used.")
    base_url = Text(max_length=ADDRESS_LENGTH, required=False, help_text="For `compatible` alone.")


class ProviderKeyInput(Input):
    key = Text(max_length=KEY_LENGTH)
    base_url = Text(max_length=ADDRESS_LENGTH, required=False, help_text="For `compatible` alone.")


class ByPurposeSerializer(OutputSerializer[Any]):
    chat = serializers.CharField(allow_null=True)
    compaction = serializers.CharField(allow_null=True)
    extraction = serializers.CharField(allow_null=True)
    merge = serializers.CharField(allow_null=True)
    intent = serializers.CharField(allow_null=True)


class ModelChoiceSerializer(OutputSerializer[ModelChoice]):
    purpose = serializers.ChoiceField(choices=CHOOSABLE)
    backend = serializers.ChoiceField(choices=BACKENDS)
    label = serializers.CharField(help_text="The provider's name for people.")  # type: ignore[assignment]  # a field may have this name
    model = serializers.CharField()
    configured = serializers.BooleanField(help_text="False where the offline part answers.")
    because = serializers.CharField(help_text="A sentence.")
    refused = serializers.CharField(
        help_text="`no_price`: what models may cost is limited, and nobody knows what this one does; else empty."
    )


class ModelKeySerializer(OutputSerializer[FoundKey]):
    last_four = serializers.CharField(help_text="Empty for a short key.")
    source = serializers.ChoiceField(choices=KEY_SOURCES)  # type: ignore[assignment]  # a field may have this name
    tested_at = serializers.DateTimeField(allow_null=True)


class FoundBackendSerializer(OutputSerializer[Found]):
    backend = serializers.ChoiceField(choices=BACKENDS)
    label = serializers.CharField(help_text="The provider's name for people.")  # type: ignore[assignment]  # a field may have this name
    takes_key = serializers.BooleanField(help_text="Whether it can be called with a key of the workspace's own.")
    takes_address = serializers.BooleanField(help_text="Whether that key comes with the address it is for.")
    state = serializers.ChoiceField(choices=list(State))
    told = serializers.CharField(help_text="A sentence.")
    base_url = serializers.CharField(help_text="Where the workspace's own key is sent; for its administrators alone.")
    key = ModelKeySerializer(allow_null=True, help_text="The workspace's own; for its administrators alone.")
    models = serializers.ListField(
        child=serializers.CharField(), help_text="As far as they are known, 50 at most; for administrators alone."
    )


class ModelsSerializer(OutputSerializer[ModelsRecord]):
    version = serializers.IntegerField()
    backend = serializers.ChoiceField(choices=BACKENDS, allow_null=True, help_text="Null: the installation chooses.")
    by_purpose = ByPurposeSerializer()
    local_allowed = serializers.BooleanField(help_text="May use the server's own Claude CLI and Ollama.")
    chosen = ModelChoiceSerializer(many=True)
    found = FoundBackendSerializer(many=True)


class KeyTestSerializer(OutputSerializer[KeyTest]):
    ok = serializers.BooleanField()
    code = serializers.CharField(help_text="`accepted`, or what is wrong; stable.")
    detail = serializers.CharField(help_text="A sentence.")
    models = serializers.ListField(child=serializers.CharField(), help_text="Those that the key may use, 50 at most.")
    latency_ms = serializers.IntegerField()
