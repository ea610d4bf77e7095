"""Endpoints of paired clients: list them, test what they get, and revoke their keys."""

from __future__ import annotations

import time
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.accounts.selectors.paired_clients import REVOKED, paired_client_actor, paired_client_list
from apps.accounts.services.paired_clients import paired_client_revoke
from apps.api.accounts.pairing_serializers import AgentTestSerializer, PairedClientSerializer
from apps.api.context.session_context_serializers import DEFAULT_BUDGET, TEXT_BYTES
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import PAGING
from apps.api.openapi.documented_errors import error_responses
from apps.context.services.injection import ContextLimits, session_context_preview


class AgentsView(WorkspaceView):
    permissions = by_method(get=Permission.READ_WORKSPACE)

    @extend_schema(parameters=PAGING, responses=page_serializer(PairedClientSerializer))
    def get(self, request: ApiRequest) -> Response:
        """List paired clients

        Returns the clients that you paired, newest first; administrators get all of the workspace.
        """
        page = window(request)
        clients = paired_client_list(request.actor, after=page.after, limit=page.limit)
        return page_response(request, clients, PairedClientSerializer)


class AgentDetailView(WorkspaceView):
    permissions = by_method(delete=Permission.MANAGE_OWN_KEYS)

    @extend_schema(responses={200: PairedClientSerializer})
    def delete(self, request: ApiRequest, agent_id: UUID) -> Response:
        """Revoke a paired client

        Revokes the client's API key. It is rejected from the next request on.
        """
        return Response(PairedClientSerializer(paired_client_revoke(request.actor, paired_client_id=agent_id)).data)


class AgentTestView(WorkspaceView):
    permissions = by_method(post=Permission.READ)

    @extend_schema(
        request=None, responses={200: AgentTestSerializer, **error_responses((410, "agent_revoked", REVOKED))}
    )
    def post(self, request: ApiRequest, agent_id: UUID) -> Response:
        """Test a paired client

        Composes the context that this client of yours would get now at the start of a session, and returns its size.
        Nothing is recorded: no session, and no use of the memories.
        """
        started = time.monotonic()
        actor = paired_client_actor(request.actor, agent_id)
        context = session_context_preview(actor, limits=ContextLimits(DEFAULT_BUDGET, TEXT_BYTES))
        body = {
            "engine": "enabled" if context.engine_enabled else "disabled",
            "bytes": context.injection.size,
            "tokens": context.injection.tokens,
            "memories": context.memory_count,
            "ms": round((time.monotonic() - started) * 1000),
        }
        return Response(AgentTestSerializer(body).data)
