"""The API's conventions: problem documents, ETags, pagination, idempotency, rate limits."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import uuid4

import psycopg
import pytest
from django.db import OperationalError
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import IdempotencyKey, Membership, Role, Workspace
from apps.common.tenancy import workspace
from apps.common.token_buckets import token_buckets
from apps.conversations.models import Conversation
from tests.people import JsonClient, client_of, key_client_of, person

pytestmark = pytest.mark.django_db

POLICY = {"overrides": {"max_goals": 4}}


def test_a_problem_has_every_field(alice: Actor) -> None:
    answer = client_of(alice).post("/api/invitations", {"role": "king"}, headers={"X-Request-Id": "trace-0001"})
    assert answer.json() == {
        "type": "urn:continuity:problem:invalid",
        "title": "The request is not valid",
        "status": 400,
        "detail": "2 values are not valid.",
        "instance": "/api/invitations",
        "code": "invalid",
        "request_id": "trace-0001",
        "errors": [
            {"pointer": "/email", "code": "required", "detail": "This field is required."},
            {"pointer": "/role", "code": "invalid_choice", "detail": '"king" is not a valid choice.'},
        ],
    }
    assert answer["X-Request-Id"] == "trace-0001"


@pytest.mark.parametrize("sent", ["short", "with blank inside", "x" * 200, "line\nbreak-here"])
def test_an_id_that_could_spoil_a_log_is_replaced(sent: str) -> None:
    answer = JsonClient().get("/healthz", headers={"X-Request-Id": sent})
    assert answer["X-Request-Id"] != sent


def test_a_server_error_reveals_no_internals(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = with_failure(alice, monkeypatch, RuntimeError("password=hunter2 in /srv/continuity"))
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert "hunter2" not in answer.content.decode() and "srv" not in answer.content.decode()


@pytest.mark.parametrize(
    ("cause", "code"),
    [
        (psycopg.errors.LockNotAvailable(), "busy"),
        (psycopg.errors.QueryCanceled(), "busy"),
        (psycopg.errors.DeadlockDetected(), "busy"),
        (psycopg.OperationalError("connection refused"), "unavailable"),
    ],
)
def test_a_busy_or_absent_database_asks_to_come_back(
    cause: Exception, code: str, alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = OperationalError()
    error.__cause__ = cause
    answer = with_failure(alice, monkeypatch, error)
    assert (answer.status_code, answer.json()["code"]) == (503, code)
    assert int(answer["Retry-After"]) >= 1


def with_failure(actor: Actor, monkeypatch: pytest.MonkeyPatch, error: Exception) -> Any:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("apps.api.accounts.policies.policy_get", fail)
    return client_of(actor).get("/api/policy")


def test_what_a_failed_request_wrote_is_undone(alice: Actor, bob: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("apps.api.accounts.members.MemberSerializer", fail)
    answer = client_of(alice).patch(f"/api/members/{bob.user_id}", {"role": "viewer"})
    assert answer.status_code == 500
    assert Membership.objects.get(user_id=bob.user_id).role == Role.MEMBER


@pytest.mark.parametrize("value", ["x", "1", "0" * 31])
def test_a_workspace_header_that_is_no_id_is_refused(value: str, alice: Actor) -> None:
    answer = client_of(alice).get("/api/policy", headers={"X-Continuity-Workspace": value})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_workspace")


class TestVersions:
    def test_a_change_names_the_version_it_saw(self, alice: Actor) -> None:
        browser = client_of(alice)
        seen = browser.get("/api/policy")["ETag"]
        changed = browser.patch("/api/policy", POLICY, headers={"If-Match": seen})
        assert (changed.status_code, changed.json()["version"]) == (200, 1)
        assert changed["ETag"] == browser.get("/api/policy")["ETag"] != seen

    def test_a_change_of_an_old_version_is_refused(self, alice: Actor) -> None:
        browser = client_of(alice)
        seen = browser.get("/api/policy")["ETag"]
        browser.patch("/api/policy", POLICY, headers={"If-Match": seen})
        answer = browser.patch("/api/policy", POLICY, headers={"If-Match": seen})
        assert (answer.status_code, answer.json()["code"], answer.json()["version"]) == (412, "stale", 1)

    def test_a_star_overwrites_whatever_is_there(self, alice: Actor) -> None:
        for _ in range(2):
            answer = client_of(alice).patch("/api/policy", POLICY, headers={"If-Match": "*"})
            assert answer.status_code == 200

    @pytest.mark.parametrize("headers", [{}, {"If-Match": ""}])
    def test_a_change_without_a_version_is_refused(self, headers: dict[str, str], alice: Actor) -> None:
        answer = client_of(alice).patch("/api/policy", POLICY, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (428, "precondition_required")

    @pytest.mark.parametrize(("tag", "status"), [('"x"', 412), ('"99"', 412), ("0", 400), ('"0", "1"', 400)])
    def test_a_tag_that_is_none_of_ours_is_refused(self, tag: str, status: int, alice: Actor) -> None:
        assert client_of(alice).patch("/api/policy", POLICY, headers={"If-Match": tag}).status_code == status

    def test_a_reader_who_has_it_gets_nothing(self, alice: Actor) -> None:
        browser = client_of(alice)
        tag = browser.get("/api/policy")["ETag"]
        again = browser.get("/api/policy", headers={"If-None-Match": f'W/{tag}, "other"'})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)


class TestPages:
    def test_a_list_is_walked_to_its_end(self, alice: Actor) -> None:
        for number in range(5):
            person(f"Guest{number}", Workspace.objects.get(pk=alice.workspace_id), Role.MEMBER)
        browser, address, seen = client_of(alice), "/api/members?limit=4", []
        while address:
            answer = browser.get(address)
            seen += [member["email"] for member in answer.json()["data"]]
            assert answer.json()["has_more"] == bool(answer.json()["next_cursor"]) == answer.has_header("Link")
            address = answer["Link"].partition("<")[2].partition(">")[0] if answer.has_header("Link") else ""
        assert seen == ["alice@example.org", *(f"guest{number}@example.org" for number in range(5))]

    def test_a_cursor_of_another_list_is_refused(self, alice: Actor, bob: Actor) -> None:
        browser = client_of(alice)
        cursor = browser.get("/api/members?limit=1").json()["next_cursor"]
        assert browser.get(f"/api/members?cursor={cursor}").status_code == 200
        assert browser.get(f"/api/v1/members?cursor={cursor}").status_code == 200
        assert browser.get(f"/api/api-keys?cursor={cursor}").status_code == 400
        assert browser.get(f"/api/members?cursor={cursor[:-2]}AA").status_code == 400


class TestRepeats:
    BODY: ClassVar = {"title": "A talk"}

    def post(self, actor: Actor, key: str, body: dict[str, Any] | None = None) -> Any:
        return client_of(actor).post("/api/conversations", body or self.BODY, headers={"Idempotency-Key": key})

    def test_a_repeated_post_returns_the_first_result(self, alice: Actor) -> None:
        first, again = self.post(alice, "k1"), self.post(alice, "k1")
        assert (first.status_code, first.json()) == (again.status_code, again.json())
        assert (first.has_header("Idempotent-Replayed"), again["Idempotent-Replayed"]) == (False, "true")
        with workspace(alice.workspace_id):
            assert Conversation.objects.count() == 1

    @pytest.mark.parametrize(
        ("path", "body"),
        [
            ("api-keys", {"name": "ci", "scopes": ["read"]}),
            ("invitations", {"email": "charlie@example.org"}),
            ("invitations/accept", {"secret": "no-such-secret"}),
            ("ws-ticket", {}),
        ],
    )
    def test_a_response_with_a_secret_is_never_stored(self, path: str, body: dict[str, Any], alice: Actor) -> None:
        answer = client_of(alice).post(f"/api/{path}", body, headers={"Idempotency-Key": "k1"})
        assert (answer.status_code, answer.json()["code"]) == (400, "idempotency_key_not_supported")
        with workspace(alice.workspace_id):
            assert not IdempotencyKey.objects.exists()

    def test_the_location_is_repeated_too(self, alice: Actor) -> None:
        first, again = (
            client_of(alice).post(address, {"name": "New"}, headers={"Idempotency-Key": "k1"})
            for address in ("/api/workspaces", "/api/v1/workspaces")
        )
        assert first["Location"] == again["Location"] == f"/api/workspaces/{first.json()['id']}"

    def test_another_request_with_the_same_key_is_refused(self, alice: Actor) -> None:
        self.post(alice, "k1")
        answer = self.post(alice, "k1", {"title": "Another"})
        assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")

    def test_the_same_key_of_another_person_is_another_key(self, alice: Actor, bob: Actor) -> None:
        assert self.post(alice, "k1").json() != self.post(bob, "k1").json()

    def test_an_error_response_is_not_stored_for_replay(self, alice: Actor) -> None:
        refused = {"title": 5}
        assert self.post(alice, "k1", refused).status_code == 400
        assert self.post(alice, "k1").status_code == 201

    @pytest.mark.parametrize("key", ["", "x" * 256, "a b", "ä"])
    def test_a_key_that_is_none_is_refused(self, key: str, alice: Actor) -> None:
        answer = self.post(alice, key)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_idempotency_key")


class TestLimits:
    def test_every_response_reports_the_remaining_rate_limit(self, alice: Actor) -> None:
        browser = client_of(alice)
        answer = browser.get("/api/me")
        assert answer["RateLimit-Policy"] == '"person";q=6000;w=60'
        assert answer["RateLimit"].startswith('"person";r=5999;t=')

    def test_a_key_that_asks_too_often_must_wait(self, alice: Actor, settings: Settings) -> None:
        settings.RATE_LIMITS = {**settings.RATE_LIMITS, "key": (3, 60)}
        program, other = key_client_of(alice), key_client_of(alice)
        answers = [program.get("/api/me") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[-1].json()["code"] == "rate_limited"
        assert 15 <= int(answers[-1]["Retry-After"]) <= 21
        assert other.get("/api/me").status_code == 200

    def test_a_forged_address_buys_no_more_attempts(self, settings: Settings) -> None:
        settings.RATE_LIMITS = {**settings.RATE_LIMITS, "sign_in": (2, 60)}
        statuses = [
            JsonClient()
            .post(
                "/api/sign-in",
                {"email": f"{uuid4()}@x.org", "password": "x"},
                headers={"X-Forwarded-For": f"10.0.0.{n}"},
            )
            .status_code
            for n in range(3)
        ]
        assert statuses == [401, 401, 429]

    def test_what_is_refused_counts_too(self, settings: Settings) -> None:
        settings.RATE_LIMITS = {**settings.RATE_LIMITS, "address": (2, 60)}
        assert [JsonClient().get("/api/me").status_code for _ in range(3)] == [401, 401, 429]

    def test_without_redis_everybody_gets_in(self, alice: Actor, settings: Settings) -> None:
        settings.REDIS_URL = "unix:///nowhere/redis.sock"
        token_buckets.cache_clear()
        try:
            answer = client_of(alice).get("/api/me")
        finally:
            token_buckets.cache_clear()
        assert (answer.status_code, answer.has_header("RateLimit")) == (200, False)


def test_a_path_may_end_in_a_slash_and_spell_ids_in_capitals(alice: Actor) -> None:
    client = client_of(alice)
    made = client.post("/api/conversations/", {"title": "Trip"}).json()
    answers = [client.get(f"/api/conversations/{spelling}") for spelling in (made["id"].upper(), f"{made['id']}/")]
    assert [answer.json()["title"] for answer in answers] == ["Trip", "Trip"]
    assert client.get("/api/v1/conversations/").status_code == 200


def test_an_empty_workspace_header_names_no_workspace(alice: Actor) -> None:
    client = client_of(alice)
    client.credentials(HTTP_X_CONTINUITY_WORKSPACE="")
    answer = client.get("/api/conversations", headers={"X-Continuity-Workspace": ""})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_workspace")


def test_an_answer_lists_a_few_errors_and_counts_them_all(alice: Actor) -> None:
    body = {f"field {number}": 1 for number in range(900)}
    answer = client_of(alice).post("/api/conversations", body)
    problem = answer.json()
    assert (answer.status_code, len(problem["errors"])) == (400, 20)
    assert problem["detail"] == "900 values are not valid. The first 20 are listed."
    assert len(answer.content) < 4_000


def test_an_object_has_at_most_a_thousand_names(alice: Actor) -> None:
    body = {f"field {number}": 1 for number in range(1_001)}
    problem = client_of(alice).post("/api/conversations", body).json()
    assert [error["code"] for error in problem["errors"]] == ["too_many_names"]


@pytest.mark.django_db
def test_public_forms_take_small_bodies_only() -> None:
    body = {"email": "alice@example.org", "password": "x" * 17_000}
    answer = JsonClient().post("/api/sign-in", body)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
