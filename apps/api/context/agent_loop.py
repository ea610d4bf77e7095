"""Endpoints that trim an agent loop to a token limit with the least loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.accounts.selectors import policy_for_workspace
from apps.api.context.agent_loop_serializers import LoopInput, TrimInput, TrimmedSerializer
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.documented_errors import error_responses
from apps.common.errors import Unprocessable
from apps.context.services.agent_loop import LoopDraft, conversation_trim
from apps.conversations.records import part_to_json
from apps.engine.messages.message import Message, Part, PartKind, Role, message_tokens
from apps.engine.pack.agent_loop_layouts import LayoutNotFound, Loop, Trimmed, trim
from apps.engine.pack.estimators import HEURISTIC

NO_LAYOUT = error_responses(
    (422, "layout_not_found", "200 tokens are too few: the smallest layout needs 600."), limit=200, smallest_limit=600
)


class TrimView(WorkspaceView):
    permissions = by_method(post=Permission.READ)

    @extend_schema(request=TrimInput, responses={200: TrimmedSerializer, **NO_LAYOUT})
    def post(self, request: ApiRequest) -> Response:
        """Trim an agent's messages to a token limit

        Chooses, of eighteen layouts, the one that fits the limit and loses the least. Nothing is stored.

        History, loop and current message are each sent in full or replaced by a summary. Tool results in the
        loop and in the current message may also be replaced by the summaries that the tools provide.
        """
        values = read_body(TrimInput, request.data)
        loop = Loop(*(_messages(values[section]) for section in ("history", "in_loop", "current")))
        policy, limit = policy_for_workspace(), values["context_limit"]
        try:
            return _answer(trim(loop, limit, policy, summary_tokens=values["summary_tokens"]))
        except LayoutNotFound as error:
            raise _no_layout(error) from error


class ConversationTrimView(WorkspaceView):
    @extend_schema(request=LoopInput, responses={200: TrimmedSerializer, **NO_LAYOUT})
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Trim an agent's messages within a conversation

        Chooses the layout that fits the limit and loses the least, with the conversation's summary and live
        messages as the history.

        A compaction is requested when the history will soon no longer fit.
        """
        values = read_body(LoopInput, request.data)
        in_loop, current = _messages(values["in_loop"]), _messages(values["current"])
        draft = LoopDraft(in_loop, current, values["context_limit"], values["summary_tokens"])
        try:
            return _answer(conversation_trim(request.actor, conversation_id=conversation_id, draft=draft))
        except LayoutNotFound as error:
            raise _no_layout(error) from error


def _messages(given: Sequence[dict[str, Any]]) -> tuple[Message, ...]:
    return tuple(_message(place, values) for place, values in enumerate(given))


def _message(place: int, values: dict[str, Any]) -> Message:
    parts = tuple(Part(**{**part, "kind": PartKind(part["kind"])}) for part in values["parts"])
    tokens = message_tokens(values["content"], parts)
    name = values["external_id"] or str(place)
    return Message(name, place, Role(values["role"]), values["content"], tokens, values["name"], parts)


def _answer(trimmed: Trimmed) -> Response:
    state = {
        "layout": {section.value: form.value for section, form in trimmed.layout.items()},
        "in_loop": [_state(message) for message in trimmed.in_loop],
        "summary": trimmed.summary,
        "tokens": trimmed.tokens,
        "costs": {
            section.value: {form.value: tokens for form, tokens in forms.items()}
            for section, forms in trimmed.costs.items()
        },
        "should_dump_summary": trimmed.dump_summary,
        "estimator": HEURISTIC.name,
    }
    return Response(TrimmedSerializer(state).data)


def _state(message: Message) -> dict[str, Any]:
    parts = [part_to_json(part) for part in message.parts]
    return {"role": message.role.value, "name": message.name, "content": message.content, "parts": parts}


def _no_layout(error: LayoutNotFound) -> Unprocessable:
    return Unprocessable(
        f"{error.limit} tokens are too few: the smallest layout needs {error.smallest}.",
        code="layout_not_found",
        extra={"limit": error.limit, "smallest_limit": error.smallest},
    )
