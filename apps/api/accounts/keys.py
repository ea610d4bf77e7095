"""Endpoints of the API keys of the current workspace."""

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
    stores_response = False  # the response contains a secret, which is never stored
    permissions = by_method(get=Permission.READ_WORKSPACE, post=Permission.MANAGE_OWN_KEYS)

    @extend_schema(parameters=PAGING, responses=page_serializer(ApiKeySerializer))
    def get(self, request: ApiRequest) -> Response:
        """List API keys

        Returns your own API keys; administrators get all keys of the workspace. Secrets are never included.
        """
        page = window(request)
        return page_response(request, api_key_list(request.actor, after=page.after, limit=page.limit), ApiKeySerializer)

    @extend_schema(request=ApiKeyInput, responses={201: NewApiKeySerializer})
    def post(self, request: ApiRequest) -> Response:
        """Create an API key

        Creates an API key whose permissions do not exceed yours. The response is the only one that contains the
        secret.
        """
        values = read_body(ApiKeyInput, request.data)
        draft = ApiKeyDraft(values["name"], frozenset(values["scopes"]), values["expires_at"])
        made = api_key_create(request.actor, draft=draft)
        return Response({**ApiKeySerializer(made.key).data, "secret": made.secret}, status=201)


class ApiKeyDetailView(WorkspaceView):
    permissions = by_method(delete=Permission.MANAGE_OWN_KEYS)

    @extend_schema(responses={200: ApiKeySerializer})
    def delete(self, request: ApiRequest, key_id: UUID) -> Response:
        """Revoke an API key

        Revokes the key. It is rejected from the next request on.
        """
        return Response(ApiKeySerializer(api_key_revoke(request.actor, key_id=key_id)).data)
