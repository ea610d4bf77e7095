"""Make memories from a conversation, and list what was found in it."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.selectors import policy_for_workspace
from apps.api.conversations.serializers import NoInput
from apps.api.extraction.serializers import (
    CandidateSerializer,
    CandidatesQuery,
    ExtractedMemoriesQuery,
    ExtractedMemorySerializer,
    ExtractionStateSerializer,
)
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.jobs.operation_response import operation_response
from apps.api.jobs.operation_serializers import OperationSerializer
from apps.api.openapi.auto_schema import PAGING
from apps.api.openapi.documented_errors import error_responses
from apps.extraction.selectors.candidates import candidate_list
from apps.extraction.selectors.extracted_memories import extracted_memories
from apps.extraction.selectors.state import extraction_state
from apps.extraction.services.request import extraction_request

TEMPORARY = (409, "temporary", "A temporary chat learns nothing.")


class ExtractionView(WorkspaceView):
    @extend_schema(responses=ExtractionStateSerializer)
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Get the state of extraction

        Returns how far the conversation was read for memories, what switches that off, and the counts of the last run.
        """
        state = extraction_state(request.actor, conversation_id, policy=policy_for_workspace())
        return Response(ExtractionStateSerializer(state).data)

    @extend_schema(request=None, responses={202: OperationSerializer, **error_responses(TEMPORARY)})
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Make memories from a conversation

        Reads the messages that were not read before and stores what their authors state about themselves and their
        work, each memory with the quote that it comes from. Only the owner can ask for it. What other people say waits
        for your decision. Assistants, tools, quotations, code and `<private>` parts are no sources. While a run is
        open, another request returns it.

        This happens automatically when a conversation pauses. Ask for it to have it at once, or once while you have
        switched it off.

        The operation's result counts the messages and what was `created`, `proposed`, `replaced`, `outdated`, `merged`,
        `known`, `deleted` and `refused`; `reason` says why nothing was stored: `nothing_new`, `nothing_found`,
        `all_known`, `all_refused` or `switched_off`, and `model_unavailable` why rules read without a model.
        """
        read_body(NoInput, request.data)
        operation = extraction_request(request.actor, conversation_id=conversation_id, policy=policy_for_workspace())
        return operation_response(operation)


class ExtractionCandidatesView(WorkspaceView):
    @extend_schema(parameters=[CandidatesQuery, *PAGING], responses=page_serializer(CandidateSerializer))
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """List what was found in a conversation

        Returns the quotes that became memories or were refused, with the reason, newest first.
        """
        part = window(request)
        outcome = read_query(CandidatesQuery, request.query_params)["outcome"]
        page = candidate_list(request.actor, conversation_id, outcome=outcome, after=part.after, limit=part.limit)
        return page_response(request, page, CandidateSerializer)


class ConversationMemoriesView(WorkspaceView):
    @extend_schema(parameters=[ExtractedMemoriesQuery, *PAGING], responses=page_serializer(ExtractedMemorySerializer))
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """List the memories of a conversation

        Returns the memories that were found in your conversation's messages, as they are now, in the order of the
        messages. Undo a memory with its `change_id`.
        """
        part = window(request)
        from_index = read_query(ExtractedMemoriesQuery, request.query_params)["from_index"]
        page = extracted_memories(
            request.actor, conversation_id, from_index=from_index, after=part.after, limit=part.limit
        )
        return page_response(request, page, ExtractedMemorySerializer)
