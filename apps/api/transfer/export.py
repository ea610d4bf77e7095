"""Endpoint that exports all that belongs to a person."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema

from apps.api.framework.requests import ApiRequest
from apps.api.framework.views import WorkspaceView
from apps.api.memory.exports import streamed
from apps.transfer.services.export.account import account_export

MEDIA_TYPE = "application/x-ndjson"


class ExportView(WorkspaceView):
    unit = False  # the file is streamed in pieces, each read in a unit of work of its own

    @extend_schema(responses={(200, MEDIA_TYPE): OpenApiTypes.STR})
    def get(self, request: ApiRequest) -> StreamingHttpResponse:
        """Export everything of yours

        Streams your user memory, memories with their history, conversations with their messages, pins and summaries,
        and agent sessions with their observations as JSON Lines, which `continuity import --from json` takes back.
        """
        return StreamingHttpResponse(
            streamed(account_export(request.actor)),
            content_type=f"{MEDIA_TYPE}; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="continuity-export.jsonl"'},
        )
