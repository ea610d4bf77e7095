"""Conversations: create, list, rename, archive, fork."""

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
from apps.api.framework.etags import expected_version, version_if_named, versioned
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import IF_MATCH, MAY_MATCH, PAGING
from apps.api.openapi.documented_errors import error_responses
from apps.conversations.records import ConversationRecord
from apps.conversations.selectors.conversations import conversation_get, conversation_list
from apps.conversations.services.conversations import ConversationChange, conversation_ensure, conversation_update
from apps.turns.services.delete import conversation_delete
from apps.turns.services.fork import conversation_fork

TURN_RUNNING = (409, "turn_running", "A reply is being written. Stop it, or wait until it ends.")
NO_SUCH_INDEX = (422, "no_such_index", "The conversation has no message at this index.")


class ConversationsView(WorkspaceView):
    @extend_schema(parameters=[ConversationQuery, *PAGING], responses=page_serializer(ConversationSerializer))
    def get(self, request: ApiRequest) -> Response:
        """List conversations

        Returns your conversations and those shared with you, most recently active first.
        """
        part = window(request)
        archived = read_query(ConversationQuery, request.query_params)["archived"]
        page = conversation_list(request.actor, after=part.after, limit=part.limit, archived=archived)
        return page_response(request, page, ConversationSerializer)

    @extend_schema(request=ConversationInput, responses={201: ConversationSerializer, 200: ConversationSerializer})
    def post(self, request: ApiRequest) -> Response:
        """Create a conversation

        Creates a conversation. If one of your conversations already has the given `external_id`, that one is
        returned with status 200.
        """
        row, is_new = conversation_ensure(request.actor, **read_body(ConversationInput, request.data))
        return answer(request, row, status=201 if is_new else 200)


class ConversationDetailView(WorkspaceView):
    @extend_schema(responses=ConversationSerializer)
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Get a conversation

        Returns one conversation with its message and token counts.
        """
        return answer(request, conversation_get(request.actor, conversation_id))

    @extend_schema(request=ConversationChanges, responses=ConversationSerializer, parameters=IF_MATCH)
    def patch(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Update a conversation

        Changes the title, the system prompt, the token budget, whether memories are made from it or whether private
        memories are used although others read it, or archives or unarchives the conversation. Messages stored while
        no memories are made are not read later either.
        """
        change = ConversationChange(**read_body(ConversationChanges, request.data))
        version = expected_version(request)
        row = conversation_update(request.actor, conversation_id=conversation_id, change=change, version=version)
        return answer(request, row)

    @extend_schema(responses={204: None, **error_responses(TURN_RUNNING)}, parameters=MAY_MATCH)
    def delete(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Delete a conversation

        Deletes the conversation permanently, with its messages, summaries and pins. Only its owner can. Forks and
        memories that came from it stay, and a repeated import does not bring it back.
        """
        conversation_delete(request.actor, conversation_id=conversation_id, version=version_if_named(request))
        return Response(status=204)


class ConversationForkView(WorkspaceView):
    @extend_schema(request=ForkInput, responses={201: ConversationSerializer, **error_responses(NO_SUCH_INDEX)})
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Fork a conversation

        Creates a conversation that you own from the messages up to an index, with their pins and the summary as
        of that message.
        """
        values = read_body(ForkInput, request.data)
        return answer(request, conversation_fork(request.actor, conversation_id=conversation_id, **values), status=201)


def answer(request: ApiRequest, row: ConversationRecord, *, status: int = 200) -> Response:
    """Respond with the conversation and its ETag, and with its address if it was created."""
    response = versioned(request, ConversationSerializer(row).data, row.version, status=status)
    if request.method == "POST":
        response["Location"] = f"/api/conversations/{row.id}"
    return response
