"""Endpoints of long-running operations: progress and outcome."""

from __future__ import annotations

from uuid import UUID

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.api.framework.event_streams import EVENT_STREAM, event_stream
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import Input, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.jobs.operation_events import OperationReader, operation_frames
from apps.api.jobs.operation_serializers import OperationSerializer
from apps.api.openapi.auto_schema import PAGING
from apps.common.tenancy import workspace
from apps.jobs.selectors import operation_get, operation_list

_EVENTS = (
    "`progress` whenever the operation has changed, then `done` or `failed`, each with the operation as data. "
    "`revoked` {code, detail} ends the stream of a reader who lost access. Comments are sent in between."
)


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


class OperationEventsView(WorkspaceView):
    unit = False  # short transactions instead of one as long as the stream

    @extend_schema(responses={(200, EVENT_STREAM): OpenApiResponse(OpenApiTypes.ANY, description=_EVENTS)})
    def get(self, request: ApiRequest, operation_id: UUID) -> StreamingHttpResponse:
        """Follow an operation

        Streams the operation's progress as server-sent events, beginning with its current state. A stream ends after
        ten minutes, or when the server restarts: then connect again.
        """
        with workspace(request.actor.workspace_id):
            operation = operation_get(request.actor, operation_id)
        session_key = None if request.key_holder else request.session.session_key
        return event_stream(operation_frames(OperationReader(request.actor, session_key, operation_id), operation))
