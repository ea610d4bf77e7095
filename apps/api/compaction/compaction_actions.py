"""Stop a compaction, or undo it."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.selectors import policy_for_workspace
from apps.api.compaction.compaction_serializers import (
    CompactionSerializer,
)
from apps.api.conversations.serializers import NoInput
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.documented_errors import error_responses
from apps.compaction.selectors.contexts import run_get
from apps.compaction.services.stop import compaction_stop
from apps.compaction.services.undo import compaction_undo

ALREADY_ENDED = (409, "already_ended", "This compaction has already finished.")


NOT_THE_LAST = (409, "not_the_last", "Only the latest compaction in effect can be undone. Undo later ones first.")


class CompactionStopView(WorkspaceView):
    @extend_schema(request=None, responses={200: CompactionSerializer, **error_responses(ALREADY_ENDED)})
    def post(self, request: ApiRequest, conversation_id: UUID, run_id: UUID) -> Response:
        """Stop a compaction

        Ends a compaction that is queued, running or waiting for a retry. The conversation stays unchanged.
        """
        read_body(NoInput, request.data)
        run_get(request.actor, conversation_id, run_id)
        run = compaction_stop(
            request.actor, conversation_id=conversation_id, run_id=run_id, policy=policy_for_workspace()
        )
        return Response(CompactionSerializer(run).data)


class CompactionUndoView(WorkspaceView):
    @extend_schema(request=None, responses={200: CompactionSerializer, **error_responses(NOT_THE_LAST)})
    def post(self, request: ApiRequest, conversation_id: UUID, run_id: UUID) -> Response:
        """Undo a compaction

        Makes the compacted messages live again and restores the previous summary. Compactions are undone in
        reverse order, the last one first.
        """
        read_body(NoInput, request.data)
        run_get(request.actor, conversation_id, run_id)
        run = compaction_undo(
            request.actor, conversation_id=conversation_id, run_id=run_id, policy=policy_for_workspace()
        )
        return Response(CompactionSerializer(run).data)
