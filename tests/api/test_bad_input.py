"""Bad input: the response is a problem document that names the error, and nothing is stored."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest
from django.conf import settings as defaults
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.api.framework.views import PublicView
from tests.api.routes import BELONGINGS, OPEN, STREAMS, TOLERANT, Route, every_route
from tests.api.rows import everything_stored
from tests.people import client_of

WRITING = [
    route
    for route in every_route()
    if route.method in ("post", "put", "patch") and not route.path.startswith("api/v1/") and route.name not in STREAMS
]
WITH_BODY = [route for route in WRITING if route.body]
STRICT = [route for route in WITH_BODY if route.name not in TOLERANT]

RUBBISH: dict[str, bytes] = {
    "half a surrogate pair before what is no JSON": rb'{"name": "\ud800", "a": nan}',
    "half a pair and deep": rb'{"a": "\ud800", "b":' + b"[" * 2_000 + b"]" * 2_000 + b"}",
    "deep": b'{"a":' + b"[" * 2_000 + b"]" * 2_000 + b"}",
    "deep and never closed": b"[" * 100_000,
    "deep objects": b'{"a":' * 5_000,
    "beyond 2^53": b'{"limit": 9223372036854775808}',
    "far beyond": b'{"limit": -1' + b"0" * 10_000 + b"}",
    "not a number": b'{"limit": NaN}',
    "infinity": b'{"limit": -Infinity}',
    "infinity by overflow": b'{"limit": 1e999}',
    "an array": b"[]",
    "a text": b'"text"',
    "null": b"null",
    "nothing but blanks": b"  ",
    "cut off": b'{"name": "a',
    "not UTF-8": b'{"name": "\xff\xfe"}',
    "UTF-16": '{"name": "a"}'.encode("utf-16"),
    "a raw NUL": b'{"name": "a\x00b"}',
    "two values": b"{} {}",
}
WRONG_TYPES: list[Any] = [None, True, 5, 1.5, [], [[]], {}, {"a": 1}, [None], "", "x" * 100_000]
# Values that are valid in these fields.
SOUND = {
    ("sign-up", "name", ""),
    ("pairings", "version", ""),
    ("conversation-fork", "through_index", None),
    ("turns", "content", "x" * 100_000),
    ("context", "message", "x" * 100_000),
    ("memories", "content", "x" * 100_000),
    ("search", "q", "x" * 100_000),
    ("memory", "content", "x" * 100_000),
    ("inbox-edit", "content", "x" * 100_000),
}

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_alice")]


@pytest.fixture
def no_limits(settings: Settings) -> None:
    """Disable the rate limits, which so many requests would exceed."""
    settings.RATE_LIMITS = {name: (1_000_000, 60) for name in settings.RATE_LIMITS}


@dataclass(frozen=True)
class Sender:
    """Sends bodies to one route, as Alice, with ids of hers."""

    route: Route
    alice: Actor

    @cached_property
    def client(self) -> Any:
        return client_of(self.alice)

    @cached_property
    def address(self) -> str:
        return self.route.address({name: BELONGINGS[name](self.alice) for name in self.route.parameters})

    @cached_property
    def stored(self) -> dict[str, str]:
        """What is stored before the first body, and so before each."""
        assert self.address
        return everything_stored()

    def refused(self, body: bytes, content_type: str = "application/json") -> Any:
        """Send a body, and return the problem that the answer must be; nothing may be stored."""
        client, method, before = self.client, self.route.method.upper(), self.stored
        answer = client.generic(method, self.address, body, content_type, headers={"If-Match": '"0"'})
        assert answer["Content-Type"] == "application/problem+json", answer.content
        assert 400 <= answer.status_code < 500, answer.content
        assert everything_stored() == before
        problem = answer.json()
        assert problem["status"] == answer.status_code
        assert problem["request_id"] == answer["X-Request-Id"]
        return problem


def _limit_of(route: Route) -> int:
    """The most bytes that a body may have: public forms take less."""
    return PublicView.largest_body if route.name in OPEN else int(defaults.DATA_UPLOAD_MAX_MEMORY_SIZE)


@pytest.mark.parametrize("route", WRITING, ids=str)
def test_rubbish_is_refused_everywhere(route: Route, alice: Actor, no_limits: None) -> None:
    sender = Sender(route, alice)
    statuses = {name: sender.refused(body)["status"] for name, body in RUBBISH.items()}
    large = {name for name, body in RUBBISH.items() if len(body) > _limit_of(route)}
    assert statuses == {name: 413 if name in large else 400 for name in RUBBISH}


@pytest.mark.parametrize("route", STRICT, ids=str)
def test_a_field_of_the_wrong_kind_is_pointed_at(route: Route, alice: Actor, no_limits: None) -> None:
    sender = Sender(route, alice)
    for field, valid in route.body.items():
        for wrong in WRONG_TYPES:
            if type(wrong) is type(valid) and not isinstance(valid, str):
                continue
            if (wrong is None or isinstance(wrong, str)) and (route.name, field, wrong) in SOUND:
                continue
            body = json.dumps({**route.body, field: wrong}).encode()
            problem = sender.refused(body)
            pointers = [error["pointer"] for error in problem.get("errors", [])]
            if len(body) > _limit_of(route):
                assert problem["code"] == "too_large"
                continue
            assert problem["code"] == "wrong_credentials" or any(p.startswith(f"/{field}") for p in pointers), problem


@pytest.mark.parametrize("route", STRICT, ids=str)
def test_a_name_that_means_nothing_is_refused(route: Route, alice: Actor, no_limits: None) -> None:
    problem = Sender(route, alice).refused(json.dumps({**route.body, "workspace": "x", "is_staff": True}).encode())
    assert {error["pointer"] for error in problem["errors"]} == {"/workspace", "/is_staff"}


@pytest.mark.parametrize("route", WITH_BODY, ids=str)
def test_only_json_is_read(route: Route, alice: Actor, no_limits: None) -> None:
    """Another site's form can send other types without a preflight request."""
    sender = Sender(route, alice)
    for content_type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert sender.refused(json.dumps(route.body).encode(), content_type)["status"] == 415, content_type


@pytest.mark.parametrize("route", WITH_BODY, ids=str)
def test_a_body_that_is_too_large_is_refused(route: Route, alice: Actor, no_limits: None, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    body = json.dumps({**route.body, "name": "x" * 2_000}).encode()
    assert Sender(route, alice).refused(body)["status"] == 413


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "limit=x", "limit=٣", "limit=-1", "cursor=x", "cursor=%00"])
def test_a_window_that_makes_no_sense_is_refused(query: str, alice: Actor) -> None:
    answer = client_of(alice).get(f"/api/members?{query}")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, f"?{query.partition('=')[0]}")


@pytest.mark.parametrize(
    "path", ["/api/nothing", "/nothing.json", "/api/operations/not-an-id", "/api/member/", "/api/%00"]
)
def test_an_unknown_address_is_a_problem_too(path: str, alice: Actor) -> None:
    answer = client_of(alice).get(path)
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["code"] == "not_found"
