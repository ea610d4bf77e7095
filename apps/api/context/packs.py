"""The context pack: what a model is given of a conversation, within a budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.api.context.embedded_query_view import EmbeddedQueryView
from apps.api.context.pack_parts import pack_parts
from apps.api.context.pack_serializers import (
    ContextPreviewInput,
    ContextPreviewSerializer,
    ContextQuery,
    ContextSerializer,
)
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body, read_query
from apps.api.openapi.documented_errors import error_responses
from apps.context.records import BuiltPack, PackState
from apps.context.services.packs import context_pack, context_preview
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.provider_formats import render_anthropic, render_openai, render_plain
from apps.engine.policy import Policy

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


class ContextView(EmbeddedQueryView):
    permissions = by_method(post=Permission.READ)

    @extend_schema(parameters=[ContextQuery], responses={200: ContextSerializer, **BUDGET_EXCEEDED})
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Build a context pack

        Returns the context pack of the conversation, which never exceeds its token budget: pins and the current
        message in full, everything else as far as it fits.
        """
        query = read_query(ContextQuery, request.query_params)
        sends = query["format"] is not None
        answer = context_pack(
            request.actor, conversation_id, query["token_budget"], sends=sends, embedded_query=self.embedded_query
        )
        return Response(ContextSerializer(_shown(*answer, query["format"])).data)

    @extend_schema(request=ContextPreviewInput, responses={200: ContextPreviewSerializer, **BUDGET_EXCEEDED})
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Preview a context pack

        Returns the context pack that a hypothetical next message would get. The message is not stored, and the pack
        does not count as sent.
        """
        values = read_body(ContextPreviewInput, request.data)
        answer = context_preview(
            request.actor,
            conversation_id,
            values["message"],
            values.get("token_budget"),
            as_of=values["as_of"],
            embedded_query=self.embedded_query,
        )
        return Response(ContextPreviewSerializer(_shown(*answer, values["format"])).data)


def _shown(built: BuiltPack, state: PackState, policy: Policy, form: str | None) -> dict[str, Any]:
    """The parts of a pack, and the pack rendered in a format if one is requested."""
    rendered = {"rendered": RENDERERS[form](built.pack)} if form is not None else {}
    return pack_parts(built, state, policy) | rendered
