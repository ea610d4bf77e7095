"""The context pack: what a model is given of a conversation, within a budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.api.context.pack_parts import pack_parts
from apps.api.context.pack_serializers import ContextQuery, ContextSerializer
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_query
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.documented_errors import error_responses
from apps.context.services.packs import context_pack
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.provider_formats import render_anthropic, render_openai, render_plain

RENDERERS: dict[str, Callable[[ContextPack], Any]] = {
    "plain": render_plain,
    "openai": render_openai,
    "anthropic": render_anthropic,
}
_TOO_SMALL = (
    422,
    "budget_exceeded",
    "A budget of 100 tokens is too small: the parts that are always included need 130.",
)
BUDGET_EXCEEDED = error_responses(
    _TOO_SMALL,
    budget=100,
    smallest_budget=130,
    parts={"system": 20, "pinned_memory": 60, "current_message": 50},
)


class ContextView(WorkspaceView):
    @extend_schema(parameters=[ContextQuery], responses={200: ContextSerializer, **BUDGET_EXCEEDED})
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Build a context pack

        Returns the context pack of the conversation, which never exceeds its token budget: pins and the current
        message in full, everything else as far as it fits.
        """
        query = read_query(ContextQuery, request.query_params)
        sends = query["format"] is not None
        built, state, policy = context_pack(request.actor, conversation_id, query["token_budget"], sends=sends)
        shown = pack_parts(built, state, policy)
        if query["format"] is not None:
            shown["rendered"] = RENDERERS[query["format"]](built.pack)
        return Response(ContextSerializer(shown).data)
