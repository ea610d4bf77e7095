"""The cast of every test: Alice owns the workspace Acme, Bob is a member of it, Charlie must have no access."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.accounts.actors import Actor
from apps.accounts.models import Membership, Role, User, Workspace
from apps.accounts.permissions import scopes_of_role
from apps.accounts.services.keys import ApiKeyDraft, api_key_create

PASSWORD = "correct horse battery"


def person(name: str, workspace: Workspace, role: Role) -> Actor:
    """Somebody with a role in the workspace, made if they don't exist."""
    email = f"{name.lower()}@example.org"
    user = User.objects.filter(email=email).first() or User.objects.create_user(email, PASSWORD, name=name)
    Membership.objects.get_or_create(workspace=workspace, user=user, defaults={"role": role})
    return Actor(user_id=user.id, workspace_id=workspace.id, role=role)


def client_of(actor: Actor) -> APIClient:
    """The actor's browser: a session in the actor's workspace. CSRF is tested where it matters."""
    client = JsonClient(headers={"X-Continuity-Workspace": str(actor.workspace_id)})
    client.force_login(User.objects.get(pk=actor.user_id))
    return client


def key_client_of(actor: Actor, *scopes: str) -> APIClient:
    """A program of the actor's, with the given scopes, or all that the role allows."""
    allowed = frozenset(scopes) or frozenset(scope.value for scope in scopes_of_role(actor.role))
    made = api_key_create(actor, draft=ApiKeyDraft("test", allowed))
    return JsonClient(headers={"Authorization": f"Bearer {made.secret}"})


class JsonClient(APIClient):
    """Sends JSON, and gives an error's answer rather than its traceback, as a server does."""

    def __init__(self, **options: Any) -> None:
        super().__init__(raise_request_exception=False, **options)
        self.default_format = "json"


@pytest.fixture
def acme(db: None) -> Workspace:
    return Workspace.objects.create(name="Acme")


@pytest.fixture
def alice(acme: Workspace) -> Actor:
    return person("Alice", acme, Role.OWNER)


@pytest.fixture
def bob(acme: Workspace) -> Actor:
    return person("Bob", acme, Role.MEMBER)


@pytest.fixture
def charlie(db: None) -> Actor:
    return person("Charlie", Workspace.objects.create(name="Charlie's"), Role.OWNER)
