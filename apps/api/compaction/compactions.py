"""Compactions: start, progress, cancellation, undo."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.selectors import policy_for_workspace
from apps.api.compaction.compaction_serializers import (
    CompactionInput,
    CompactionPlanSerializer,
    CompactionQuery,
    CompactionRequestedSerializer,
    CompactionSerializer,
)
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import PAGING
from apps.api.openapi.documented_errors import ENGINE_DISABLED, error_responses
from apps.compaction.records import RunRecord
from apps.compaction.selectors.contexts import run_get, run_list
from apps.compaction.services.preview import compaction_preview
from apps.compaction.services.request import compaction_request
from apps.engine.policy import Level
from apps.jobs.records import OperationView
from apps.jobs.selectors import operation_find


class CompactionsView(WorkspaceView):
    @extend_schema(parameters=PAGING, responses=page_serializer(CompactionSerializer))
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """List compactions

        Returns every compaction run of the conversation, newest first.
        """
        part = window(request)
        page = run_list(request.actor, conversation_id, after=part.after, limit=part.limit)
        return page_response(request, page, CompactionSerializer)

    @extend_schema(
        request=CompactionInput,
        parameters=[CompactionQuery],
        responses={
            200: CompactionPlanSerializer,
            202: CompactionRequestedSerializer,
            **error_responses(ENGINE_DISABLED),
        },
    )
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Compact a conversation

        Starts a compaction now, regardless of the thresholds. While one is queued, another request returns the
        same run. A dry run returns which messages would be compacted and about how many tokens that would free.
        """
        wanted: dict[str, Any] = {
            "conversation_id": conversation_id,
            "level": Level(read_body(CompactionInput, request.data)["level"]),
            "policy": policy_for_workspace(),
        }
        if read_query(CompactionQuery, request.query_params)["dry_run"]:
            return Response(CompactionPlanSerializer(compaction_preview(request.actor, **wanted)).data)
        run = compaction_request(request.actor, **wanted)
        # Only the requester sees an operation; a queued run may have been requested by another user.
        operation = operation_find(request.actor, run.operation_id)
        shown = CompactionRequestedSerializer({"operation": operation, "compaction": run})
        return Response(shown.data, status=202, headers={"Location": _address(run, operation)})


class CompactionDetailView(WorkspaceView):
    @extend_schema(responses=CompactionSerializer)
    def get(self, request: ApiRequest, conversation_id: UUID, run_id: UUID) -> Response:
        """Get a compaction

        Returns one run: the messages that it compacted, its cost and its outcome.
        """
        return Response(CompactionSerializer(run_get(request.actor, conversation_id, run_id)).data)


def _address(run: RunRecord, operation: OperationView | None) -> str:
    """Where to look how far it is."""
    if operation is not None:
        return f"/api/operations/{operation.id}"
    return f"/api/conversations/{run.conversation_id}/compactions/{run.id}"
