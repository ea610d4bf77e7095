"""The demo's person: an account with a workspace and an API key."""

from __future__ import annotations

import secrets

from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.models import KeyScope, User
from apps.accounts.services.keys import ApiKeyDraft, api_key_create
from apps.accounts.services.workspaces import workspace_create

EMAIL = "demo@continuity.local"
_SCOPES = frozenset(scope.value for scope in KeyScope if scope is not KeyScope.ACT_FOR_USERS)
"""The demo's key acts for the demo's person."""


def demo_person(new_credentials: bool) -> tuple[User, str | None]:
    """Return the demo's person, and the password if it was created now."""
    password = secrets.token_urlsafe(12)
    with transaction.atomic():
        user = User.objects.select_for_update().filter(email=EMAIL).first()
        if user is None:
            user = User.objects.create_user(EMAIL, password, name="Lena")
            workspace_create(user_id=user.id, name="Demo")
        elif new_credentials:
            user.set_password(password)
            user.save(update_fields=["password"])
        else:
            return user, None
    return user, password


def demo_key(actor: Actor) -> str:
    return api_key_create(actor, draft=ApiKeyDraft("Demo", _SCOPES)).secret
