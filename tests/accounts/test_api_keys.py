"""API keys: no stronger than their creator, stored only as a hash, revoked at once."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import ApiKey, KeyScope, Role, User, Workspace
from apps.accounts.permissions import Permission
from apps.accounts.services.keys import ApiKeyDraft, api_key_authenticate, api_key_create, api_key_revoke
from apps.common.errors import Forbidden, NotFound, NotSignedIn
from tests.people import JsonClient, client_of, key_client_of, person

pytestmark = pytest.mark.django_db

READ, WRITE, ADMIN = "read", "write", "admin"


def key_of(actor: Actor, *scopes: str, **more: Any) -> str:
    return api_key_create(actor, draft=ApiKeyDraft("ci", frozenset(scopes or (READ,)), **more)).secret


def test_only_a_hash_of_a_key_is_stored(alice: Actor) -> None:
    secret = key_of(alice)
    row = ApiKey.objects.get()
    assert re.fullmatch(r"ck_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}", secret)
    assert row.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in str(vars(row))


def test_a_secret_is_shown_once(alice: Actor) -> None:
    browser = client_of(alice)
    made = browser.post("/api/api-keys", {"name": "ci", "scopes": ["read"]}).json()
    listed = browser.get("/api/api-keys")
    secret = made.pop("secret")
    assert listed.json()["data"] == [made]
    assert secret not in listed.content.decode()
    assert secret.startswith(made["prefix"])
    assert browser.post("/api/api-keys", {"name": "usual"}).json()["scopes"] == ["read", "write"]


def test_a_key_acts_for_its_owner_in_its_workspace(alice: Actor) -> None:
    holder = api_key_authenticate(key_of(alice, READ, WRITE))
    assert (holder.actor.user_id, holder.actor.workspace_id) == (alice.user_id, alice.workspace_id)
    assert (holder.actor.may_write, holder.actor.may(Permission.MANAGE_WORKSPACE)) == (True, False)


@pytest.mark.parametrize("header", ["Authorization", "X-Api-Key"])
def test_a_key_is_sent_in_either_header(header: str, alice: Actor) -> None:
    secret = key_of(alice)
    value = f"Bearer {secret}" if header == "Authorization" else secret
    me = JsonClient(headers={header: value}).get("/api/me").json()
    assert (me["user"]["email"], me["scopes"]) == ("alice@example.org", ["read"])


def test_a_key_sees_no_other_workspace_of_its_owner(alice: Actor, charlie: Actor) -> None:
    person("Alice", Workspace.objects.get(pk=charlie.workspace_id), Role.ADMIN)
    program = key_client_of(alice)
    assert [held["name"] for held in program.get("/api/me").json()["memberships"]] == ["Acme"]
    assert [held["name"] for held in program.get("/api/workspaces").json()["data"]] == ["Acme"]
    assert program.post("/api/workspaces", {"name": "Garden"}).status_code == 403
    assert program.get(f"/api/workspaces/{charlie.workspace_id}").status_code == 404
    other = program.get("/api/policy", headers={"X-Continuity-Workspace": str(charlie.workspace_id)})
    assert other.status_code == 404


@pytest.mark.parametrize(
    ("role", "most"),
    [
        (Role.OWNER, {READ, WRITE, ADMIN}),
        (Role.ADMIN, {READ, WRITE, ADMIN}),
        (Role.CURATOR, {READ, WRITE}),
        (Role.MEMBER, {READ, WRITE}),
        (Role.AUDITOR, {READ}),
        (Role.VIEWER, {READ}),
    ],
)
def test_a_key_cannot_do_more_than_its_owner(role: Role, most: set[str], acme: Workspace) -> None:
    eve = person("Eve", acme, role)
    assert key_of(eve, *most)
    for scope in {READ, WRITE, ADMIN} - most:
        with pytest.raises(Forbidden):
            key_of(eve, scope)


def test_a_key_loses_the_permissions_that_its_owner_loses(alice: Actor, bob: Actor) -> None:
    program = key_client_of(bob, READ, WRITE)
    client_of(alice).patch(f"/api/members/{bob.user_id}", {"role": "viewer"})
    assert program.get("/api/me").json()["scopes"] == ["read"]
    assert program.post("/api/invitations", {"email": "x@example.org"}).status_code == 403


def test_a_key_creates_keys_only_with_the_admin_scope(alice: Actor) -> None:
    body = {"name": "ci", "scopes": ["read"]}
    assert key_client_of(alice, READ, WRITE).post("/api/api-keys", body).status_code == 403
    assert key_client_of(alice, READ, ADMIN).post("/api/api-keys", body).status_code == 201
    beyond = key_client_of(alice, READ, ADMIN).post("/api/api-keys", {**body, "scopes": ["write"]})
    assert (beyond.status_code, beyond.json()["code"]) == (403, "scope_exceeds_role")


def test_a_revoked_key_is_rejected_from_the_next_request_on(alice: Actor) -> None:
    program, browser = key_client_of(alice), client_of(alice)
    assert program.get("/api/me").status_code == 200
    key_id = browser.get("/api/api-keys").json()["data"][0]["id"]
    revoked = [browser.delete(f"/api/api-keys/{key_id}").json()["revoked_at"] for _ in range(2)]
    assert revoked[0] == revoked[1] is not None
    assert (program.get("/api/me").status_code, program.get("/api/me").json()["code"]) == (401, "invalid_key")


def test_members_see_and_revoke_their_own_keys_and_administrators_all(alice: Actor, bob: Actor, charlie: Actor) -> None:
    hers, his = key_of(alice), key_of(bob)
    her_id, his_id = (ApiKey.objects.get(prefix=secret[3:11]).pk for secret in (hers, his))

    def listed(actor: Actor) -> set[str]:
        return {key["id"] for key in client_of(actor).get("/api/api-keys").json()["data"]}

    assert (listed(alice), listed(bob), listed(charlie)) == ({str(her_id), str(his_id)}, {str(his_id)}, set())
    with pytest.raises(NotFound):
        api_key_revoke(bob, key_id=her_id)
    with pytest.raises(NotFound):
        api_key_revoke(charlie, key_id=her_id)
    assert api_key_revoke(alice, key_id=his_id).revoked_at


def test_an_expired_key_is_rejected(alice: Actor) -> None:
    secret = key_of(alice, expires_at=timezone.now() + timedelta(hours=1))
    assert api_key_authenticate(secret)
    ApiKey.objects.update(expires_at=timezone.now())
    with pytest.raises(NotSignedIn):
        api_key_authenticate(secret)


def test_the_key_of_an_inactive_account_is_rejected(alice: Actor) -> None:
    secret = key_of(alice)
    User.objects.filter(pk=alice.user_id).update(is_active=False)
    with pytest.raises(NotSignedIn):
        api_key_authenticate(secret)


@pytest.mark.parametrize(
    "change", [lambda k: k[:-1], lambda k: k + "a", lambda k: k[:12] + "0" * 43, lambda k: "", str.upper]
)
def test_an_altered_key_is_rejected(change: Any, alice: Actor) -> None:
    with pytest.raises(NotSignedIn):
        api_key_authenticate(change(key_of(alice)))


def test_the_last_use_of_a_key_is_updated_once_a_minute(alice: Actor, django_assert_num_queries: Any) -> None:
    secret = key_of(alice)
    with django_assert_num_queries(2):
        api_key_authenticate(secret)
    with django_assert_num_queries(1):
        api_key_authenticate(secret)
    ApiKey.objects.update(last_used_at=timezone.now() - timedelta(seconds=61))
    with django_assert_num_queries(2):
        api_key_authenticate(secret)
    assert ApiKey.objects.filter(scopes__contains=[KeyScope.READ], last_used_at__isnull=False).exists()
