"""The people of every test: Alice owns the workspace Acme, Bob is a member of it, Charlie must have no access."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.accounts.actors import Actor
from apps.accounts.models import KeyScope, Membership, Role, User, Workspace
from apps.accounts.permissions import scopes_of_role
from apps.accounts.services.keys import ApiKeyDraft, api_key_create

PASSWORD = "correct horse battery"


def person(name: str, workspace: Workspace, role: Role) -> Actor:
    """Return a person with a role in the workspace, created if necessary."""
    email = f"{name.lower()}@example.org"
    user = User.objects.filter(email=email).first() or User.objects.create_user(email, PASSWORD, name=name)
    digest = user.id.hex if role is Role.END_USER else None
    Membership.objects.get_or_create(workspace=workspace, user=user, defaults={"role": role, "end_user_digest": digest})
    return Actor(user_id=user.id, workspace_id=workspace.id, role=role)


def client_of(actor: Actor) -> APIClient:
    """A client with the actor's session in the actor's workspace. CSRF has tests of its own."""
    client = JsonClient(headers={"X-Continuity-Workspace": str(actor.workspace_id)})
    client.force_login(User.objects.get(pk=actor.user_id))
    return client


def key_client_of(actor: Actor, *scopes: str) -> APIClient:
    """A client with an API key of the actor, with the given scopes or all that the role allows it for itself."""
    made = api_key_create(actor, draft=ApiKeyDraft("test", frozenset(scopes) or own_scopes(actor.role)))
    return JsonClient(headers={"Authorization": f"Bearer {made.secret}"})


def own_scopes(role: Role) -> frozenset[str]:
    """The scopes of a key that acts for its owner."""
    return frozenset(scope.value for scope in scopes_of_role(role) - {KeyScope.ACT_FOR_USERS})


class JsonClient(APIClient):
    """Sends JSON, and returns the response of an error instead of raising it, as a server does."""

    def __init__(self, **options: Any) -> None:
        super().__init__(raise_request_exception=False, **options)
        self.default_format = "json"


@pytest.fixture
def acme(request: pytest.FixtureRequest, db: None) -> Workspace:
    """The workspace; that of the module's shared data if the test uses them (`tests/shared_data.py`)."""
    if "shared_acme" in request.fixturenames:
        shared: Workspace = request.getfixturevalue("shared_acme")
        return shared
    return Workspace.objects.create(name="Acme")


@pytest.fixture
def alice(acme: Workspace) -> Actor:
    return person("Alice", acme, Role.OWNER)


@pytest.fixture
def bob(acme: Workspace) -> Actor:
    return person("Bob", acme, Role.MEMBER)


@pytest.fixture
def charlie(request: pytest.FixtureRequest, db: None) -> Actor:
    """Owner of another workspace; that of the module's shared data if the test uses it."""
    if "shared_charlie" in request.fixturenames:
        shared: Actor = request.getfixturevalue("shared_charlie")
        return shared
    return person("Charlie", Workspace.objects.create(name="Charlie's"), Role.OWNER)
