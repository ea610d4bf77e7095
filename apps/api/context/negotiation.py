"""Endpoint that simulates how a budget is negotiated among layers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.api.context.embedded_query_view import EmbeddedQueryView
from apps.api.context.negotiation_serializers import NegotiationInput, NegotiationSerializer
from apps.api.context.packs import BUDGET_EXCEEDED
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.context.selectors.negotiation import Trial, TrialResult, context_negotiate
from apps.engine.pack.estimators import HEURISTIC, estimator_state
from apps.engine.pack.layers import Depth, Layer, Situation


class ContextNegotiateView(EmbeddedQueryView):
    permissions = by_method(post=Permission.READ)

    @extend_schema(request=NegotiationInput, responses={200: NegotiationSerializer, **BUDGET_EXCEEDED})
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Simulate a budget negotiation

        Returns, step by step, how a token budget would be divided among the layers of a context pack under any
        terms. Nothing is stored.
        """
        trial = replace(_trial(read_body(NegotiationInput, request.data)), embedded_query=self.embedded_query)
        return Response(NegotiationSerializer(_state(context_negotiate(request.actor, conversation_id, trial))).data)


def _trial(values: dict[str, Any]) -> Trial:
    depth = values.get("knowledge_depth")
    return Trial(
        token_budget=values.get("token_budget"),
        message=values["message"],
        depth=Depth(depth) if depth else None,
        history_first=values.get("history_first"),
        terms={Layer(name): terms for name, terms in values["layers"].items()},
        contents={Layer(name): tokens for name, tokens in values["contents"].items()},
    )


def _state(trial_result: TrialResult) -> dict[str, Any]:
    negotiation = trial_result.negotiation
    return {
        "engine": "enabled" if trial_result.engine_enabled else "disabled",
        "budget": trial_result.settings.budget,
        "budget_source": trial_result.settings.budget_source,
        "stored_budget": trial_result.stored_budget,
        "estimator": estimator_state(HEURISTIC),
        "situation": _situation(trial_result.situation),
        "fixed": negotiation.fixed,
        "layers": negotiation.grants,
        "used": negotiation.used,
        "left": negotiation.budget - negotiation.used,
        "strategy": trial_result.strategy,
        "trace": negotiation.trace,
    }


def _situation(situation: Situation) -> dict[str, Any]:
    names = (
        *("message_count", "conversation_tokens", "message_tokens", "topic_count", "entity_count", "topic_tokens"),
        *("history_first", "is_knowledge_heavy", "is_dialogue_heavy"),
    )
    values = {name: getattr(situation, name) for name in names}
    return {**values, "knowledge_depth": situation.depth, "pressure": round(situation.pressure, 3)}
