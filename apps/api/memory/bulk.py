"""Bulk creation of memories: each item has its own result, and an invalid one does not affect the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from apps.accounts.actors import Actor
from apps.api.framework.exception_mapping import problem_from
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import Input, read_body
from apps.api.framework.views import WorkspaceView
from apps.api.memory.node_inputs import NodeInput, node_draft
from apps.api.memory.node_serializers import ITEM_STATES, ItemResultsSerializer
from apps.common.errors import ContinuityError
from apps.memory.records.tree import ItemResult
from apps.memory.services.bulk.create_by_name import nodes_create_named
from apps.memory.services.source_checks import sources_check
from apps.memory.services.tree.node_drafts import NodeDraft

MOST_ITEMS = 1_000


class AnyItem(serializers.JSONField):
    """An item that is validated separately, so that an error affects only that item."""


class BulkInput(Input):
    items = serializers.ListField(
        child=AnyItem(),
        min_length=1,
        max_length=MOST_ITEMS,
        help_text="Items as for a single memory, without a reason.",
    )


class BulkBodySerializer(serializers.Serializer[Any]):
    """Memories to create. Invalid items are reported and do not affect the others."""

    items = serializers.ListField(child=NodeInput(), min_length=1, max_length=MOST_ITEMS)


class MemoriesBulkView(WorkspaceView):
    @extend_schema(request=BulkBodySerializer, responses=ItemResultsSerializer)
    def post(self, request: ApiRequest) -> Response:
        """Create memories in bulk

        Writes up to 1,000 memories. The response lists the result of each: `unchanged` if a memory in use, or an
        earlier item, has the same text. Vectors and better abstracts and overviews follow in the background.
        """
        items = read_body(BulkInput, request.data)["items"]
        return Response(ItemResultsSerializer(results_document(_created(request.actor, items))).data)


def results_document(results: Sequence[ItemResult]) -> dict[str, Any]:
    counts = Counter(result.state for result in results)
    return {**{state: counts[state] for state in ITEM_STATES}, "items": results}


def _created(actor: Actor, items: Sequence[Any]) -> list[ItemResult]:
    """Create the valid items and return the results of all items in request order."""
    drafts: dict[int, NodeDraft] = {}
    results: dict[int, ItemResult] = {}
    reader = NodeInput()
    for position, item in enumerate(items):
        try:
            drafts[position] = node_draft(reader.run_validation(item))
            sources_check(actor, drafts[position].sources)
        except (ValidationError, ContinuityError) as error:
            drafts.pop(position, None)
            results[position] = _refused(position, item, error)
    positions = list(drafts)
    for result in nodes_create_named(actor, drafts=list(drafts.values())):
        position = positions[result.position]
        results[position] = replace(result, position=position)
    return [results[position] for position in range(len(items))]


def _refused(place: int, item: Any, error: Exception) -> ItemResult:
    uri = item.get("uri") if isinstance(item, dict) else None
    problem = problem_from(error)
    pointer = problem.errors[0]["pointer"] if problem.errors else ""
    detail = f"{pointer}: {problem.detail}" if pointer else problem.detail
    return ItemResult(place, "refused", None, uri if isinstance(uri, str) else "", problem.code, detail)
