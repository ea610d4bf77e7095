"""Which model makes the workspace's vectors, and changing it while search goes on."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.api.conventions.requests import ApiRequest
from apps.api.conventions.shapes import Input, Shape, Text, read_body
from apps.api.conventions.views import WorkspaceView
from apps.api.conversations.refusals import refusals
from apps.api.work.operations import OperationShape
from apps.common.errors import Unprocessable
from apps.llm.embedding.choosing import default_embedder_name
from apps.llm.errors import ModelError
from apps.memory.records.found import SpaceRecord
from apps.memory.selectors.spaces import space_progress
from apps.memory.services.vectors import space_change

LONGEST_MODEL = 160
SPACE_STATES = ("building", "serving", "retired")
SAME_MODEL = (409, "same_model", "The vectors are made by this model, or are about to be.")
UNKNOWN_MODEL = (422, "unknown_model", "No model of this name makes vectors here.")


class EmbeddingsInput(Input):
    model = Text(max_length=LONGEST_MODEL, help_text="Its name, as `serving` tells it.")


class EmbeddingSpaceShape(Shape[SpaceRecord]):
    """The vectors of one model."""

    id = serializers.UUIDField()
    model = serializers.CharField()
    dimension = serializers.IntegerField()
    state = serializers.ChoiceField(choices=SPACE_STATES)
    chosen = serializers.BooleanField(help_text="By somebody for this workspace; else it follows the installation.")


class EmbeddingsShape(Shape[Any]):
    serving = EmbeddingSpaceShape(allow_null=True, help_text="Answers queries; null before the first vector.")
    building = EmbeddingSpaceShape(allow_null=True, help_text="Takes its place when it has a vector of everything.")
    default = serializers.CharField(help_text="The installation's.")
    passages = serializers.IntegerField(help_text="Memories and messages that search reads, up to 100,000.")
    waiting = serializers.IntegerField(help_text="Those that have no vector yet; they are found by their words.")
    built = serializers.IntegerField(help_text="Those that `building` has got to.")


class EmbeddingsView(WorkspaceView):
    @extend_schema(responses=EmbeddingsShape)
    def get(self, request: ApiRequest) -> Response:
        """Which model makes the vectors, and how much has one."""
        progress = {**asdict(space_progress()), "default": default_embedder_name()}
        return Response(EmbeddingsShape(progress).data)

    @extend_schema(request=EmbeddingsInput, responses={202: OperationShape, **refusals(SAME_MODEL, UNKNOWN_MODEL)})
    def put(self, request: ApiRequest) -> Response:
        """Let another model make them; for owners and admins. Search goes by the present ones until all are made."""
        model = read_body(EmbeddingsInput, request.data)["model"]
        try:
            operation = space_change(request.actor, model)
        except ModelError as error:
            raise _told(error) from error
        headers = {"Location": f"/api/operations/{operation.id}"}
        return Response(OperationShape(operation).data, status=202, headers=headers)


def _told(error: ModelError) -> ModelError | Unprocessable:
    """A name that means nothing is the asker's mistake, everything else the model's."""
    _, code, detail = UNKNOWN_MODEL
    return Unprocessable(detail, code=code) if error.code == "not_supported" else error
