"""Endpoints of model settings, provider tests and write-only provider keys."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import SecretStr
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.accounts.selectors import policy_for_workspace
from apps.api.framework.etags import expected_version, versioned
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.llm.model_serializers import (
    KeyTestSerializer,
    ModelsInput,
    ModelsSerializer,
    ModelTestInput,
    ProviderKeyInput,
    ProviderStatusSerializer,
)
from apps.api.openapi.auto_schema import IF_MATCH
from apps.llm.providers.base import Purpose
from apps.llm.routing.providers import KEYED_IDS
from apps.llm.selectors.model_settings import models_get
from apps.llm.services.model_settings import ModelsChange, models_update
from apps.llm.services.provider_keys import (
    ProviderKeyDraft,
    backend_test,
    provider_key_delete,
    provider_key_save,
    provider_key_test,
)

KEYED_BACKEND = [OpenApiParameter("backend", str, OpenApiParameter.PATH, enum=KEYED_IDS)]


class ModelsView(WorkspaceView):
    permissions = by_method(get=Permission.READ_WORKSPACE)

    @extend_schema(responses=ModelsSerializer)
    def get(self, request: ApiRequest) -> Response:
        """Get the model settings

        Returns which model serves each purpose and why, and the state of every provider.
        """
        return _response(request)

    @extend_schema(request=ModelsInput, responses=ModelsSerializer, parameters=IF_MATCH)
    def patch(self, request: ApiRequest) -> Response:
        """Update the model settings

        Chooses the provider and its models. Absent fields stay unchanged; `null` leaves the choice to the
        installation. Model names belong to their provider.
        """
        change = _change(read_body(ModelsInput, request.data))
        models_update(request.actor, change=change, version=expected_version(request))
        return _response(request)


class ModelTestView(WorkspaceView):
    """No transaction is open during the provider call. Rate-limited, because it can be used to guess keys."""

    unit = False
    permissions = by_method(post=Permission.MANAGE_MODELS)
    rate = "model_key"

    @extend_schema(request=ModelTestInput, responses=KeyTestSerializer)
    def post(self, request: ApiRequest) -> Response:
        """Test a model provider

        Tests a provider with a key that is not stored yet, or with the key that would be used.
        """
        values = read_body(ModelTestInput, request.data)
        backend = values.pop("backend")
        if not values:
            return Response(KeyTestSerializer(backend_test(request.actor, backend=backend)).data)
        test = provider_key_test(request.actor, draft=_draft(backend, values))
        return Response(KeyTestSerializer(test).data)


class ModelKeyView(WorkspaceView):
    """No transaction is open during the provider call. Rate-limited, because it can be used to guess keys."""

    unit = False
    permissions = by_method(put=Permission.MANAGE_MODELS, delete=Permission.MANAGE_MODELS)
    rate = "model_key"

    @extend_schema(request=ProviderKeyInput, responses=ProviderStatusSerializer, parameters=KEYED_BACKEND)
    def put(self, request: ApiRequest, backend: str) -> Response:
        """Store a provider key

        Stores the workspace's own key after the provider accepted it. The key is never returned.
        """
        draft = _draft(backend, read_body(ProviderKeyInput, request.data))
        return Response(ProviderStatusSerializer(provider_key_save(request.actor, draft=draft)).data)

    @extend_schema(responses={204: None}, parameters=KEYED_BACKEND)
    def delete(self, request: ApiRequest, backend: str) -> Response:
        """Delete a provider key

        Deletes the workspace's own key.
        """
        provider_key_delete(request.actor, backend=backend)
        return Response(status=204)


def _response(request: ApiRequest) -> Response:
    record = models_get(request.actor, policy_for_workspace())
    return versioned(request, ModelsSerializer(record).data, record.version)


def _change(values: dict[str, Any]) -> ModelsChange:
    backend = values["backend"] or "" if "backend" in values else None
    return ModelsChange(backend, {Purpose(name): model for name, model in values.get("by_purpose", {}).items()})


def _draft(backend: str, values: dict[str, Any]) -> ProviderKeyDraft:
    return ProviderKeyDraft(backend, SecretStr(values.get("key", "")), values.get("base_url", ""))
