"""Endpoints of single memories in a requested tier."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.response import Response

from apps.api.framework.etags import expected_version, version_if_named
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.memory.node_inputs import (
    DryRunQuery,
    EraseQuery,
    MemoryAtQuery,
    MemoryChanges,
    MemoryInput,
    MemoryPreviewInput,
    MemoryQuery,
    node_draft,
)
from apps.api.memory.node_response import node_response, stored_response
from apps.api.memory.node_serializers import (
    CreatePreviewSerializer,
    ErasePreviewSerializer,
    MemorySerializer,
    StoredMemorySerializer,
)
from apps.api.openapi.auto_schema import IF_MATCH, MAY_MATCH
from apps.api.openapi.documented_errors import error_responses
from apps.memory.selectors.tree import node_at, node_get
from apps.memory.services.source_checks import sources_check
from apps.memory.services.tree.create import node_create_preview, node_ensure
from apps.memory.services.tree.delete_permanently import node_erase, node_erase_preview
from apps.memory.services.tree.edit import node_edit

BAD_ADDRESS = (400, "bad_address", "An address must begin with mem://.")
ADDRESS_EXISTS = (409, "address_taken", "A memory already has this address.")
TREE_REFUSED = (422, "tree_refused", "Only a folder can contain other memories.")


class MemoriesView(WorkspaceView):
    @extend_schema(parameters=[MemoryAtQuery], responses={200: MemorySerializer, **error_responses(BAD_ADDRESS)})
    def get(self, request: ApiRequest) -> Response:
        """Get a memory by address

        Returns the memory at an address.
        """
        query = read_query(MemoryAtQuery, request.query_params)
        return node_response(request, node_at(request.actor, query["uri"]), tier=query["tier"])

    @extend_schema(
        request=MemoryInput,
        parameters=[DryRunQuery],
        responses={
            200: PolymorphicProxySerializer(
                "NewMemory", [StoredMemorySerializer, CreatePreviewSerializer], resource_type_field_name=None
            ),
            201: StoredMemorySerializer,
            **error_responses(BAD_ADDRESS, ADDRESS_EXISTS, TREE_REFUSED),
        },
    )
    def post(self, request: ApiRequest) -> Response:
        """Create a memory

        Writes a memory that only you can read, unless you may share it and request that. If a memory in use has the
        same text, that one is returned with status 200 and `existing`; letter case, white space and the full stop at
        the end make no difference. A dry run returns the address that it would get, even before it has content.
        """
        if read_query(DryRunQuery, request.query_params)["dry_run"]:
            draft = node_draft(read_body(MemoryPreviewInput, request.data))
            return Response(CreatePreviewSerializer(node_create_preview(request.actor, draft=draft)).data)
        values = read_body(MemoryInput, request.data)
        draft = node_draft(values)
        sources_check(request.actor, draft.sources)
        node, is_new = node_ensure(request.actor, draft=draft, reason=values["reason"])
        return stored_response(request, node, is_new=is_new)


class MemoryDetailView(WorkspaceView):
    @extend_schema(parameters=[MemoryQuery], responses=MemorySerializer)
    def get(self, request: ApiRequest, node_id: UUID) -> Response:
        """Get a memory

        Returns one memory: its abstract, its abstract and overview, or its full text.
        """
        query = read_query(MemoryQuery, request.query_params)
        return node_response(request, node_get(request.actor, node_id), tier=query["tier"])

    @extend_schema(
        request=MemoryChanges, responses={200: MemorySerializer, **error_responses(TREE_REFUSED)}, parameters=IF_MATCH
    )
    def patch(self, request: ApiRequest, node_id: UUID) -> Response:
        """Update a memory

        Changes the text, tags or date of a memory. An abstract or overview that you write stays until the
        content changes.
        """
        changes, version = read_body(MemoryChanges, request.data), expected_version(request)
        reason = changes.pop("reason", "")
        node = node_edit(request.actor, node_id=node_id, changes=changes, version=version, reason=reason)
        return node_response(request, node)

    @extend_schema(
        parameters=[EraseQuery, *MAY_MATCH],
        responses={200: ErasePreviewSerializer, 204: None, **error_responses(TREE_REFUSED)},
    )
    def delete(self, request: ApiRequest, node_id: UUID) -> Response:
        """Delete a memory permanently

        Deletes the memory and everything under it permanently, with their history. No import restores them;
        archive them instead if you may want them back.
        """
        if read_query(EraseQuery, request.query_params)["dry_run"]:
            return Response(ErasePreviewSerializer(node_erase_preview(request.actor, node_id)).data)
        node_erase(request.actor, node_id=node_id, version=version_if_named(request))
        return Response(status=204)
