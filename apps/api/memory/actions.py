"""Endpoints that move, merge, approve, archive, unarchive and share memories."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.response import Response

from apps.api.framework.etags import expected_version
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.memory.memories import ADDRESS_EXISTS, BAD_ADDRESS, TREE_REFUSED
from apps.api.memory.node_inputs import DryRunQuery, MergeInput, MoveInput, ReasonInput
from apps.api.memory.node_response import node_response
from apps.api.memory.node_serializers import MemorySerializer, MergePreviewSerializer
from apps.api.openapi.auto_schema import IF_MATCH
from apps.api.openapi.documented_errors import error_responses
from apps.memory.services.tree.archive import node_approve, node_archive, node_unarchive
from apps.memory.services.tree.merge import nodes_merge, nodes_merge_preview
from apps.memory.services.tree.move import node_move
from apps.memory.services.tree.share import node_share

NOT_PROPOSED = (409, "not_proposed", "The memory is already in use.")


class MemoryMoveView(WorkspaceView):
    @extend_schema(
        request=MoveInput,
        responses={200: MemorySerializer, **error_responses(BAD_ADDRESS, ADDRESS_EXISTS, TREE_REFUSED)},
        parameters=IF_MATCH,
    )
    def post(self, request: ApiRequest, node_id: UUID) -> Response:
        """Move a memory

        Gives the memory another address. Everything under it moves with it.
        """
        values, version = read_body(MoveInput, request.data), expected_version(request)
        node = node_move(request.actor, node_id=node_id, to=values["to"], version=version, reason=values["reason"])
        return node_response(request, node)


class MemoryMergeView(WorkspaceView):
    @extend_schema(
        request=MergeInput,
        parameters=[DryRunQuery, *IF_MATCH],
        responses={
            200: PolymorphicProxySerializer(
                "Merge", [MemorySerializer, MergePreviewSerializer], resource_type_field_name=None
            ),
            **error_responses(TREE_REFUSED),
        },
    )
    def post(self, request: ApiRequest, node_id: UUID) -> Response:
        """Merge memories

        Merges other memories into this one, which gets the lowest trust of all of them. One undo reverts the
        whole merge. A dry run returns the text and trust that it would get.
        """
        values, version = read_body(MergeInput, request.data), expected_version(request)
        if read_query(DryRunQuery, request.query_params)["dry_run"]:
            # The page requests it again while the version it knows is being replaced.
            preview = nodes_merge_preview(request.actor, target_id=node_id, source_ids=values["source_ids"])
            return Response(MergePreviewSerializer(preview).data)
        node = nodes_merge(
            request.actor,
            target_id=node_id,
            source_ids=values["source_ids"],
            content=values["content"],
            version=version,
            reason=values["reason"],
        )
        return node_response(request, node)


class MemoryApproveView(WorkspaceView):
    @extend_schema(request=ReasonInput, responses={200: MemorySerializer, **error_responses(NOT_PROPOSED)})
    def post(self, request: ApiRequest, node_id: UUID) -> Response:
        """Approve a memory

        Puts a proposed memory in use. It is then trusted like your own words; undoing the change restores the proposal.
        To decline a proposal, archive it.
        """
        values = read_body(ReasonInput, request.data)
        return node_response(request, node_approve(request.actor, node_id=node_id, reason=values["reason"]))


class MemoryArchiveView(WorkspaceView):
    @extend_schema(request=ReasonInput, responses={200: MemorySerializer, **error_responses(TREE_REFUSED)})
    def post(self, request: ApiRequest, node_id: UUID) -> Response:
        """Archive a memory

        Archives the memory and everything under it. Searches and context packs no longer use them.
        """
        values = read_body(ReasonInput, request.data)
        return node_response(request, node_archive(request.actor, node_id=node_id, reason=values["reason"]))


class MemoryRestoreView(WorkspaceView):
    @extend_schema(request=ReasonInput, responses={200: MemorySerializer, **error_responses(TREE_REFUSED)})
    def post(self, request: ApiRequest, node_id: UUID) -> Response:
        """Unarchive a memory

        Unarchives the memory and its parent folders.
        """
        values = read_body(ReasonInput, request.data)
        return node_response(request, node_unarchive(request.actor, node_id=node_id, reason=values["reason"]))


class MemoryShareView(WorkspaceView):
    @extend_schema(request=ReasonInput, responses={200: MemorySerializer, **error_responses(TREE_REFUSED)})
    def post(self, request: ApiRequest, node_id: UUID) -> Response:
        """Share a memory

        Makes the memory and everything under it visible to the whole workspace. Only owners, admins and
        curators may share, and only in `mem://agent`.
        """
        values = read_body(ReasonInput, request.data)
        return node_response(request, node_share(request.actor, node_id=node_id, reason=values["reason"]))
