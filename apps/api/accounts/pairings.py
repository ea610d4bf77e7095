"""Endpoints that pair a client by a short code (RFC 8628): the client's own, and those of the person who decides."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.accounts.records import PairedKey
from apps.accounts.selectors.pairings import EXPIRED
from apps.accounts.services.installation import server_id
from apps.accounts.services.pairings import (
    DENIED,
    LIFETIME,
    POLL_INTERVAL_S,
    USED,
    pairing_approve,
    pairing_deny,
    pairing_preview,
    pairing_redeem,
    pairing_request,
)
from apps.api.accounts.pairing_serializers import (
    NewPairingSerializer,
    PairedKeySerializer,
    PairingInput,
    PairingPendingSerializer,
    PairingSerializer,
    PairingTokenInput,
)
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import PublicView, WorkspaceView
from apps.api.openapi.documented_errors import error_responses

USER_CODE = OpenApiParameter(
    "user_code",
    OpenApiTypes.STR,
    OpenApiParameter.PATH,
    description="The code that the client shows, in any case and with or without its hyphen.",
)
_EXPIRED = error_responses((410, "pairing_expired", EXPIRED))
_OVER = error_responses((410, "pairing_used", USED))


class PairingsView(PublicView):
    rate = "pairing"

    @extend_schema(request=PairingInput, responses={201: NewPairingSerializer})
    def post(self, request: ApiRequest) -> Response:
        """Request a pairing

        Returns a secret device code and a user code. Show the user code and the address of the page, where a person
        who is signed in confirms it. Then poll for the key with the device code.
        """
        made = pairing_request(**read_body(PairingInput, request.data))
        body = {
            "device_code": made.device_code,
            "user_code": made.user_code,
            "verification_url": f"/pair?code={made.user_code}",
            "expires_in": int(LIFETIME.total_seconds()),
            "interval": POLL_INTERVAL_S,
            "server_id": server_id(),
        }
        return Response(NewPairingSerializer(body).data, status=201)


class PairingTokenView(PublicView):
    rate = "pairing_token"

    @extend_schema(
        request=PairingTokenInput,
        responses={
            200: PairedKeySerializer,
            202: PairingPendingSerializer,
            **error_responses((410, "pairing_denied", DENIED)),
        },
    )
    def post(self, request: ApiRequest) -> Response:
        """Collect the key of a pairing

        Returns 202 until a person decides, then once the API key. Afterwards, and when the codes have expired or the
        person refused, it returns 410 with the code `pairing_used`, `pairing_expired` or `pairing_denied`. Polls that
        are much faster than the interval get 429.
        """
        paired = pairing_redeem(**read_body(PairingTokenInput, request.data))
        if paired is None:
            return Response(PairingPendingSerializer({"status": "pending"}).data, status=202)
        return Response(PairedKeySerializer(_collected(paired)).data)


class PairingDetailView(WorkspaceView):
    permissions = by_method(get=Permission.MANAGE_OWN_KEYS)

    @extend_schema(parameters=[USER_CODE], responses={200: PairingSerializer, **_EXPIRED})
    def get(self, request: ApiRequest, user_code: str) -> Response:
        """Get a pairing

        Returns which client on which machine requests a key, and the workspace that the key would be for: the current
        one.
        """
        return Response(PairingSerializer(pairing_preview(request.actor, user_code=user_code)).data)


class PairingApproveView(WorkspaceView):
    permissions = by_method(post=Permission.MANAGE_OWN_KEYS)

    @extend_schema(parameters=[USER_CODE], request=None, responses={200: PairingSerializer, **_OVER})
    def post(self, request: ApiRequest, user_code: str) -> Response:
        """Approve a pairing

        Lets the client collect an API key that acts for you in the current workspace, with the scopes `read` and
        `write`. An API key that approves needs both itself.
        """
        return Response(PairingSerializer(pairing_approve(request.actor, user_code=user_code)).data)


class PairingDenyView(WorkspaceView):
    permissions = by_method(post=Permission.MANAGE_OWN_KEYS)

    @extend_schema(parameters=[USER_CODE], request=None, responses={200: PairingSerializer, **_OVER})
    def post(self, request: ApiRequest, user_code: str) -> Response:
        """Deny a pairing

        Refuses the client. An approval can be denied as long as the client has not collected its key.
        """
        return Response(PairingSerializer(pairing_deny(request.actor, user_code=user_code)).data)


def _collected(paired: PairedKey) -> dict[str, Any]:
    return {
        "status": "approved",
        "api_key": paired.key.secret,
        "key_id": paired.key.key.id,
        "workspace": paired.workspace,
        "user": paired.user,
        "server_id": server_id(),
    }
