"""Branches of a conversation."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.api.conversations.serializers import BranchesSerializer
from apps.api.framework.requests import ApiRequest
from apps.api.framework.views import WorkspaceView
from apps.conversations.selectors.branches import conversation_branches


class BranchesView(WorkspaceView):
    @extend_schema(responses=BranchesSerializer)
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """List branches

        Returns the messages at which other conversations diverge that were forked from this one, or together with
        it from another. Only those that you may read and that are not archived are included.
        """
        points = conversation_branches(request.actor, conversation_id)
        return Response(BranchesSerializer({"points": points}).data)
