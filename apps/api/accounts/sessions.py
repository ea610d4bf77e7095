"""Endpoints of sign-up, sign-in and sign-out."""

from __future__ import annotations

from django.middleware.csrf import get_token
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.selectors.users import actor_anywhere, actor_or_none
from apps.accounts.services.sign_in_limits import browser_remember
from apps.accounts.services.users import user_begin_session, user_sign_in, user_sign_out, user_sign_up
from apps.api.accounts.me import me
from apps.api.accounts.serializers import MeSerializer, SignInInput, SignUpInput
from apps.api.framework.permissions import InBrowser
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import AccountView, Permissions, PublicView
from apps.turns.services.demo.sample import sample_request


class SignUpView(PublicView):
    rate = "sign_up"

    @extend_schema(request=SignUpInput, responses={201: MeSerializer})
    def post(self, request: ApiRequest) -> Response:
        """Sign up

        Creates an account with its own workspace and starts a session.
        """
        user = user_sign_up(**read_body(SignUpInput, request.data))
        actor = actor_anywhere(user.id)
        sample_request(workspace_id=actor.workspace_id, user_id=user.id)
        user_begin_session(request._request, user_id=user.id)
        get_token(request._request)
        response = Response(me(user, actor), status=201)
        browser_remember(response, user_id=user.id)
        return response


class SignInView(PublicView):
    rate = "sign_in"

    @extend_schema(request=SignInInput, responses=MeSerializer)
    def post(self, request: ApiRequest) -> Response:
        """Sign in

        Starts a session. The response sets the session and CSRF cookies.
        """
        user = user_sign_in(request._request, **read_body(SignInInput, request.data))
        get_token(request._request)
        response = Response(me(user, actor_or_none(user.id)))
        browser_remember(response, user_id=user.id)
        return response


class SignOutView(AccountView):
    permission_classes: Permissions = (InBrowser,)

    @extend_schema(request=None, responses={204: None})
    def post(self, request: ApiRequest) -> Response:
        """Sign out

        Ends the current session.
        """
        user_sign_out(request._request)
        return Response(status=204)
