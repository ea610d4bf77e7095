"""Importing a file: it is received as a stream and parsed in the background."""

from __future__ import annotations

from collections.abc import Iterator

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.response import Response

from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import Choice, Input, Text, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.jobs.operation_response import operation_response
from apps.api.jobs.operation_serializers import OperationSerializer
from apps.api.openapi.documented_errors import error_responses
from apps.conversations.imports.formats import Format, Source
from apps.conversations.limits import LONGEST_EXTERNAL_ID, LONGEST_TITLE
from apps.turns.services.imports.batches import ImportRequest
from apps.turns.services.imports.job import import_start

FORMATS = tuple(form.value for form in Format)
MEDIA_TYPES = ("application/x-ndjson", "application/jsonl", "application/json", "application/octet-stream")
CHUNK = 64 * 1024
EMPTY_FILE = (400, "empty_file", "The file is empty.")
TOO_LARGE = (413, "too_large", "The file is too large. Split it.")


class ImportQuery(Input):
    format = Choice(choices=FORMATS, required=False, default="auto", help_text="By default, seen from the file itself.")
    name = Text(
        max_length=LONGEST_TITLE,
        required=False,
        default="import",
        help_text="The file's name: a file of the same name that begins alike adds only what is new.",
    )
    title = Text(max_length=LONGEST_TITLE, required=False, default="", allow_blank=True)
    external_id = Text(
        max_length=LONGEST_EXTERNAL_ID,
        required=False,
        default=None,
        help_text="Put everything into your conversation of this name.",
    )


class ImportsView(WorkspaceView):
    end_user_in_body = False
    unit = False  # the upload may be slow

    @extend_schema(
        parameters=[ImportQuery],
        request=dict.fromkeys(MEDIA_TYPES, OpenApiTypes.BINARY),
        responses={202: OperationSerializer, **error_responses(EMPTY_FILE, TOO_LARGE)},
    )
    def post(self, request: ApiRequest) -> Response:
        """Import messages

        Imports the messages in the body: JSON Lines of {role, content, name?, created_at?, external_id?}, or
        the LoCoMo format.

        The operation's result lists what was stored, what was already there, and what was skipped and why.
        """
        query = read_query(ImportQuery, request.query_params)
        _require_media_type(request)
        source = Source(query["name"], Format(query["format"]), query["title"])
        import_request = ImportRequest(source, query["external_id"])
        return operation_response(import_start(request.actor, request=import_request, chunks=_chunks(request)))


def _require_media_type(request: ApiRequest) -> None:
    sent = request.content_type or ""
    if sent.partition(";")[0].strip().lower() not in MEDIA_TYPES:
        raise UnsupportedMediaType(sent, detail=f"Send the file as one of {', '.join(MEDIA_TYPES)}.")


def _chunks(request: ApiRequest) -> Iterator[bytes]:
    stream = request.stream
    while stream is not None and (chunk := stream.read(CHUNK)):
        yield chunk
