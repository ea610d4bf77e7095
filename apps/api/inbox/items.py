"""Endpoints that list what waits in the inbox and what was decided."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.api.framework.etags import versioned
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_query
from apps.api.framework.views import WorkspaceView
from apps.api.inbox.inputs import InboxParameters, inbox_query
from apps.api.inbox.serializers import InboxCountSerializer, InboxDecidedSerializer, InboxItemSerializer
from apps.api.openapi.auto_schema import PAGING
from apps.extraction.selectors.inbox import inbox_item_with_quotes, inbox_page_with_quotes
from apps.inbox.selectors.decided import decided_page
from apps.inbox.selectors.open_items import waiting_count


class InboxView(WorkspaceView):
    @extend_schema(parameters=[InboxParameters, *PAGING], responses=page_serializer(InboxItemSerializer))
    def get(self, request: ApiRequest) -> Response:
        """List the inbox

        Returns what waits for your decision: memories that are not in use until you approve them, and memories in use
        that may contradict each other. Each comes with its quotes, the memories that it may replace and those that mean
        nearly the same. Curators also decide about the team's memories.
        """
        query, part = inbox_query(read_query(InboxParameters, request.query_params)), window(request)
        page = inbox_page_with_quotes(request.actor, query, after=part.after, limit=part.limit)
        return page_response(request, page, InboxItemSerializer)


class InboxCountView(WorkspaceView):
    @extend_schema(responses=InboxCountSerializer)
    def get(self, request: ApiRequest) -> Response:
        """Count the inbox

        Returns how many items wait for your decision. The live event `memory_changed` says when to ask again.
        """
        return Response(InboxCountSerializer({"waiting": waiting_count(request.actor)}).data)


class InboxItemView(WorkspaceView):
    @extend_schema(responses=InboxItemSerializer)
    def get(self, request: ApiRequest, item_id: UUID) -> Response:
        """Get an item of the inbox

        Returns one item that waits for your decision.
        """
        item = inbox_item_with_quotes(request.actor, item_id)
        return versioned(request, InboxItemSerializer(item).data, item.memory.version)


class InboxDecidedView(WorkspaceView):
    @extend_schema(parameters=PAGING, responses=page_serializer(InboxDecidedSerializer))
    def get(self, request: ApiRequest) -> Response:
        """List decisions

        Returns what people decided about memories that waited, newest first, and whether it was undone.
        """
        part = window(request)
        return page_response(
            request, decided_page(request.actor, after=part.after, limit=part.limit), InboxDecidedSerializer
        )
