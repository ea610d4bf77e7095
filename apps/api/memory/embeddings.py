"""Which model makes the workspace's vectors, and changing it while search goes on."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import Input, OutputSerializer, Text, read_body
from apps.api.framework.views import WorkspaceView
from apps.api.jobs.operations import OperationSerializer
from apps.api.openapi.documented_errors import refusals
from apps.common.errors import Unprocessable
from apps.llm.embedding.registry import default_embedder_name
from apps.llm.errors import ModelError
from apps.memory.records.search import GivenUp, SpaceRecord
from apps.memory.selectors.search.embedding_spaces import space_progress
from apps.memory.services.index.space_changes import space_change

LONGEST_MODEL = 160
SPACE_STATES = ("building", "serving", "retired")
BUSY = (409, "busy", "The former vectors of this model are still being removed; try again in a minute.")
UNKNOWN_MODEL = (422, "unknown_model", "No model of this name makes vectors here.")


class EmbeddingsInput(Input):
    model = Text(max_length=LONGEST_MODEL, help_text="Its name, as `serving` tells it.")


class EmbeddingSpaceSerializer(OutputSerializer[SpaceRecord]):
    """The vectors of one model."""

    id = serializers.UUIDField()
    model = serializers.CharField()
    dimension = serializers.IntegerField()
    state = serializers.ChoiceField(choices=SPACE_STATES)
    chosen = serializers.BooleanField(help_text="By somebody for this workspace; else it follows the installation.")


class GivenUpSerializer(OutputSerializer[GivenUp]):
    """A model that gave no vectors."""

    model = serializers.CharField()
    code = serializers.CharField(help_text="Why, as an operation's error tells it.")
    detail = serializers.CharField()
    chosen = serializers.BooleanField(help_text="By somebody for this workspace; else the installation's.")
    since = serializers.DateTimeField()
    retry_at = serializers.DateTimeField(
        help_text="The installation does not begin with it again before; it can be chosen at any time."
    )


class EmbeddingsSerializer(OutputSerializer[Any]):
    serving = EmbeddingSpaceSerializer(allow_null=True, help_text="Answers queries; null before there is one.")
    building = EmbeddingSpaceSerializer(
        allow_null=True, help_text="Takes its place when it has a vector of everything."
    )
    given_up = GivenUpSerializer(allow_null=True, help_text="The last one that was to take its place, for some hours.")
    default = serializers.CharField(help_text="The installation's.")
    passages = serializers.IntegerField(help_text="Memories and messages that search reads, up to 100,000.")
    waiting = serializers.IntegerField(help_text="Those that have no vector yet; they are found by their words.")
    built = serializers.IntegerField(help_text="Those that `building` has got to.")


class EmbeddingsView(WorkspaceView):
    @extend_schema(responses=EmbeddingsSerializer)
    def get(self, request: ApiRequest) -> Response:
        """Which model makes the vectors, and how much has one."""
        return Response(_state())

    @extend_schema(
        request=EmbeddingsInput,
        responses={200: EmbeddingsSerializer, 202: OperationSerializer, **refusals(BUSY, UNKNOWN_MODEL)},
    )
    def put(self, request: ApiRequest) -> Response:
        """Choose the model that makes them; for owners and admins. Search goes by the present ones until all are made.
        Of the present model nothing is made: it stays, whatever the installation goes by (200), and a change that is
        under way to another one is given up. A model that makes none is given up too (`given_up`), and the present one
        stays."""
        model = read_body(EmbeddingsInput, request.data)["model"]
        try:
            operation = space_change(request.actor, model)
        except ModelError as error:
            raise _told(error) from error
        if operation is None:
            return Response(_state())
        headers = {"Location": f"/api/operations/{operation.id}"}
        return Response(OperationSerializer(operation).data, status=202, headers=headers)


def _state() -> Any:
    return EmbeddingsSerializer({**asdict(space_progress()), "default": default_embedder_name()}).data


def _told(error: ModelError) -> ModelError | Unprocessable:
    """A name that means nothing is the asker's mistake, everything else the model's."""
    _, code, detail = UNKNOWN_MODEL
    return Unprocessable(detail, code=code) if error.code == "not_supported" else error
