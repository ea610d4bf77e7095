"""Endpoint of the pack that a hypothetical message would get."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.api.context.pack_parts import pack_parts
from apps.api.context.pack_serializers import ContextPreviewInput, ContextPreviewSerializer
from apps.api.context.packs import BUDGET_EXCEEDED, RENDERERS
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.context.services.packs import context_preview


class ContextPreviewView(WorkspaceView):
    permissions = by_method(post=Permission.READ)

    @extend_schema(request=ContextPreviewInput, responses={200: ContextPreviewSerializer, **BUDGET_EXCEEDED})
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Preview a context pack

        Returns the context pack that a hypothetical next message would get. The message is not stored, and the pack
        does not count as sent.
        """
        values = read_body(ContextPreviewInput, request.data)
        message, budget, form = values["message"], values.get("token_budget"), values["format"]
        built, state, policy = context_preview(request.actor, conversation_id, message, budget)
        shown = pack_parts(built, state, policy)
        if form is not None:
            shown["rendered"] = RENDERERS[form](built.pack)
        return Response(ContextPreviewSerializer(shown).data)
