"""Endpoint that lists the memory tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.actors import Actor
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_query
from apps.api.framework.views import WorkspaceView
from apps.api.memory.node_inputs import TreeQuery
from apps.api.memory.node_serializers import MemoryLineSerializer
from apps.api.openapi.auto_schema import PAGING
from apps.common.errors import NotFound
from apps.common.pagination import Page
from apps.engine.memory.addresses import ROOTS, SCHEME, Address
from apps.engine.memory.categories import category_of
from apps.engine.memory.trust import Arrival, Trust
from apps.memory.selectors.tree import node_at, tree_list


class TreeView(WorkspaceView):
    @extend_schema(parameters=[TreeQuery, *PAGING], responses=page_serializer(MemoryLineSerializer))
    def get(self, request: ApiRequest) -> Response:
        """List the memory tree

        Returns what is below an address, ordered by address. With a depth above 1, each directory is followed
        by its content. Listing a memory does not count as using it.
        """
        query, part = read_query(TreeQuery, request.query_params), window(request)
        if query["uri"] is None:
            return page_response(request, Page(list(_roots(request.actor)), None), MemoryLineSerializer)
        page = tree_list(
            request.actor,
            query["uri"],
            depth=query["depth"],
            after=part.after,
            limit=part.limit,
            archived=query["archived"],
        )
        return page_response(request, page, MemoryLineSerializer)


def _roots(actor: Actor) -> Iterator[dict[str, Any]]:
    """Return the three roots, whose rows exist only once a memory is below them."""
    for name in ROOTS:
        address = Address(f"{SCHEME}{name}")
        empty = _empty(address)
        try:
            node = node_at(actor, address)
        except NotFound:
            yield empty
        else:
            yield {field: getattr(node, field, value) for field, value in empty.items()}


def _empty(address: Address) -> dict[str, Any]:
    return {
        "id": None,
        "uri": str(address),
        "name": address.name,
        "node_type": "dir",
        "category": category_of(address) or "",
        "abstract": "",
        "owner_id": None,
        "shared": False,
        "trust": Trust.DIRECT_USER.value,
        "arrival": Arrival.ACCEPTED.value,
        "relevance": 1.0,
        "archived_at": None,
        "child_count": 0,
        "depth": 0,
        "version": 0,
        "updated_at": None,
    }
