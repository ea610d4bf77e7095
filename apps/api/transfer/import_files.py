"""Endpoints that import the files of other tools: uploaded, read and stored in the background."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import Choice, Input, read_body, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.jobs.operation_response import operation_response
from apps.api.jobs.operation_serializers import OperationSerializer
from apps.api.memory.export_serializers import CONFIRMED
from apps.api.openapi.documented_errors import error_responses
from apps.api.transfer.import_serializers import SOURCES, ImportId
from apps.common.errors import Invalid
from apps.common.ids import uuid7
from apps.transfer.files.uploads import MOST_FILES, SentFile
from apps.transfer.formats.items import ImportSource
from apps.transfer.services.imports.files import FileImportRequest, file_import_cancel, file_import_start

AUTO = "auto"
EMPTY_FILE = (400, "empty_file", "The file is empty.")
TOO_LARGE = (413, "too_large", "The files are too large for the browser. Use the command.")
RUNNING = (409, "imports_running", "Three of your imports are running.")
CANCELED = (409, "canceled", "This import was canceled.")


class FileImportQuery(Input):
    source = Choice(  # type: ignore[assignment]  # named like an attribute of fields
        choices=(AUTO, *SOURCES), required=False, default=AUTO, help_text="By default, recognized from the files."
    )
    import_id = ImportId(
        required=False,
        default=None,
        help_text="Chosen by the client, to cancel the import by it. Its report is at `/api/imports/{import_id}`.",
    )
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Report what would happen, and store nothing."
    )
    confirmed = serializers.BooleanField(required=False, default=False, help_text=CONFIRMED)


class FileImportBodySerializer(serializers.Serializer[Any]):
    file = serializers.ListField(
        child=serializers.FileField(), min_length=1, max_length=MOST_FILES, help_text="At most 64 MB together."
    )
    details = serializers.CharField(
        required=False,
        help_text="A JSON array with an object for each file, in order: `path`, where it was below the folder that was "
        "chosen, and `modified_at`.",
    )


class ImportFilesView(WorkspaceView):
    unit = False  # the upload may be slow
    parser_classes = (MultiPartParser,)

    @extend_schema(
        parameters=[FileImportQuery],
        request={"multipart/form-data": FileImportBodySerializer},
        responses={202: OperationSerializer, **error_responses(EMPTY_FILE, TOO_LARGE, RUNNING, CANCELED)},
    )
    def post(self, request: ApiRequest) -> Response:
        """Import files of another tool

        Reads claude-mem databases, transcripts and memory files of Claude Code, exports of ChatGPT and Claude.ai (zip
        or JSON), and JSON exports of memory stores, ours included.

        The operation's result is the report: the source, items by kind and status, the first of each kind, and what
        was skipped, refused or damaged, with its reason, and how many items have memories that wait in the inbox, as
        all do unless the import is confirmed. A dry run also knows what earlier items would have created.
        """
        query = read_query(FileImportQuery, request.query_params)
        source = None if query["source"] == AUTO else ImportSource(query["source"])
        import_id, confirmed = query["import_id"] or uuid7(), query["confirmed"]
        import_request = FileImportRequest(source, import_id, query["dry_run"], confirmed)
        return operation_response(file_import_start(request.actor, request=import_request, files=_sent_files(request)))


class ImportFilesCancelInput(Input):
    import_id = ImportId(help_text="As sent with the files, or the `subject` of the import's operation.")


class ImportFilesCancelView(WorkspaceView):
    @extend_schema(request=ImportFilesCancelInput, responses={204: None})
    def post(self, request: ApiRequest) -> Response:
        """Cancel an import of files

        An import whose files are still being uploaded will not start, however late they arrive. What it imported before
        stays; the same files can be imported again, and nothing is imported twice.
        """
        file_import_cancel(request.actor, import_id=read_body(ImportFilesCancelInput, request.data)["import_id"])
        return Response(status=204)


def _sent_files(request: ApiRequest) -> Iterator[SentFile]:
    form: Any = request.data
    files = form.getlist("file")
    if not files or not all(hasattr(file, "chunks") for file in files):
        raise Invalid("Send at least one file, as the part `file`.", code="no_file")
    details = _details(form.get("details"))
    for place, file in enumerate(files):
        known = details[place] if place < len(details) else {}
        path, modified = known.get("path"), known.get("modified_at")
        yield SentFile(
            path if isinstance(path, str) and path else file.name,
            file.chunks(),
            _time(modified) if isinstance(modified, str) else None,
        )


def _time(text: str) -> datetime:
    """A time that a file can have, which the first days of the calendar are not."""
    with suppress(ValueError, OverflowError):
        at = parse_datetime(text)
        if at and at.timestamp() >= 0:
            return at
    raise Invalid("`modified_at` must be a time in ISO format.", code="bad_details")


def _details(text: Any) -> list[dict[str, Any]]:
    try:
        details = json.loads(text) if text else []
    except (TypeError, ValueError, RecursionError):
        details = None
    if not isinstance(details, list) or not all(isinstance(one, dict) for one in details):
        raise Invalid("`details` must be a JSON array with an object for each file.", code="bad_details")
    return details
