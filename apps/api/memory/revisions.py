"""Endpoints of a memory's revisions and undo."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.memory.node_inputs import UndoInput
from apps.api.memory.node_response import node_response
from apps.api.memory.node_serializers import MemoryRevisionSerializer, MemorySerializer
from apps.api.openapi.auto_schema import PAGING
from apps.api.openapi.documented_errors import error_responses
from apps.memory.selectors.revisions import revision_get, revision_list
from apps.memory.services.tree.undo.change_undo import change_undo

CHANGED_SINCE = (409, "changed_since", "The memory was changed again later. Undo the later change first.")


class MemoryRevisionsView(WorkspaceView):
    @extend_schema(parameters=PAGING, responses=page_serializer(MemoryRevisionSerializer))
    def get(self, request: ApiRequest, node_id: UUID) -> Response:
        """List revisions of a memory

        Returns every change to the memory, newest first. Long texts are shortened.
        """
        part = window(request)
        page = revision_list(request.actor, node_id, after=part.after, limit=part.limit)
        return page_response(request, page, MemoryRevisionSerializer)


class MemoryRevisionView(WorkspaceView):
    @extend_schema(responses=MemoryRevisionSerializer)
    def get(self, request: ApiRequest, node_id: UUID, revision_id: UUID) -> Response:
        """Get a revision of a memory

        Returns one change to the memory with its full texts.
        """
        return Response(MemoryRevisionSerializer(revision_get(request.actor, node_id, revision_id)).data)


class MemoryUndoView(WorkspaceView):
    @extend_schema(request=UndoInput, responses={200: MemorySerializer, **error_responses(CHANGED_SINCE)})
    def post(self, request: ApiRequest, node_id: UUID) -> Response:
        """Undo a change to memories

        Reverts one change on every memory that it touched. An undo is a change as well, so undoing it redoes
        the original change.
        """
        values = read_body(UndoInput, request.data)
        node = change_undo(request.actor, node_id=node_id, change_id=values["change_id"], reason=values["reason"])
        return node_response(request, node)
