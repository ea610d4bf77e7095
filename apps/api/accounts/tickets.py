"""Endpoint of WebSocket tickets, for programs and for pages of other sites."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.accounts.records import Ticket
from apps.accounts.services.tickets import ticket_issue
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import OutputSerializer
from apps.api.framework.views import WorkspaceView


class TicketSerializer(OutputSerializer[Ticket]):
    ticket = serializers.CharField(help_text="Send it as the socket's first frame, never in a URL.")
    expires_in_s = serializers.IntegerField()


class TicketView(WorkspaceView):
    stores_response = False  # the response contains a secret, which is never stored
    permissions = by_method(post=Permission.READ)

    @extend_schema(request=None, responses={201: TicketSerializer})
    def post(self, request: ApiRequest) -> Response:
        """Create a WebSocket ticket

        Returns a single-use secret that opens the socket at /ws as the caller, in this workspace.

        A socket opened with a session's ticket closes when the session ends; one opened with a key's ticket
        closes when the key is revoked.
        """
        session_key = None if request.key_holder else request.session.session_key
        return Response(TicketSerializer(ticket_issue(request.actor, session_key=session_key)).data, status=201)
