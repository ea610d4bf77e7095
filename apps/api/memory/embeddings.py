"""Endpoints of the workspace's embedding model, which can be changed without interrupting search."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import Input, OutputSerializer, Text, read_body
from apps.api.framework.views import WorkspaceView
from apps.api.jobs.operation_response import operation_response
from apps.api.jobs.operation_serializers import OperationSerializer
from apps.api.openapi.documented_errors import error_responses
from apps.common.errors import Unprocessable
from apps.llm.embedding.registry import default_embedder_name
from apps.llm.errors import ModelError
from apps.memory.records.search import AbandonedModel, SpaceRecord
from apps.memory.selectors.search.embedding_spaces import space_progress
from apps.memory.services.index.space_changes import space_change

LONGEST_MODEL = 160
SPACE_STATES = ("building", "serving", "retired")
BUSY = (409, "busy", "The previous embeddings of this model are still being deleted. Try again in a minute.")
UNKNOWN_MODEL = (422, "unknown_model", "Unknown embedding model.")


class EmbeddingsInput(Input):
    model = Text(max_length=LONGEST_MODEL, help_text="The model's name, as in `serving`.")


class EmbeddingSpaceSerializer(OutputSerializer[SpaceRecord]):
    """An embedding space: the vectors of one model."""

    id = serializers.UUIDField()
    model = serializers.CharField()
    dimension = serializers.IntegerField()
    state = serializers.ChoiceField(choices=SPACE_STATES)
    chosen = serializers.BooleanField(
        help_text="Whether it was chosen for this workspace; otherwise it follows the installation."
    )


class GivenUpSerializer(OutputSerializer[AbandonedModel]):
    """A model whose vectors could not be computed."""

    model = serializers.CharField()
    code = serializers.CharField(help_text="The error code, as in an operation's error.")
    detail = serializers.CharField()
    chosen = serializers.BooleanField(
        help_text="Whether it was chosen for this workspace; otherwise it is the installation's."
    )
    since = serializers.DateTimeField()
    retry_at = serializers.DateTimeField(
        help_text="Earliest time of an automatic retry; it can be chosen manually at any time."
    )


class EmbeddingsSerializer(OutputSerializer[Any]):
    serving = EmbeddingSpaceSerializer(
        allow_null=True, help_text="The space that answers queries; null before the first one."
    )
    building = EmbeddingSpaceSerializer(
        allow_null=True, help_text="The space being built, which replaces `serving` when complete."
    )
    given_up = GivenUpSerializer(allow_null=True, help_text="The last abandoned replacement, shown for some hours.")
    default = serializers.CharField(help_text="The installation's model.")
    passages = serializers.IntegerField(
        help_text="Number of memories, proposed ones too, and messages; counted up to 100,000."
    )
    waiting = serializers.IntegerField(
        help_text="How many of `passages` are new or changed and not embedded yet; search finds new ones only by words."
    )
    built = serializers.IntegerField(help_text="Number of passages that `building` has processed.")
    per_minute = serializers.IntegerField(
        allow_null=True, help_text="How many passages are embedded in a minute at present; null while none is."
    )


class EmbeddingsView(WorkspaceView):
    permissions = by_method(get=Permission.READ_WORKSPACE)

    @extend_schema(responses=EmbeddingsSerializer)
    def get(self, request: ApiRequest) -> Response:
        """Get the embedding model

        Returns the model that computes the vectors, and how many texts have one.
        """
        return Response(_state())

    @extend_schema(
        request=EmbeddingsInput,
        responses={200: EmbeddingsSerializer, 202: OperationSerializer, **error_responses(BUSY, UNKNOWN_MODEL)},
    )
    def put(self, request: ApiRequest) -> Response:
        """Change the embedding model

        Chooses the model that computes the vectors; for owners and admins. Search uses the current vectors
        until every text has a new one.

        Choosing the current model recomputes nothing (200): the choice stays even if the installation's default
        changes, and a switch to another model that is in progress is canceled. A switch to a model that returns
        no embeddings is abandoned as well (`given_up`), and the current model stays.
        """
        model = read_body(EmbeddingsInput, request.data)["model"]
        try:
            operation = space_change(request.actor, model)
        except ModelError as error:
            raise _api_error(error) from error
        return Response(_state()) if operation is None else operation_response(operation)


def _state() -> Any:
    return EmbeddingsSerializer({**asdict(space_progress()), "default": default_embedder_name()}).data


def _api_error(error: ModelError) -> ModelError | Unprocessable:
    """Map an unsupported model name to a client error; all other errors come from the model."""
    _, code, detail = UNKNOWN_MODEL
    return Unprocessable(detail, code=code) if error.code == "not_supported" else error
