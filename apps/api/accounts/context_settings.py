"""Endpoint of the caller's context settings in the current workspace."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.accounts.selectors.context_settings import context_settings_get
from apps.accounts.services.context_settings import ContextSettingsChange, context_settings_update
from apps.api.accounts.serializers import ContextSettingsInput, ContextSettingsSerializer
from apps.api.framework.etags import expected_version, versioned
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import IF_MATCH


class ContextSettingsView(WorkspaceView):
    permissions = by_method(patch=Permission.MANAGE_SELF)

    @extend_schema(responses=ContextSettingsSerializer)
    def get(self, request: ApiRequest) -> Response:
        """Get your context settings

        Returns how context packs are built for you in this workspace: knowledge depth, which sections come
        first, the token budget, and whether memories are made from your conversations.
        """
        settings = context_settings_get(request.actor)
        return versioned(request, ContextSettingsSerializer(settings).data, settings.version)

    @extend_schema(request=ContextSettingsInput, responses=ContextSettingsSerializer, parameters=IF_MATCH)
    def patch(self, request: ApiRequest) -> Response:
        """Update your context settings

        Changes the given context settings and leaves the others as they are.
        """
        change = ContextSettingsChange(**read_body(ContextSettingsInput, request.data))
        settings = context_settings_update(request.actor, change=change, version=expected_version(request))
        return versioned(request, ContextSettingsSerializer(settings).data, settings.version)
