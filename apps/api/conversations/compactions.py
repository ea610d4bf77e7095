"""Compactions: asked for, watched, stopped, undone."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.api.conventions.paging import page_response, page_shape, window
from apps.api.conventions.requests import ApiRequest
from apps.api.conventions.schema import PAGING
from apps.api.conventions.shapes import read_body, read_query
from apps.api.conventions.views import WorkspaceView
from apps.api.conversations.compaction_shapes import (
    CompactionInput,
    CompactionPlanShape,
    CompactionQuery,
    CompactionRequestedShape,
    CompactionShape,
)
from apps.api.conversations.refusals import refusals
from apps.api.conversations.shapes import NoInput
from apps.common.errors import NotFound
from apps.compaction.records import RunRecord
from apps.compaction.selectors.contexts import run_get, run_list
from apps.compaction.services.planning import compaction_preview
from apps.compaction.services.scheduling import compaction_request
from apps.compaction.services.stopping import compaction_stop
from apps.compaction.services.undoing import compaction_undo
from apps.engine.policy import Level
from apps.jobs.records import OperationView
from apps.jobs.selectors import operation_get

ENGINE_DISABLED = (409, "engine_disabled", "The continuity engine is switched off.")
ALREADY_ENDED = (409, "already_ended", "This compaction has ended already.")
NOT_THE_LAST = (409, "not_the_last", "Only the last compaction that stands can be undone.")


class CompactionsView(WorkspaceView):
    @extend_schema(parameters=PAGING, responses=page_shape(CompactionShape))
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Every run of this conversation, the newest first."""
        part = window(request)
        page = run_list(request.actor, conversation_id, after=part.after, limit=part.limit)
        return page_response(request, page, CompactionShape)

    @extend_schema(
        request=CompactionInput,
        parameters=[CompactionQuery],
        responses={200: CompactionPlanShape, 202: CompactionRequestedShape, **refusals(ENGINE_DISABLED)},
    )
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Fold now, whatever the thresholds say. While one waits, a second request is the same one. A dry run answers
        with what it would fold and about how much that would free."""
        wanted: dict[str, Any] = {
            "conversation_id": conversation_id,
            "level": Level(read_body(CompactionInput, request.data)["level"]),
            "policy": policy_for_workspace(),
        }
        if read_query(CompactionQuery, request.query_params)["dry_run"]:
            return Response(CompactionPlanShape(compaction_preview(request.actor, **wanted)).data)
        run = compaction_request(request.actor, **wanted)
        operation = _own_operation(request.actor, run)
        shown = CompactionRequestedShape({"operation": operation, "compaction": run})
        return Response(shown.data, status=202, headers={"Location": _address(run, operation)})


class CompactionDetailView(WorkspaceView):
    @extend_schema(responses=CompactionShape)
    def get(self, request: ApiRequest, conversation_id: UUID, run_id: UUID) -> Response:
        """One run: what it folded, what it cost, how it ended."""
        return Response(CompactionShape(run_get(request.actor, conversation_id, run_id)).data)


class CompactionStopView(WorkspaceView):
    @extend_schema(request=None, responses={200: CompactionShape, **refusals(ALREADY_ENDED)})
    def post(self, request: ApiRequest, conversation_id: UUID, run_id: UUID) -> Response:
        """End it without a change, while it waits, runs, or is to be tried again."""
        read_body(NoInput, request.data)
        run_get(request.actor, conversation_id, run_id)
        run = compaction_stop(
            request.actor, conversation_id=conversation_id, run_id=run_id, policy=policy_for_workspace()
        )
        return Response(CompactionShape(run).data)


class CompactionUndoView(WorkspaceView):
    @extend_schema(request=None, responses={200: CompactionShape, **refusals(NOT_THE_LAST)})
    def post(self, request: ApiRequest, conversation_id: UUID, run_id: UUID) -> Response:
        """Undo it, the last one first: its messages are live again, and the summary is what it was before."""
        read_body(NoInput, request.data)
        run_get(request.actor, conversation_id, run_id)
        run = compaction_undo(
            request.actor, conversation_id=conversation_id, run_id=run_id, policy=policy_for_workspace()
        )
        return Response(CompactionShape(run).data)


def _own_operation(actor: Actor, run: RunRecord) -> OperationView | None:
    """An operation is seen by whoever asked for it; a run that waits may be another person's."""
    try:
        return operation_get(actor, run.operation_id) if run.operation_id else None
    except NotFound:
        return None


def _address(run: RunRecord, operation: OperationView | None) -> str:
    """Where to look how far it is."""
    if operation is not None:
        return f"/api/operations/{operation.id}"
    return f"/api/conversations/{run.conversation_id}/compactions/{run.id}"
