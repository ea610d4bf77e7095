"""Endpoints that import from other stores, batch by batch, and report what became of every item."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response

from apps.api.framework.lenient_json import LenientJSONParser
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.documented_errors import error_responses
from apps.api.transfer.import_serializers import (
    SOURCES,
    ImportItemsBodySerializer,
    ImportItemsInput,
    ImportReportSerializer,
    ImportResultsSerializer,
)
from apps.common.errors import NotFound
from apps.transfer.formats.items import ImportSource
from apps.transfer.selectors.imports import import_report
from apps.transfer.services.imports.run import items_import

SOURCE = OpenApiParameter("source", OpenApiTypes.STR, OpenApiParameter.PATH, enum=SOURCES)
NO_SUCH_SOURCE = (404, "not_found", "There is no such source.")
NO_SUCH_IMPORT = (404, "not_found", "Import not found.")


class ImportItemsView(WorkspaceView):
    # One text that cannot be stored must not refuse the batch.
    parser_classes = (LenientJSONParser,)

    @extend_schema(
        parameters=[SOURCE],
        request=ImportItemsBodySerializer,
        responses={200: ImportResultsSerializer, **error_responses(NO_SUCH_SOURCE)},
    )
    def post(self, request: ApiRequest, source: str) -> Response:
        """Import items from another store

        Stores a batch of up to 500 items that a client read from another memory tool, an agent's transcripts or an
        export. Every item has a key: an item that was imported before creates nothing, and a batch that is sent again
        gets the same results.

        Unless the import is confirmed its memories wait in the inbox, each with the reason `waiting`; confirming it
        later accepts those that still do, with the reason `confirmed`.
        """
        body = read_body(ImportItemsInput, request.data)
        results = items_import(
            request.actor,
            source=_source(source),
            import_id=body["import_id"],
            batch_items=body["items"],
            dry_run=body["dry_run"],
            confirmed=body["confirmed"],
        )
        document: dict[str, Any] = {"import_id": body["import_id"], "dry_run": body["dry_run"], "results": results}
        return Response(ImportResultsSerializer(document).data)


class ImportReportView(WorkspaceView):
    @extend_schema(responses={200: ImportReportSerializer, **error_responses(NO_SUCH_IMPORT)})
    def get(self, request: ApiRequest, import_id: UUID) -> Response:
        """Get the report of an import

        Counts the items that it created, and those that it read last. A dry run leaves no report.
        """
        return Response(ImportReportSerializer(import_report(request.actor, import_id)).data)


def _source(name: str) -> ImportSource:
    if name not in SOURCES:
        raise NotFound("There is no such source.")
    return ImportSource(name)
