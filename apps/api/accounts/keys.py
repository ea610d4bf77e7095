"""API keys of the current workspace."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.accounts.selectors.keys import api_key_list
from apps.accounts.services.keys import ApiKeyDraft, api_key_create, api_key_revoke
from apps.api.accounts.serializers import ApiKeyInput, ApiKeySerializer, NewApiKeySerializer
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import PAGING


class ApiKeysView(WorkspaceView):
    keeps_answer = False  # it holds a secret, which is kept nowhere
    permissions = by_method(post=Permission.MANAGE_OWN_KEYS)

    @extend_schema(parameters=PAGING, responses=page_serializer(ApiKeySerializer))
    def get(self, request: ApiRequest) -> Response:
        """One's own keys; to an administrator, those of the workspace. Secrets are never shown again."""
        part = window(request)
        return page_response(request, api_key_list(request.actor, after=part.after, limit=part.limit), ApiKeySerializer)

    @extend_schema(request=ApiKeyInput, responses={201: NewApiKeySerializer})
    def post(self, request: ApiRequest) -> Response:
        """Make a key, no stronger than oneself. The answer holds the secret, this once."""
        values = read_body(ApiKeyInput, request.data)
        draft = ApiKeyDraft(values["name"], frozenset(values["scopes"]), values["expires_at"])
        made = api_key_create(request.actor, draft=draft)
        return Response(NewApiKeySerializer(made).data, status=201)


class ApiKeyDetailView(WorkspaceView):
    permissions = by_method(delete=Permission.MANAGE_OWN_KEYS)

    @extend_schema(responses=ApiKeySerializer)
    def delete(self, request: ApiRequest, key_id: UUID) -> Response:
        """Revoke a key; it is out of force from the next request on."""
        return Response(ApiKeySerializer(api_key_revoke(request.actor, key_id=key_id)).data)
