"""Sign-up, sign-in and sign-out in a browser."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import Membership, Role, User, Workspace
from apps.common.token_buckets import token_buckets
from tests.people import PASSWORD, JsonClient, client_of, key_client_of, person

pytestmark = pytest.mark.django_db

DORA = {"email": "Dora@Example.org", "password": "a long enough one", "name": "Dora"}


def browser() -> Any:
    """A client with CSRF checks enabled."""
    return JsonClient(enforce_csrf_checks=True)


def signed_in(email: str, password: str = PASSWORD) -> Any:
    client = browser()
    assert client.post("/api/sign-in", {"email": email, "password": password}).status_code == 200
    return client


def test_signing_up_creates_a_workspace_and_a_session() -> None:
    client = browser()
    answer = client.post("/api/sign-up", DORA)
    assert answer.status_code == 201
    me = client.get("/api/me").json()
    assert me == answer.json()
    assert (me["user"]["email"], me["workspace"]["name"]) == ("dora@example.org", "Dora's workspace")
    assert (me["role"], me["scopes"]) == ("owner", ["act_for_users", "admin", "read", "write"])
    assert Membership.objects.get(user__email="dora@example.org").role == Role.OWNER


@pytest.mark.parametrize(
    "password", ["a long\u200b enough one", "cafe\u0301 cafe\u0301 cafe\u0301", "one \u202e and two"]
)
def test_a_password_is_taken_character_by_character(password: str) -> None:
    assert browser().post("/api/sign-up", {**DORA, "password": password}).status_code == 201
    assert User.objects.get().check_password(password)
    assert signed_in("dora@example.org", password)


@pytest.mark.parametrize("password", [r"a long enough \u0000 one", r"a long enough \ud800 one"])
def test_a_password_that_cannot_be_stored_is_refused(password: str) -> None:
    body = json.dumps(DORA).replace(DORA["password"], password)
    answer = browser().generic("POST", "/api/sign-up", body, content_type="application/json")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/password")


def test_an_address_is_unique_regardless_of_case() -> None:
    browser().post("/api/sign-up", DORA)
    answer = browser().post("/api/sign-up", {**DORA, "email": "dORA@example.ORG"})
    assert (answer.status_code, answer.json()["code"]) == (409, "email_taken")
    assert User.objects.count() == 1


def test_trying_addresses_at_sign_up_is_limited_per_network_whether_or_not_they_are_taken(alice: Actor) -> None:
    most, _ = settings.RATE_LIMITS["sign_up"]

    def attempt(email: str, network: str) -> int:
        answer = browser().post("/api/sign-up", {**DORA, "email": email}, REMOTE_ADDR=network)
        return int(answer.status_code)

    assert {attempt("alice@example.org", "10.6.0.1") for _ in range(most)} == {409}
    assert attempt("alice@example.org", "10.6.0.1") == attempt("dora@example.org", "10.6.0.1") == 429
    assert attempt("alice@example.org", "10.6.0.2") == 409
    assert not User.objects.filter(email="dora@example.org").exists()


@pytest.mark.parametrize("password", ["short", "1234567890", "dora@example.org", "password123"])
def test_a_weak_password_is_rejected_with_a_pointer_and_nothing_is_stored(password: str) -> None:
    answer = browser().post("/api/sign-up", {**DORA, "password": password})
    assert (answer.status_code, answer.json()["code"]) == (400, "weak_password")
    assert {error["pointer"] for error in answer.json()["errors"]} == {"/password"}
    assert not User.objects.exists()


def test_a_password_is_not_trimmed() -> None:
    browser().post("/api/sign-up", {**DORA, "password": "  blanks are part of it  "})
    assert signed_in("dora@example.org", "  blanks are part of it  ")


def test_sign_in_ignores_the_case_of_the_address(alice: Actor) -> None:
    assert signed_in("ALICE@example.org").get("/api/me").json()["user"]["id"] == str(alice.user_id)


def test_a_wrong_address_and_a_wrong_password_look_the_same(alice: Actor) -> None:
    unknown = browser().post("/api/sign-in", {"email": "nobody@example.org", "password": PASSWORD})
    wrong = browser().post("/api/sign-in", {"email": "alice@example.org", "password": "not hers at all"})
    User.objects.create_user("gone@example.org", PASSWORD, is_active=False)
    inactive = browser().post("/api/sign-in", {"email": "gone@example.org", "password": PASSWORD})
    seen = [{**answer.json(), "request_id": ""} for answer in (unknown, wrong, inactive)]
    assert seen[0] == seen[1] == seen[2]
    assert (seen[0]["status"], seen[0]["code"]) == (401, "wrong_credentials")


def attempt(address: str, password: str = "a wrong guess", client: Any = None) -> Any:
    body = {"email": "alice@example.org", "password": password}
    return (client or browser()).post("/api/sign-in", body, REMOTE_ADDR=address)


def test_guessing_from_one_address_is_limited(alice: Actor) -> None:
    answers = [attempt("10.1.0.1") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429]
    assert answers[-1].json()["code"] == "rate_limited" and int(answers[-1]["Retry-After"]) > 0
    assert attempt("10.1.0.1", PASSWORD).status_code == 429


def test_nobody_can_lock_somebody_else_out(alice: Actor) -> None:
    assert {attempt(f"10.2.0.{number}").status_code for number in range(60)} == {401}
    assert attempt("10.2.1.1", PASSWORD).status_code == 200


def test_guessing_from_many_addresses_slows_down(alice: Actor) -> None:
    answers = [attempt(f"10.3.0.{number // 2}").status_code for number in range(80)]
    assert answers.count(429) == 10


def test_a_browser_that_signed_in_before_gets_through(alice: Actor) -> None:
    known = browser()
    assert attempt("10.4.0.1", PASSWORD, known).status_code == 200
    assert [attempt("10.4.0.1").status_code for _ in range(6)][-1] == 429
    assert attempt("10.4.0.1", PASSWORD, known).status_code == 200


def test_a_known_browser_is_no_way_around_the_limits(alice: Actor, bob: Actor) -> None:
    known = browser()
    known.post("/api/sign-in", {"email": "bob@example.org", "password": PASSWORD}, REMOTE_ADDR="10.5.0.1")
    assert [attempt("10.5.0.2", client=known).status_code for _ in range(6)] == [401] * 5 + [429]
    own = {"email": "bob@example.org", "password": "a wrong guess"}
    answers = [known.post("/api/sign-in", own, REMOTE_ADDR="10.5.0.3").status_code for _ in range(11)]
    assert answers == [401] * 10 + [429]


def test_all_addresses_of_an_ipv6_network_count_as_one(alice: Actor) -> None:
    answers = [attempt(f"2001:db8::{number}").status_code for number in range(1, 7)]
    assert answers == [401] * 5 + [429]


def test_sign_in_works_without_redis(alice: Actor, settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    token_buckets.cache_clear()
    try:
        assert signed_in("alice@example.org")
    finally:
        token_buckets.cache_clear()


def test_a_session_can_write_only_with_the_csrf_token(alice: Actor) -> None:
    client = signed_in("alice@example.org")
    refused = client.patch("/api/me", {"name": "Mallory"})
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf_failed")
    token = client.cookies["csrftoken"].value
    assert client.patch("/api/me", {"name": "Alice B."}, headers={"X-CSRFToken": token}).status_code == 200


def test_a_key_needs_no_csrf_token_and_ignores_the_session(alice: Actor, charlie: Actor) -> None:
    client = signed_in("charlie@example.org")
    program = key_client_of(alice)
    program.cookies = client.cookies
    assert program.get("/api/me").json()["user"]["id"] == str(alice.user_id)
    assert program.post("/api/invitations", {"email": "charlie@example.org"}).status_code == 201


def test_signing_out_ends_the_session(alice: Actor) -> None:
    client = signed_in("alice@example.org")
    token = client.cookies["csrftoken"].value
    assert client.post("/api/sign-out", headers={"X-CSRFToken": token}).status_code == 204
    assert client.get("/api/me").status_code == 401


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
)
@pytest.mark.parametrize("path", ["/api/sign-in", "/api/sign-up"])
def test_another_site_cannot_sign_a_user_in(path: str, headers: dict[str, str]) -> None:
    answer = browser().post(path, DORA, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "cross_site")


def test_the_own_page_can_sign_in(alice: Actor) -> None:
    body = {"email": "alice@example.org", "password": PASSWORD}
    headers = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
    assert browser().post("/api/sign-in", body, headers=headers).status_code == 200


def test_signing_in_rotates_the_session_id(alice: Actor) -> None:
    client = Client()
    client.session.save()
    before = client.session.session_key
    client.post("/api/sign-in", {"email": "alice@example.org", "password": PASSWORD}, "application/json")
    assert client.session.session_key != before


def test_a_user_without_a_workspace_can_only_create_one() -> None:
    User.objects.create_superuser("root@example.org", PASSWORD)
    client = signed_in("root@example.org")
    token = {"X-CSRFToken": client.cookies["csrftoken"].value}
    me = client.get("/api/me").json()
    assert (me["workspace"], me["role"], me["scopes"], me["user"]["is_operator"]) == (None, None, [], True)
    assert client.get("/api/policy").json()["code"] == "no_workspace"
    assert client.post("/api/workspaces", {"name": "Ops"}, headers=token).status_code == 201
    assert client.get("/api/policy").status_code == 200


def test_a_session_works_in_the_workspace_it_chose(acme: Workspace, alice: Actor, charlie: Actor) -> None:
    person("Charlie", acme, Role.VIEWER)
    client = signed_in("charlie@example.org")
    token = {"X-CSRFToken": client.cookies["csrftoken"].value}
    assert client.get("/api/me").json()["role"] == "owner"
    chosen = client.patch("/api/me", {"workspace_id": str(alice.workspace_id)}, headers=token)
    assert (chosen.json()["workspace"]["id"], chosen.json()["role"]) == (str(alice.workspace_id), "viewer")
    assert client.get("/api/me").json()["scopes"] == ["read"]
    named = client.get("/api/me", headers={"X-Continuity-Workspace": str(charlie.workspace_id)})
    assert named.json()["role"] == "owner"


def test_the_next_session_begins_in_the_workspace_that_was_chosen_last(
    acme: Workspace, alice: Actor, charlie: Actor
) -> None:
    person("Charlie", acme, Role.MEMBER)
    client = signed_in("charlie@example.org")
    token = {"X-CSRFToken": client.cookies["csrftoken"].value}
    client.patch("/api/me", {"workspace_id": str(alice.workspace_id)}, headers=token)
    again = signed_in("charlie@example.org")
    assert again.get("/api/me").json()["workspace"]["id"] == str(alice.workspace_id)


def test_a_session_does_not_use_a_workspace_that_was_left(acme: Workspace, alice: Actor, charlie: Actor) -> None:
    person("Charlie", acme, Role.MEMBER)
    client = signed_in("charlie@example.org")
    token = {"X-CSRFToken": client.cookies["csrftoken"].value}
    client.patch("/api/me", {"workspace_id": str(alice.workspace_id)}, headers=token)
    client_of(alice).delete(f"/api/members/{charlie.user_id}")
    assert client.get("/api/me").json()["workspace"]["id"] == str(charlie.workspace_id)
