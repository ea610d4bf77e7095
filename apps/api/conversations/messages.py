"""Messages: append one or many, list in order, exclude and include."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.response import Response

from apps.agents.services.deletion import message_delete
from apps.api.conversations.conversations import TURN_RUNNING
from apps.api.conversations.message_serializers import (
    AppendedSerializer,
    ExclusionSerializer,
    ExclusionsInput,
    ExclusionsQuery,
    ExclusionsSerializer,
    MessageBatchInput,
    MessageChanges,
    MessageInput,
    MessageSerializer,
    MessagesQuery,
    message_draft,
)
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import PAGING
from apps.api.openapi.documented_errors import error_responses
from apps.context.selectors.conversation.exclusion_preview import exclusion_preview
from apps.conversations.records import MessageDraft
from apps.conversations.selectors.exclusions import exclusion_list
from apps.conversations.selectors.messages import message_get, message_list, messages_by_id
from apps.turns.services.messages import messages_set_excluded, messages_store

ARCHIVED = (409, "archived", "The conversation is archived. Unarchive it first.")
ONE_OR_MANY = PolymorphicProxySerializer(
    component_name="OneOrManyMessages", serializers=[MessageInput, MessageBatchInput], resource_type_field_name=None
)


class MessagesView(WorkspaceView):
    @extend_schema(parameters=[MessagesQuery, *PAGING], responses=page_serializer(MessageSerializer))
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """List messages

        Returns the messages in order, including compacted and excluded ones. Indexes have no gaps, so a page
        can start at any index.
        """
        part, query = window(request), read_query(MessagesQuery, request.query_params)
        begin, ids = query["from_index"], query["ids"]
        if ids:
            page = messages_by_id(request.actor, conversation_id, ids)
        else:
            page = message_list(request.actor, conversation_id, after=part.after, limit=part.limit, from_index=begin)
        return page_response(request, page, MessageSerializer)

    @extend_schema(
        request=ONE_OR_MANY, responses={201: AppendedSerializer, 200: AppendedSerializer, **error_responses(ARCHIVED)}
    )
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Store messages

        Stores one message, or up to 500 in `messages`: all or none. The status is 200 if every one of them was
        already stored.
        """
        drafts = _drafts(request)
        appended = messages_store(request.actor, conversation_id=conversation_id, drafts=drafts)
        shown = AppendedSerializer({"data": appended.records, "stored": appended.stored})
        return Response(shown.data, status=201 if appended.stored else 200)


class MessageDetailView(WorkspaceView):
    @extend_schema(responses=MessageSerializer)
    def get(self, request: ApiRequest, conversation_id: UUID, message_id: UUID) -> Response:
        """Get a message

        Returns one message.
        """
        return Response(MessageSerializer(message_get(request.actor, conversation_id, message_id)).data)

    @extend_schema(request=MessageChanges, responses=MessageSerializer)
    def patch(self, request: ApiRequest, conversation_id: UUID, message_id: UUID) -> Response:
        """Exclude or include a message

        Excludes the message from context packs and compaction, or includes it again.
        """
        excluded = read_body(MessageChanges, request.data)["excluded"]
        messages_set_excluded(
            request.actor, conversation_id=conversation_id, message_ids=[message_id], excluded=excluded
        )
        return Response(MessageSerializer(message_get(request.actor, conversation_id, message_id)).data)

    @extend_schema(responses={204: None, **error_responses(TURN_RUNNING)})
    def delete(self, request: ApiRequest, conversation_id: UUID, message_id: UUID) -> Response:
        """Permanently delete a message

        Deletes the text of the message, its pins, and the summary lines that cite it, in all versions. Its index and
        role remain, so that no other index changes and no import brings it back. Memories without another source are
        archived; copies in forks stay. Only the owner of the conversation can do this.
        """
        message_delete(request.actor, conversation_id=conversation_id, message_id=message_id)
        return Response(status=204)


class ExclusionsView(WorkspaceView):
    @extend_schema(parameters=PAGING, responses=page_serializer(ExclusionSerializer))
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """List excluded messages

        Returns the excluded messages, newest first.
        """
        part = window(request)
        page = exclusion_list(request.actor, conversation_id, after=part.after, limit=part.limit)
        return page_response(request, page, ExclusionSerializer)

    @extend_schema(request=ExclusionsInput, responses=ExclusionsSerializer, parameters=[ExclusionsQuery])
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Exclude or include several messages

        Excludes messages from context packs and compaction, or includes them again: all or none.
        """
        values = read_body(ExclusionsInput, request.data)
        if read_query(ExclusionsQuery, request.query_params)["dry_run"]:
            return Response(ExclusionsSerializer(exclusion_preview(request.actor, conversation_id, **values)).data)
        change = messages_set_excluded(request.actor, conversation_id=conversation_id, **values)
        return Response(ExclusionsSerializer(change).data)


def _drafts(request: ApiRequest) -> list[MessageDraft]:
    if "messages" in request.data:
        return [message_draft(values) for values in read_body(MessageBatchInput, request.data)["messages"]]
    return [message_draft(read_body(MessageInput, request.data))]
