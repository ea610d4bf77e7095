"""Members, roles and workspaces: permissions, and the last owner."""

from __future__ import annotations

from contextlib import suppress

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import MEMBER_ROLES, Membership, Role, User, Workspace
from apps.accounts.services.members import member_remove, member_update
from apps.common.errors import Conflict, Forbidden, NotFound
from apps.common.tenancy import workspace
from tests.accounts.crowd import at_once
from tests.people import JsonClient, client_of, key_client_of, person

pytestmark = pytest.mark.django_db

EVERY_ROLE = [role.value for role in MEMBER_ROLES]
OTHERS = [Role.CURATOR, Role.AUDITOR, Role.MEMBER, Role.VIEWER]


def roles(actor: Actor) -> dict[str, str]:
    rows = Membership.objects.filter(workspace_id=actor.workspace_id).select_related("user")
    return {row.user.name: row.role for row in rows}


@pytest.mark.parametrize("role", EVERY_ROLE)
def test_an_owner_can_assign_any_role(role: str, alice: Actor, bob: Actor) -> None:
    answer = client_of(alice).patch(f"/api/members/{bob.user_id}", {"role": role})
    assert (answer.status_code, answer.json()["role"]) == (200, role)
    assert roles(alice) == {"Alice": "owner", "Bob": role}


def test_nobody_is_added_without_an_invitation(alice: Actor, charlie: Actor) -> None:
    assert client_of(alice).post("/api/members", {"email": "charlie@example.org"}).status_code == 405
    assert roles(alice) == {"Alice": "owner"}


@pytest.mark.parametrize("role", OTHERS)
def test_only_administrators_change_members(role: Role, alice: Actor, charlie: Actor) -> None:
    eve = person("Eve", Workspace.objects.get(pk=alice.workspace_id), role)
    browser = client_of(eve)
    assert browser.post("/api/invitations", {"email": "charlie@example.org"}).status_code == 403
    assert browser.patch(f"/api/members/{alice.user_id}", {"role": "viewer"}).status_code == 403
    assert browser.delete(f"/api/members/{alice.user_id}").status_code == 403
    assert browser.patch(f"/api/workspaces/{alice.workspace_id}", {"name": "Eve's"}).status_code == 403
    assert roles(alice) == {"Alice": "owner", "Eve": role}


def test_an_admin_cannot_grant_or_revoke_ownership(alice: Actor, bob: Actor) -> None:
    member_update(alice, user_id=bob.user_id, role="admin")
    admin = person("Bob", Workspace.objects.get(pk=alice.workspace_id), Role.ADMIN)
    admin = Actor(admin.user_id, admin.workspace_id, Role.ADMIN)
    with pytest.raises(Forbidden):
        member_update(admin, user_id=admin.user_id, role="owner")
    with pytest.raises(Forbidden):
        member_remove(admin, user_id=alice.user_id)
    assert roles(alice) == {"Alice": "owner", "Bob": "admin"}


def test_the_last_owner_stays(alice: Actor, bob: Actor) -> None:
    with pytest.raises(Conflict):
        member_update(alice, user_id=alice.user_id, role="admin")
    with pytest.raises(Conflict):
        member_remove(alice, user_id=alice.user_id)
    member_update(alice, user_id=bob.user_id, role="owner")
    member_remove(alice, user_id=alice.user_id)
    assert roles(alice) == {"Bob": "owner"}


def test_the_last_owner_is_told_why_they_cannot_leave(alice: Actor, bob: Actor) -> None:
    answer = client_of(alice).delete(f"/api/members/{alice.user_id}")
    assert (answer.status_code, answer.json()["code"]) == (409, "last_owner")
    assert "owner" in answer.json()["detail"]
    member_update(alice, user_id=bob.user_id, role="owner")
    assert client_of(alice).delete(f"/api/members/{alice.user_id}").status_code == 204
    assert roles(alice) == {"Bob": "owner"}


def test_a_member_who_left_works_in_their_other_workspace(acme: Workspace, alice: Actor, charlie: Actor) -> None:
    person("Charlie", acme, Role.MEMBER)
    browser = JsonClient()
    browser.force_login(User.objects.get(pk=charlie.user_id))
    browser.patch("/api/me", {"workspace_id": str(acme.id)})
    assert browser.delete(f"/api/members/{charlie.user_id}").status_code == 204
    assert browser.get("/api/me").json()["workspace"]["name"] == "Charlie's"


def test_every_member_may_leave(alice: Actor, bob: Actor) -> None:
    assert client_of(bob).delete(f"/api/members/{bob.user_id}").status_code == 204
    assert roles(alice) == {"Alice": "owner"}


def test_a_viewer_may_leave_too(alice: Actor) -> None:
    viewer = person("Vera", Workspace.objects.get(pk=alice.workspace_id), Role.VIEWER)
    assert client_of(viewer).delete(f"/api/members/{viewer.user_id}").status_code == 204


def test_the_keys_of_a_former_member_are_rejected(acme: Workspace, alice: Actor, bob: Actor) -> None:
    program = key_client_of(bob)
    assert program.get("/api/me").status_code == 200
    member_remove(alice, user_id=bob.user_id)
    assert program.get("/api/me").status_code == 401
    person("Bob", acme, Role.MEMBER)
    assert program.get("/api/me").status_code == 401


def test_members_of_other_workspaces_are_not_found(alice: Actor, charlie: Actor) -> None:
    with pytest.raises(NotFound):
        member_update(alice, user_id=charlie.user_id, role="viewer")
    assert [m["name"] for m in client_of(alice).get("/api/members").json()["data"]] == ["Alice"]


def test_users_see_only_their_own_workspaces(alice: Actor, bob: Actor, charlie: Actor) -> None:
    def names(actor: Actor) -> list[str]:
        return [held["name"] for held in client_of(actor).get("/api/workspaces").json()["data"]]

    assert (names(alice), names(bob), names(charlie)) == (["Acme"], ["Acme"], ["Charlie's"])


def test_an_owner_renames_the_workspace(alice: Actor) -> None:
    answer = client_of(alice).patch(f"/api/workspaces/{alice.workspace_id}", {"name": "Acme & Co"})
    assert (answer.status_code, answer.json()["name"]) == (200, "Acme & Co")


def test_a_repeated_post_creates_one_workspace(bob: Actor) -> None:
    browser = client_of(bob)
    made = [browser.post("/api/workspaces", {"name": "New"}, headers={"Idempotency-Key": "k"}) for _ in range(2)]
    assert made[0].json()["id"] == made[1].json()["id"]
    assert Workspace.objects.filter(name="New").count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_remove_each_other_concurrently_leave_one(alice: Actor, bob: Actor) -> None:
    with workspace(alice.workspace_id):
        member_update(alice, user_id=bob.user_id, role="owner")
    owners = [alice, Actor(bob.user_id, bob.workspace_id, Role.OWNER)]

    def remove(actor: Actor, other: Actor) -> None:
        with suppress(Conflict, NotFound), workspace(actor.workspace_id):
            member_remove(actor, user_id=other.user_id)

    at_once(lambda: remove(owners[0], owners[1]), lambda: remove(owners[1], owners[0]))
    assert list(roles(alice).values()) == ["owner"]
