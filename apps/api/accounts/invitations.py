"""Endpoints of the invitations to the current workspace."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.accounts.selectors.invitations import invitation_list
from apps.accounts.services.invitations import invitation_create, invitation_revoke
from apps.api.accounts.invitation_serializers import InvitationInput, InvitationSerializer, NewInvitationSerializer
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import PAGING


class InvitationsView(WorkspaceView):
    stores_response = False  # the response contains a secret, which is never stored
    permissions = by_method(get=Permission.MANAGE_MEMBERS, post=Permission.MANAGE_MEMBERS)

    @extend_schema(parameters=PAGING, responses=page_serializer(InvitationSerializer))
    def get(self, request: ApiRequest) -> Response:
        """List invitations

        Returns the pending invitations of the workspace, newest first. Secrets are never included.
        """
        bounds = window(request)
        page = invitation_list(request.actor, after=bounds.after, limit=bounds.limit)
        return page_response(request, page, InvitationSerializer)

    @extend_schema(request=InvitationInput, responses={201: NewInvitationSerializer})
    def post(self, request: ApiRequest) -> Response:
        """Invite a person

        Creates an invitation for an email address, with or without an account; it expires after seven days. No
        mail is sent: pass on the link `/join/<secret>`. The response is the only one that contains the secret. An
        earlier invitation of the same address ends.
        """
        made = invitation_create(request.actor, **read_body(InvitationInput, request.data))
        return Response({**InvitationSerializer(made.invitation).data, "secret": made.secret}, status=201)


class InvitationDetailView(WorkspaceView):
    permissions = by_method(delete=Permission.MANAGE_MEMBERS)

    @extend_schema(responses={204: None})
    def delete(self, request: ApiRequest, invitation_id: UUID) -> Response:
        """Revoke an invitation

        Ends a pending invitation. Its link no longer works.
        """
        invitation_revoke(request.actor, invitation_id=invitation_id)
        return Response(status=204)
