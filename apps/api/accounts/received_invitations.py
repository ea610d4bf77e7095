"""Endpoints for the person who was invited, with the secret of their link."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.selectors.invitations import NOT_FOUND, OVER, invitation_preview
from apps.accounts.services.invitations import invitation_accept, invitation_decline
from apps.api.accounts.invitation_serializers import InvitationPreviewSerializer, InvitationSecretInput
from apps.api.accounts.me import me_in
from apps.api.accounts.serializers import MeSerializer
from apps.api.framework.idempotency import reject_idempotency_key
from apps.api.framework.permissions import InBrowser
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import AccountView, ApiView, Permissions
from apps.api.openapi.documented_errors import error_responses

_REFUSALS = error_responses((404, "invitation_not_found", NOT_FOUND), (410, "invitation_over", OVER))


class ReceivedInvitationView(AccountView):
    """Base of what a signed-in person does with a link, whichever workspace they are in."""

    permission_classes: Permissions = (InBrowser,)
    stores_response = False
    rate = "invitation"

    def answer(self, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        """Run without a unit of work, because the invitation is from another workspace."""
        reject_idempotency_key(request)
        return ApiView.answer(self, request, *args, **kwargs)

    def secret(self, request: ApiRequest) -> str:
        secret: str = read_body(InvitationSecretInput, request.data)["secret"]
        return secret


class InvitationPreviewView(ReceivedInvitationView):
    @extend_schema(request=InvitationSecretInput, responses={200: InvitationPreviewSerializer, **_REFUSALS})
    def post(self, request: ApiRequest) -> Response:
        """Preview an invitation

        Returns who invited you to which workspace. Only the account with the invited email address can see it.
        """
        found = invitation_preview(user_id=request.user_id, secret=self.secret(request))
        return Response(InvitationPreviewSerializer(found).data)


class InvitationAcceptView(ReceivedInvitationView):
    @extend_schema(request=InvitationSecretInput, responses={200: MeSerializer, **_REFUSALS})
    def post(self, request: ApiRequest) -> Response:
        """Accept an invitation

        Makes you a member of the workspace and switches this session to it. An invitation can be used once.
        """
        workspace_id = invitation_accept(user_id=request.user_id, secret=self.secret(request))
        return Response(me_in(request, workspace_id))


class InvitationDeclineView(ReceivedInvitationView):
    @extend_schema(request=InvitationSecretInput, responses={204: None, **_REFUSALS})
    def post(self, request: ApiRequest) -> Response:
        """Decline an invitation

        Ends the invitation without joining the workspace.
        """
        invitation_decline(user_id=request.user_id, secret=self.secret(request))
        return Response(status=204)
