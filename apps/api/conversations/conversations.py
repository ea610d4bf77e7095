"""Conversations: made, listed, renamed, archived, forked."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.api.conversations.serializers import (
    ConversationChanges,
    ConversationInput,
    ConversationQuery,
    ConversationSerializer,
    ForkInput,
)
from apps.api.framework.etags import expected_version, versioned
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import IF_MATCH, PAGING
from apps.api.openapi.documented_errors import refusals
from apps.conversations.records import ConversationRecord
from apps.conversations.selectors.conversations import conversation_get, conversation_list
from apps.conversations.services.conversations import ConversationChange, conversation_ensure, conversation_update
from apps.turns.services.fork import conversation_fork

NO_SUCH_INDEX = (422, "no_such_index", "The conversation has no message at that place.")


class ConversationsView(WorkspaceView):
    @extend_schema(parameters=[ConversationQuery, *PAGING], responses=page_serializer(ConversationSerializer))
    def get(self, request: ApiRequest) -> Response:
        """One's own and those shared with one, the one in which something was last said first."""
        part = window(request)
        archived = read_query(ConversationQuery, request.query_params)["archived"]
        page = conversation_list(request.actor, after=part.after, limit=part.limit, archived=archived)
        return page_response(request, page, ConversationSerializer)

    @extend_schema(request=ConversationInput, responses={201: ConversationSerializer, 200: ConversationSerializer})
    def post(self, request: ApiRequest) -> Response:
        """Begin a conversation. With an `external_id` that one of yours has already, 200 and that one."""
        row, is_new = conversation_ensure(request.actor, **read_body(ConversationInput, request.data))
        return answer(request, row, status=201 if is_new else 200)


class ConversationDetailView(WorkspaceView):
    @extend_schema(responses=ConversationSerializer)
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """One conversation and its counts."""
        return answer(request, conversation_get(request.actor, conversation_id))

    @extend_schema(request=ConversationChanges, responses=ConversationSerializer, parameters=IF_MATCH)
    def patch(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Change the title, the system prompt or the budget, archive it or take it out of the archive."""
        change = ConversationChange(**read_body(ConversationChanges, request.data))
        version = expected_version(request)
        row = conversation_update(request.actor, conversation_id=conversation_id, change=change, version=version)
        return answer(request, row)


class ConversationForkView(WorkspaceView):
    @extend_schema(request=ForkInput, responses={201: ConversationSerializer, **refusals(NO_SUCH_INDEX)})
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """A conversation of one's own with the messages up to an index, their pins, and the summary as it was there."""
        values = read_body(ForkInput, request.data)
        return answer(request, conversation_fork(request.actor, conversation_id=conversation_id, **values), status=201)


def answer(request: ApiRequest, row: ConversationRecord, *, status: int = 200) -> Response:
    """The conversation with its ETag, and with its address where the request made it."""
    response = versioned(request, ConversationSerializer(row).data, row.version, status=status)
    if request.method == "POST":
        response["Location"] = f"/api/conversations/{row.id}"
    return response
