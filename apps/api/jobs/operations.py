"""Endpoints of long-running operations: progress and outcome."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import Input, OutputSerializer, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import PAGING
from apps.jobs.records import OperationView
from apps.jobs.selectors import operation_get, operation_list

OPERATION_STATES = ("queued", "running", "succeeded", "failed")


class OperationSerializer(OutputSerializer[OperationView]):
    id = serializers.UUIDField()
    kind = serializers.CharField()
    subject = serializers.CharField(help_text="Id of the object that the operation works on.")
    state = serializers.ChoiceField(choices=OPERATION_STATES)
    stage = serializers.CharField()
    progress = serializers.IntegerField(help_text="In percent.")
    result = serializers.JSONField(allow_null=True)
    error = serializers.JSONField(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class OperationQuery(Input):
    subject = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)


class OperationsView(WorkspaceView):
    @extend_schema(parameters=[OperationQuery, *PAGING], responses=page_serializer(OperationSerializer))
    def get(self, request: ApiRequest) -> Response:
        """List operations

        Returns long-running operations, newest first; `subject` limits them to those on one object.
        """
        part = window(request)
        query = read_query(OperationQuery, request.query_params)
        page = operation_list(request.actor, after=part.after, limit=part.limit, subject=query["subject"])
        return page_response(request, page, OperationSerializer)


class OperationDetailView(WorkspaceView):
    @extend_schema(responses=OperationSerializer)
    def get(self, request: ApiRequest, operation_id: UUID) -> Response:
        """Get an operation

        Returns one operation. Poll it until `finished_at` is set.
        """
        return Response(OperationSerializer(operation_get(request.actor, operation_id)).data)
