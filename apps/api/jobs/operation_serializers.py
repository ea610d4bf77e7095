"""Response serializer of operations."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.framework.serializers import OutputSerializer
from apps.jobs.records import OperationView

OPERATION_STATES = ("queued", "running", "succeeded", "failed")


@extend_schema_field({"type": "object", "additionalProperties": {}})
class ObjectField(serializers.JSONField):
    """A JSON object with any fields."""


class OperationSerializer(OutputSerializer[OperationView]):
    id = serializers.UUIDField()
    kind = serializers.CharField()
    subject = serializers.CharField(help_text="Id of the object that the operation works on.")
    state = serializers.ChoiceField(choices=OPERATION_STATES)
    stage = serializers.CharField()
    progress = serializers.IntegerField(help_text="In percent.")
    result = ObjectField(allow_null=True, help_text="Set when it has succeeded; its fields depend on the kind.")
    error = ObjectField(allow_null=True, help_text="Set when it has failed: a `code` and a `detail`.")
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
