"""Endpoints that export and import a subtree of the memory tree as a file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import islice

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.api.framework.parsers import StrictJSONParser
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.memory.bulk import results_document
from apps.api.memory.export_serializers import MARKDOWN, ExportQuery, FileSerializer, ImportInput, ImportQuery
from apps.api.memory.markdown import MARKDOWN_TYPE, MarkdownParser
from apps.api.memory.memories import BAD_ADDRESS
from apps.api.memory.node_serializers import ItemResultsSerializer
from apps.api.openapi.documented_errors import error_responses
from apps.memory.services.bulk.export import subtree_json, subtree_markdown
from apps.memory.services.bulk.import_ import items_of_data, items_of_markdown, tree_import, tree_import_preview

JSON_TYPE = "application/json"
TOO_MANY_ITEMS = (413, "too_many_items", "At most 5,000 memories at once.")
_AT_ONCE = 200
BAD_IMPORT = (400, "bad_import", "The file contains no list of memories.")


class MemoriesExportView(WorkspaceView):
    unit = False  # the file is streamed in pieces, each read in a unit of work of its own

    @extend_schema(
        parameters=[ExportQuery],
        responses={
            (200, JSON_TYPE): FileSerializer,
            (200, MARKDOWN_TYPE): OpenApiTypes.STR,
            **error_responses(BAD_ADDRESS),
        },
    )
    def get(self, request: ApiRequest) -> StreamingHttpResponse:
        """Export memories

        Streams all active memories at and below an address, as readable Markdown or as JSON.
        """
        query = read_query(ExportQuery, request.query_params)
        as_text = query["format"] == MARKDOWN
        pieces = (subtree_markdown if as_text else subtree_json)(request.actor, query["uri"])
        # A missing node is refused before the response begins.
        first = next(pieces, "")
        name = f"{query['uri'].name}.{'md' if as_text else 'json'}"
        return StreamingHttpResponse(
            streamed(pieces, first),
            content_type=f"{MARKDOWN_TYPE if as_text else JSON_TYPE}; charset=utf-8",
            headers={"Content-Disposition": content_disposition_header(True, name) or "attachment"},
        )


class MemoriesImportView(WorkspaceView):
    parser_classes = (StrictJSONParser, MarkdownParser)

    @extend_schema(
        parameters=[ImportQuery],
        request={JSON_TYPE: ImportInput, MARKDOWN_TYPE: OpenApiTypes.STR},
        responses={200: ItemResultsSerializer, **error_responses(BAD_IMPORT, TOO_MANY_ITEMS)},
    )
    def post(self, request: ApiRequest) -> Response:
        """Import memories

        Imports an export, or any memories in its format: at most 5,000 and 8 MB. You own the imported memories. Unless
        the import is confirmed they wait in your inbox; confirming it later accepts those that still do.
        Existing memories with a higher trust stay unchanged, and permanently deleted ones are not restored.
        """
        query, values = read_query(ImportQuery, request.query_params), read_body(ImportInput, request.data)
        items = items_of_markdown(values["markdown"]) if "markdown" in values else items_of_data(values)
        at, confirmed = query["at"], query["confirmed"]
        if query["dry_run"]:
            results = tree_import_preview(request.actor, items=items, at=at, confirmed=confirmed)
        else:
            reason = query["reason"]
            results = tree_import(request.actor, items=items, at=at, reason=reason, confirmed=confirmed)
        return Response(ItemResultsSerializer(results_document(results)).data)


async def streamed(pieces: Iterator[str], first: str = "") -> AsyncIterator[str]:
    """Yield `first`, then the pieces, some at a time."""
    text = first or await sync_to_async(_some)(pieces)
    while text:
        yield text
        text = await sync_to_async(_some)(pieces)


def _some(pieces: Iterator[str]) -> str:
    """Return the next batch; release the database connection between two reads."""
    try:
        return "".join(islice(pieces, _AT_ONCE))
    finally:
        close_old_connections()
