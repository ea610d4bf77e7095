"""Each permission through the API in each role: the server allows exactly what the table grants."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace
from apps.accounts.permissions import Permission, role_allows
from apps.common.tenancy import workspace
from apps.jobs.services import operation_start
from tests.people import JsonClient, client_of, key_client_of, person

pytestmark = pytest.mark.django_db

Attempt = Callable[[JsonClient, Actor], int]


def _tagged(client: JsonClient, path: str, body: dict[str, object]) -> int:
    now = client.get(path)
    return client.patch(path, body, headers={"If-Match": now["ETag"]}).status_code if now.has_header("ETag") else 403


def _team_memory(client: JsonClient, bob: Actor) -> int:
    body = {"uri": "mem://agent/patterns/reviews", "content": "Two eyes more.", "shared": True}
    return client.post("/api/memories", body).status_code


def _somebody_elses_key(client: JsonClient, bob: Actor) -> int:
    key_client_of(bob)
    keys = client.get("/api/api-keys").json().get("data", [])
    return 200 if any(key["user_id"] == str(bob.user_id) for key in keys) else 403


def _somebody_elses_operation(client: JsonClient, bob: Actor) -> int:
    with workspace(bob.workspace_id):
        operation_start(bob, kind="canary", subject="")
    return 200 if client.get("/api/operations").json()["data"] else 403


ATTEMPTS: Mapping[Permission, Attempt] = {
    Permission.READ: lambda client, bob: client.get("/api/conversations").status_code,
    Permission.READ_WORKSPACE: lambda client, bob: client.get("/api/members").status_code,
    Permission.WRITE: lambda client, bob: client.post("/api/conversations", {}).status_code,
    Permission.CURATE_TEAM_MEMORY: _team_memory,
    Permission.READ_USAGE: lambda client, bob: client.get("/api/usage").status_code,
    Permission.MANAGE_SELF: lambda client, bob: _tagged(client, "/api/me/context", {"history_first": True}),
    Permission.MANAGE_OWN_KEYS: lambda client, bob: (
        client.post("/api/api-keys", {"name": "ci", "scopes": ["read"]}).status_code
    ),
    Permission.MANAGE_ALL_KEYS: _somebody_elses_key,
    Permission.READ_ALL_OPERATIONS: _somebody_elses_operation,
    Permission.MANAGE_WORKSPACE: lambda client, bob: (
        client.patch(f"/api/workspaces/{bob.workspace_id}", {"name": "Renamed"}).status_code
    ),
    Permission.MANAGE_MODELS: lambda client, bob: _tagged(client, "/api/models", {"by_purpose": {"chat": "a-model"}}),
    Permission.MANAGE_MEMBERS: lambda client, bob: (
        client.patch(f"/api/members/{bob.user_id}", {"role": "viewer"}).status_code
    ),
    Permission.MANAGE_OWNERS: lambda client, bob: (
        client.patch(f"/api/members/{bob.user_id}", {"role": "owner"}).status_code
    ),
    Permission.MANAGE_END_USERS: lambda client, bob: client.get("/api/end-users").status_code,
}


def test_every_permission_is_attempted() -> None:
    assert set(ATTEMPTS) == set(Permission)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("permission", Permission)
def test_a_role_does_what_the_table_gives_it_and_no_more(
    permission: Permission, role: Role, acme: Workspace, bob: Actor
) -> None:
    somebody = person("Robin", acme, role)
    status = ATTEMPTS[permission](client_of(somebody), bob)
    assert (status < 300, status) == ((True, status) if role_allows(role, permission) else (False, 403))


@pytest.mark.parametrize("role", Role)
def test_the_caller_is_sent_what_they_may_do_and_what_their_role_is_called(role: Role, acme: Workspace) -> None:
    answer = client_of(person("Robin", acme, role)).get("/api/me").json()
    assert answer["permissions"] == [permission.value for permission in Permission if role_allows(role, permission)]
    assert (answer["role"], answer["role_label"]) == (role.value, role.value.replace("_", " ").capitalize())


def test_a_key_is_sent_only_what_its_scopes_cover(alice: Actor) -> None:
    answer = key_client_of(alice, "read").get("/api/me").json()
    assert answer["permissions"] == ["read", "read_workspace", "read_usage"]
