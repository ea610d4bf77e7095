"""Changes of members in the console have the same effects on keys, sockets and owners as in the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from apps.accounts.actors import Actor
from apps.accounts.models import ApiKey, Invitation, Membership, Role, User, Workspace
from apps.accounts.services.invitations import invitation_create
from apps.accounts.services.keys import ApiKeyDraft, api_key_create
from apps.accounts.services.members import LAST_OWNER
from apps.common.tenancy import workspace
from tests.console.conftest import console, operator
from tests.console.test_changes import act, save
from tests.console.test_pages import url

__all__ = ["console", "operator"]
pytestmark = pytest.mark.django_db(transaction=True)

Frames = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def frames(monkeypatch: pytest.MonkeyPatch) -> Frames:
    frames: Frames = []
    monkeypatch.setattr("apps.events.publish.publish_frame", lambda group, frame: frames.append((group, frame)))
    return frames


def of(actor: Actor) -> Membership:
    return Membership.objects.get(workspace_id=actor.workspace_id, user_id=actor.user_id)


def key_of(actor: Actor) -> ApiKey:
    return ApiKey.objects.get(pk=api_key_create(actor, draft=ApiKeyDraft("ci", frozenset({"read"}))).key.id)


def page_of(actor: Actor, kind: type[Model]) -> Model:
    return kind._default_manager.get(pk=actor.user_id if kind is User else actor.workspace_id)


def roles(actor: Actor) -> set[tuple[str, str]]:
    return set(Membership.objects.filter(workspace_id=actor.workspace_id).values_list("user__name", "role"))


def row_in(console: Client, page: Model, row: Membership) -> str:
    """The fields of the membership's row on a page."""
    formset = console.get(url(type(page), "change", page.pk)).context["inline_admin_formsets"][0].formset
    return str(next(form.prefix for form in formset.initial_forms if form.instance == row))


def remove_by_page(console: Client, row: Membership) -> Any:
    return console.post(url(Membership, "delete", row.pk), {"post": "yes"}, follow=True)


def remove_by_action(console: Client, *rows: Membership) -> Any:
    chosen = {"action": "delete_selected", "_selected_action": [str(row.pk) for row in rows], "post": "yes"}
    return console.post(url(Membership, "changelist"), chosen, follow=True)


def remove_on(console: Client, page: Model, row: Membership) -> Any:
    return save(console, page, **{f"{row_in(console, page, row)}-DELETE": "on"})


def revocations(frames: Frames) -> list[str]:
    return [group for group, frame in frames if frame["name"] == "AccessRevoked"]


WAYS: dict[str, Any] = {
    "page": lambda console, actor: remove_by_page(console, of(actor)),
    "action": lambda console, actor: remove_by_action(console, of(actor)),
    "person": lambda console, actor: remove_on(console, page_of(actor, User), of(actor)),
    "workspace": lambda console, actor: remove_on(console, page_of(actor, Workspace), of(actor)),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_removed_member_loses_keys_and_sockets(
    way: str, console: Client, alice: Actor, bob: Actor, frames: Frames
) -> None:
    his, hers = key_of(bob), key_of(alice)
    WAYS[way](console, bob)
    assert roles(alice) == {("Alice", "owner")}
    his.refresh_from_db()
    hers.refresh_from_db()
    assert his.revoked_at is not None and hers.revoked_at is None
    assert revocations(frames) == [f"person.{bob.workspace_id}.{bob.user_id}"]


@pytest.mark.parametrize("way", WAYS)
def test_the_last_owner_cannot_be_removed(way: str, console: Client, alice: Actor, bob: Actor, frames: Frames) -> None:
    key = key_of(alice)
    answer = WAYS[way](console, alice)
    assert LAST_OWNER in answer.content.decode()
    assert roles(alice) == {("Alice", "owner"), ("Bob", "member")}
    key.refresh_from_db()
    assert key.revoked_at is None and revocations(frames) == []


@pytest.mark.parametrize("where", [Membership, User, Workspace])
def test_the_last_owner_stays_an_owner(where: type[Model], console: Client, alice: Actor, bob: Actor) -> None:
    row = of(alice)
    page: Model = row if where is Membership else page_of(alice, where)
    field = "role" if where is Membership else f"{row_in(console, page, row)}-role"
    assert LAST_OWNER in save(console, page, **{field: "admin"}).content.decode()
    assert roles(alice) == {("Alice", "owner"), ("Bob", "member")}
    Membership.objects.filter(user_id=bob.user_id).update(role=Role.OWNER)
    save(console, page, **{field: "admin"})
    assert roles(alice) == {("Alice", "admin"), ("Bob", "owner")}


def test_two_owners_cannot_both_be_removed(console: Client, alice: Actor, bob: Actor) -> None:
    Membership.objects.update(role=Role.OWNER)
    both, page = [of(alice), of(bob)], page_of(alice, Workspace)
    hers, his = (row_in(console, page, row) for row in both)
    assert LAST_OWNER in remove_by_action(console, *both).content.decode()
    assert LAST_OWNER in save(console, page, **{f"{hers}-DELETE": "on", f"{his}-role": "viewer"}).content.decode()
    assert roles(alice) == {("Alice", "owner"), ("Bob", "owner")}


def test_a_membership_cannot_be_moved_to_another_user(
    console: Client, alice: Actor, bob: Actor, charlie: Actor
) -> None:
    page = page_of(alice, Workspace)
    save(console, page, **{f"{row_in(console, page, of(bob))}-user": str(charlie.user_id)})
    assert roles(alice) == {("Alice", "owner"), ("Bob", "member")}


def test_a_deactivated_user_loses_all_sockets(
    console: Client, alice: Actor, bob: Actor, charlie: Actor, frames: Frames
) -> None:
    Membership.objects.create(user_id=bob.user_id, workspace_id=charlie.workspace_id, role=Role.MEMBER)
    save(console, page_of(bob, User), name="Robert")
    assert revocations(frames) == []
    save(console, page_of(bob, User), is_active="")
    assert not User.objects.get(pk=bob.user_id).is_active
    assert set(revocations(frames)) == {f"person.{each.workspace_id}.{bob.user_id}" for each in (bob, charlie)}


def test_a_new_password_closes_the_sockets_of_old_sessions(console: Client, bob: Actor, frames: Frames) -> None:
    new = {"usable_password": "true", "password1": "quite another one", "password2": "quite another one"}
    console.post(reverse("admin:auth_user_password_change", args=[bob.user_id]), new)
    assert revocations(frames) == [f"person.{bob.workspace_id}.{bob.user_id}"]


def test_a_member_s_role_can_change_in_the_list_of_members(console: Client, alice: Actor, bob: Actor) -> None:
    save(console, of(bob), role="curator")
    assert roles(alice) == {("Alice", "owner"), ("Bob", "curator")}
    act(console, "delete_selected", of(bob))
    assert roles(alice) == {("Alice", "owner"), ("Bob", "curator")}, "asked for a confirmation first"


def test_an_operator_can_revoke_an_invitation(alice: Actor, console: Client) -> None:
    with workspace(alice.workspace_id):
        made = invitation_create(alice, email="charlie@example.org", role="member")
    act(console, "revoke", Invitation.objects.get(pk=made.invitation.id))
    assert Invitation.objects.get().ended_at is not None
