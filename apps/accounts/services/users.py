"""Sign-up, sign-in, sign-out, and account changes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from apps.accounts.models import Membership, User
from apps.accounts.records import UserRecord, user_record
from apps.accounts.services.sign_in_limits import attempt_begin
from apps.accounts.services.workspaces import workspace_create
from apps.accounts.time_zones import time_zone_names
from apps.common.errors import Conflict, Invalid, NotSignedIn, Unprocessable
from apps.events.publish import publish
from apps.events.types import AccessRevoked

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def user_sign_up(*, email: str, password: str, name: str = "") -> UserRecord:
    """Create a user with their own workspace; raises `Invalid` or `Conflict`."""
    user = User(email=email.lower(), name=name or email.partition("@")[0][:120])
    _check_password(password, user)
    user.set_password(password)
    with transaction.atomic():
        _store(user)
        workspace_create(user_id=user.id, name=f"{user.name}'s workspace"[:120])
    return user_record(user)


def user_sign_in(request: HttpRequest, *, email: str, password: str) -> UserRecord:
    """Start a session; raises the same `NotSignedIn` for a wrong address, wrong password or inactive account."""
    user = user_with_password(request, email=email.lower(), password=password)
    if not isinstance(user, User) or not user.is_active:
        raise NotSignedIn("That email and password don't match.", code="wrong_credentials")
    login(request, user, backend=BACKEND)
    return user_record(user)


def user_begin_session(request: HttpRequest, *, user_id: UUID) -> None:
    """Start the session of a user who has just signed up."""
    login(request, User.objects.get(pk=user_id), backend=BACKEND)


def user_sign_out(request: HttpRequest) -> None:
    """End the session and close its sockets."""
    user_id: Any = request.user.pk
    logout(request)
    user_access_recheck(user_id=user_id)


def user_access_recheck(*, user_id: UUID) -> None:
    """Trigger the access check of the user's sockets, after a session or the account has ended."""
    for workspace_id in Membership.objects.filter(user_id=user_id).values_list("workspace_id", flat=True):
        publish(AccessRevoked(workspace_id=workspace_id, user_id=user_id))


def user_rename(*, user_id: UUID, name: str) -> UserRecord:
    user = User.objects.get(pk=user_id)
    user.name = name
    user.save(update_fields=["name"])
    return user_record(user)


def user_finish_tour(*, user_id: UUID, done: bool) -> None:
    """Store whether the user has seen the tour, or wants to see it again."""
    User.objects.filter(pk=user_id).update(tour_done=done)


def user_set_time_zone(*, user_id: UUID, name: str) -> None:
    """Store the time zone in which the person's days are counted; raise `Unprocessable` for an unknown name."""
    if name and name not in time_zone_names():
        raise Unprocessable(f"There is no time zone named {name}.", code="unknown_time_zone")
    User.objects.filter(pk=user_id).update(time_zone=name)


def user_choose_workspace(*, user_id: UUID, workspace_id: UUID) -> None:
    """Remember the workspace for the person's next session."""
    Membership.objects.filter(user_id=user_id, workspace_id=workspace_id).update(chosen_at=timezone.now())


def user_with_password(request: HttpRequest, *, email: str, password: str) -> AbstractBaseUser | None:
    """Return the user with this password, None if there is none; raises `TooManyAttempts`."""
    attempt = attempt_begin(request, email=email)
    user: AbstractBaseUser | None = authenticate(request, email=email, password=password)
    if user is not None:
        attempt.refund()
    return user


def _store(user: User) -> None:
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError as error:
        raise Conflict("There's already an account with this email. Sign in instead.", code="email_taken") from error


def _check_password(password: str, user: User) -> None:
    try:
        validate_password(password, user)
    except ValidationError as refusal:
        errors = [
            {"pointer": "/password", "code": error.code or "invalid", "detail": " ".join(error.messages)}
            for error in refusal.error_list
        ]
        raise Invalid("Choose a stronger password.", code="weak_password", extra={"errors": errors}) from refusal
