"""Request and response serializers of memory exports and imports."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.framework.memory_uris import AddressText
from apps.api.framework.serializers import Choice, Input, Text
from apps.api.memory.bulk import AnyItem
from apps.api.memory.node_inputs import ReasonInput
from apps.api.memory.node_serializers import TRUSTS, MemorySourceNameSerializer
from apps.memory.services.bulk.export import FORMAT, FORMAT_VERSION

MARKDOWN, JSON = "markdown", "json"
FILE_FORMATS = (FORMAT,)
CONFIRMED = (
    "The person has seen what is imported and says that it is their own. Otherwise its memories wait in the inbox."
)


class ExportQuery(Input):
    uri = AddressText(help_text="Address at which to start.")
    format = Choice(choices=(MARKDOWN, JSON), required=False, default=MARKDOWN)


class ImportQuery(ReasonInput):
    at = AddressText(
        required=False,
        default=None,
        help_text="Import below this address, without the common prefix of the memories' own addresses.",
    )
    dry_run = serializers.BooleanField(required=False, default=False, help_text="Only report what the import would do.")
    confirmed = serializers.BooleanField(required=False, default=False, help_text=CONFIRMED)


class FileNodeSerializer(serializers.Serializer[Any]):
    """A memory in an export file; empty fields may be absent."""

    uri = serializers.CharField()
    directory = serializers.BooleanField(required=False)
    shared = serializers.BooleanField(required=False)
    content = serializers.CharField(required=False)
    abstract = serializers.CharField(required=False, help_text="Only if a person wrote it.")
    overview = serializers.CharField(required=False)
    tags = serializers.ListField(child=serializers.CharField(), required=False)
    trust = serializers.ChoiceField(choices=TRUSTS, required=False, help_text="An import can only lower the trust.")
    occurred_at = serializers.DateTimeField(required=False)
    sources = MemorySourceNameSerializer(many=True, required=False)


class FileSerializer(serializers.Serializer[Any]):
    format = serializers.ChoiceField(choices=FILE_FORMATS)
    version = serializers.IntegerField()
    root = serializers.CharField()  # type: ignore[assignment]  # the metaclass takes it
    nodes = FileNodeSerializer(many=True)


class ImportInput(Input):
    """The content of an export: either `nodes` or `markdown`."""

    format = Choice(choices=FILE_FORMATS, required=False)
    version = serializers.IntegerField(min_value=FORMAT_VERSION, max_value=FORMAT_VERSION, required=False)
    root = Text(required=False, help_text="Address that was exported; informational.")  # type: ignore[assignment]  # as above
    nodes = serializers.ListField(child=AnyItem(), required=False)
    markdown = Text(required=False, allow_blank=True, trim_whitespace=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("nodes" in attrs) == ("markdown" in attrs):
            raise serializers.ValidationError({"nodes": ["Give `nodes` or `markdown`."]}, code="required")
        return attrs
