"""The readable cookie that follows the session's: set at sign-in and sign-up, deleted when the session has ended."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import User
from tests.people import PASSWORD, JsonClient, client_of, key_client_of

pytestmark = pytest.mark.django_db

ALICE = {"email": "alice@example.org", "password": PASSWORD}
NEW_PASSWORD = "another horse entirely"


def signed_in() -> Any:
    client = JsonClient()
    assert client.post("/api/sign-in", ALICE).status_code == 200
    return client


def test_signing_in_sets_a_cookie_that_scripts_can_read_and_that_lives_as_long_as_the_session(alice: Actor) -> None:
    cookies = JsonClient().post("/api/sign-in", ALICE).cookies
    hint, session = cookies["signed_in"], cookies["sessionid"]
    assert (hint.value, hint["httponly"], session["httponly"]) == ("1", "", True)
    same = ("max-age", "path", "samesite", "secure", "domain")
    assert [hint[name] for name in same] == [session[name] for name in same]
    assert hint["samesite"] == "Lax"


def test_it_is_secure_where_the_session_is(alice: Actor, settings: Settings) -> None:
    settings.SESSION_COOKIE_SECURE = True
    assert JsonClient().post("/api/sign-in", ALICE).cookies["signed_in"]["secure"]


def test_signing_up_sets_it() -> None:
    body = {"email": "dora@example.org", "password": "a long enough one"}
    assert JsonClient().post("/api/sign-up", body).cookies["signed_in"].value == "1"


def test_a_refused_sign_in_does_not_set_it(alice: Actor) -> None:
    answer = JsonClient().post("/api/sign-in", {**ALICE, "password": "not hers at all"})
    assert answer.status_code == 401 and "signed_in" not in answer.cookies


def test_signing_in_to_the_console_sets_it() -> None:
    User.objects.create_superuser("root@example.org", PASSWORD)
    client = JsonClient()
    body = {"username": "root@example.org", "password": PASSWORD}
    answer = client.post("/admin/login/", body, format="multipart")
    assert (answer.status_code, answer.cookies["signed_in"].value) == (302, "1")


def test_signing_out_deletes_it(alice: Actor) -> None:
    client = signed_in()
    deleted = client.post("/api/sign-out").cookies["signed_in"]
    assert (deleted.value, deleted["max-age"], deleted["samesite"]) == ("", 0, "Lax")


def test_a_session_that_expired_is_refused_once_and_loses_it(alice: Actor) -> None:
    client = signed_in()
    Session.objects.update(expire_date=timezone.now())
    answer = client.get("/api/me")
    assert (answer.status_code, answer.cookies["signed_in"].value) == (401, "")


def test_a_session_that_a_new_password_ended_loses_it(alice: Actor) -> None:
    client = signed_in()
    user = User.objects.get(pk=alice.user_id)
    user.set_password(NEW_PASSWORD)
    user.save()
    answer = client.get("/api/me")
    assert (answer.status_code, answer.cookies["signed_in"].value) == (401, "")


def test_it_does_not_outlive_the_cookie_of_the_session(alice: Actor) -> None:
    client = signed_in()
    del client.cookies["sessionid"]
    answer = client.get("/api/me")
    assert (answer.status_code, answer.cookies["signed_in"].value) == (401, "")


def test_ordinary_requests_leave_it_alone(alice: Actor, bob: Actor) -> None:
    assert "signed_in" not in client_of(alice).get("/api/members").cookies
    assert "signed_in" not in signed_in().get("/api/me").cookies
    assert "signed_in" not in key_client_of(bob).get("/api/me").cookies
    assert "signed_in" not in JsonClient().get("/api/me").cookies
