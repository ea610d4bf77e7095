"""The rolling summary: as it is, as its versions were, and corrected by hand."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.selectors import policy_for_workspace
from apps.api.compaction.compaction_serializers import SummaryQuery, SummarySerializer, SummaryVersionSerializer
from apps.api.compaction.correction_serializers import CorrectionInput, correction_of
from apps.api.conversations.serializers import NoInput
from apps.api.framework.etags import expected_version, versioned
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import IF_MATCH, PAGING
from apps.api.openapi.documented_errors import error_responses
from apps.compaction.records import SummaryRecord
from apps.compaction.selectors.contexts import summary_get, version_list
from apps.compaction.services.corrections import summary_correct, summary_correction_undo

FIELD_FULL = (409, "field_full", "The section can have at most 5 lines. Remove one first.")
NO_SUCH_LINE = (422, "no_such_line", "The section has no line at this place.")
NOT_A_CORRECTION = (409, "not_a_correction", "A correction can only be undone while it is the newest change.")
CORRECTED = {200: SummarySerializer, **error_responses(FIELD_FULL, NO_SUCH_LINE, field="goals", limit=5)}


class SummaryView(WorkspaceView):
    @extend_schema(parameters=[SummaryQuery], responses=SummarySerializer)
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Get the summary

        Returns the current rolling summary, or an earlier version of it. Each line lists the messages it was
        derived from.
        """
        version = read_query(SummaryQuery, request.query_params)["version"]
        return answer(request, summary_get(request.actor, conversation_id, version))


class SummaryVersionsView(WorkspaceView):
    @extend_schema(parameters=PAGING, responses=page_serializer(SummaryVersionSerializer))
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """List summary versions

        Returns every version of the summary without its text, newest first.
        """
        part = window(request)
        page = version_list(request.actor, conversation_id, after=part.after, limit=part.limit)
        return page_response(request, page, SummaryVersionSerializer)


class SummaryCorrectionsView(WorkspaceView):
    @extend_schema(request=CorrectionInput, responses=CORRECTED, parameters=IF_MATCH)
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Correct the summary

        Rewrites, adds or removes a line. Later compactions never overwrite a line that a person wrote and never
        restore one that a person removed. The ETag is the summary's. A line that the section already contains
        is rejected.
        """
        correction = correction_of(read_body(CorrectionInput, request.data))
        summary = summary_correct(
            request.actor,
            conversation_id=conversation_id,
            correction=correction,
            version=expected_version(request),
            policy=policy_for_workspace(),
        )
        return answer(request, summary)


class SummaryCorrectionUndoView(WorkspaceView):
    @extend_schema(
        request=None, responses={200: SummarySerializer, **error_responses(NOT_A_CORRECTION)}, parameters=IF_MATCH
    )
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Undo the last summary correction

        Reverts the newest version of the summary, which must be a correction.
        """
        read_body(NoInput, request.data)
        summary = summary_correction_undo(
            request.actor, conversation_id=conversation_id, version=expected_version(request)
        )
        return answer(request, summary)


def answer(request: ApiRequest, summary: SummaryRecord) -> Response:
    return versioned(request, SummarySerializer(summary).data, summary.version)
