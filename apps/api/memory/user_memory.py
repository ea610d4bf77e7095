"""Endpoints of user memory: a person's own notes, included in their packs while active."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.api.framework.etags import expected_version, version_if_named, versioned
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.memory.serializers import UserMemoryChanges, UserMemoryInput, UserMemorySerializer
from apps.api.openapi.auto_schema import IF_MATCH, MAY_MATCH, PAGING
from apps.api.openapi.documented_errors import error_responses
from apps.memory.selectors.user_memory import user_memory_get, user_memory_list
from apps.memory.services.user_memory import (
    UserMemoryDraft,
    user_memory_create,
    user_memory_delete,
    user_memory_update,
)

KEY_EXISTS = (409, "key_taken", "You already have a preference with the key “editor”.")


class UserMemoryView(WorkspaceView):
    @extend_schema(parameters=PAGING, responses=page_serializer(UserMemorySerializer))
    def get(self, request: ApiRequest) -> Response:
        """List your user memory

        Returns your own entries, active or not, oldest first.
        """
        part = window(request)
        page = user_memory_list(request.actor, after=part.after, limit=part.limit)
        return page_response(request, page, UserMemorySerializer)

    @extend_schema(request=UserMemoryInput, responses={201: UserMemorySerializer, **error_responses(KEY_EXISTS)})
    def post(self, request: ApiRequest) -> Response:
        """Create a user memory entry

        Stores a fact or preference about yourself.
        """
        draft = UserMemoryDraft(**read_body(UserMemoryInput, request.data))
        memory = user_memory_create(request.actor, draft=draft)
        response = versioned(request, UserMemorySerializer(memory).data, memory.version, status=201)
        response["Location"] = f"/api/user-memory/{memory.id}"
        return response


class UserMemoryDetailView(WorkspaceView):
    @extend_schema(responses=UserMemorySerializer)
    def get(self, request: ApiRequest, memory_id: UUID) -> Response:
        """Get a user memory entry

        Returns one entry.
        """
        memory = user_memory_get(request.actor, memory_id)
        return versioned(request, UserMemorySerializer(memory).data, memory.version)

    @extend_schema(
        request=UserMemoryChanges,
        responses={200: UserMemorySerializer, **error_responses(KEY_EXISTS)},
        parameters=IF_MATCH,
    )
    def patch(self, request: ApiRequest, memory_id: UUID) -> Response:
        """Update a user memory entry

        Changes the type, key or text of an entry, or activates or deactivates it.
        """
        changes, version = read_body(UserMemoryChanges, request.data), expected_version(request)
        memory = user_memory_update(request.actor, memory_id=memory_id, changes=changes, version=version)
        return versioned(request, UserMemorySerializer(memory).data, memory.version)

    @extend_schema(responses={204: None}, parameters=MAY_MATCH)
    def delete(self, request: ApiRequest, memory_id: UUID) -> Response:
        """Delete a user memory entry

        Deletes the entry.
        """
        user_memory_delete(request.actor, memory_id=memory_id, version=version_if_named(request))
        return Response(status=204)
