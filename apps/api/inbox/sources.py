"""Endpoints that decide about everything that came from one source."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.inbox.inputs import DeclineSourceInput, QuarantineInput, source_scope
from apps.api.inbox.serializers import InboxDecisionSerializer, SourceEffectSerializer
from apps.api.memory.node_inputs import DryRunQuery
from apps.inbox.services.sources import (
    SourceAction,
    source_decline,
    source_quarantine,
    source_quarantine_preview,
)


class InboxDeclineSourceView(WorkspaceView):
    @extend_schema(request=DeclineSourceInput, responses=InboxDecisionSerializer)
    def post(self, request: ApiRequest) -> Response:
        """Decline everything from a source

        Declines all proposed memories that come from a message, a conversation, an import or a tool, in one change.
        """
        scope = source_scope(read_body(DeclineSourceInput, request.data)["source"])
        return Response(InboxDecisionSerializer(source_decline(request.actor, scope=scope)).data)


class InboxQuarantineView(WorkspaceView):
    @extend_schema(request=QuarantineInput, parameters=[DryRunQuery], responses=SourceEffectSerializer)
    def post(self, request: ApiRequest) -> Response:
        """Take a source out of use

        Takes all memories that come from one source alone out of use, in one change: they wait for approval again, or
        are archived, and what they superseded is current again. Memories that have other sources stay, and lose this
        one. A dry run counts them.
        """
        values = read_body(QuarantineInput, request.data)
        scope, action = source_scope(values["source"]), SourceAction(values["action"])
        dry_run = read_query(DryRunQuery, request.query_params)["dry_run"]
        act = source_quarantine_preview if dry_run else source_quarantine
        return Response(SourceEffectSerializer(act(request.actor, scope=scope, action=action)).data)
