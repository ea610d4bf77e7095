"""Rules for every route, present and future."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.utils.module_loading import import_string
from rest_framework.test import APIClient

from apps.accounts.actors import Actor
from apps.api.framework.middleware import PERMISSIONS_POLICY
from tests.api.routes import BELONGINGS, BODIES, OPEN, READS, SCOPES, Route, every_route
from tests.api.rows import everything_stored
from tests.people import JsonClient, client_of, key_client_of

ROUTES = [route for route in every_route() if not route.path.startswith("api/v1/")]
CLOSED = [route for route in ROUTES if route.name not in OPEN]
WITH_IDS = [route for route in CLOSED if route.parameters]

EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": PERMISSIONS_POLICY,
    "Cache-Control": "no-store",
}

pytestmark = pytest.mark.django_db


def call(client: APIClient, route: Route, **values: object) -> Any:
    sender = getattr(client, route.method)
    body = {} if route.method == "get" else {"data": route.body}
    return sender(route.address(values), headers={"If-Match": '"1"'}, **body)


def test_there_are_routes_and_each_has_a_name() -> None:
    assert len(ROUTES) > 20
    assert [str(route) for route in ROUTES if not route.name] == []


def test_both_prefixes_lead_to_the_same() -> None:
    def below(prefix: str, routes: list[Route]) -> dict[tuple[str, str], object]:
        return {(r.path.removeprefix(prefix), r.method): r.view for r in routes if r.path.startswith(prefix)}

    assert below("api/v1/", every_route()) == below("api/", ROUTES)


@pytest.mark.parametrize("route", CLOSED, ids=str)
def test_every_route_requires_authentication(route: Route, client: Any) -> None:
    answer = call(JsonClient(), route)
    assert answer.status_code == 401
    assert answer.json()["code"] == "not_signed_in"
    assert "Bearer" in answer["WWW-Authenticate"]


@pytest.mark.parametrize("route", CLOSED, ids=str)
def test_a_wrong_key_gets_nowhere(route: Route, client: Any) -> None:
    answer = call(JsonClient(headers={"X-Api-Key": "ck_12345678_" + "x" * 43}), route)
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_key")


@pytest.mark.parametrize("route", CLOSED, ids=str)
def test_a_key_that_only_reads_changes_nothing(route: Route, alice: Actor) -> None:
    program = key_client_of(alice, "read")
    before = everything_stored()
    answer = call(program, route)
    assert answer.status_code < 500
    if route.method != "get":
        assert answer.status_code in (403, 404) or route.name in READS, answer.content
        assert everything_stored() == before


@pytest.mark.parametrize("route", WITH_IDS, ids=str)
def test_what_is_not_yours_does_not_exist(route: Route, alice: Actor, charlie: Actor) -> None:
    hers = {name: BELONGINGS[name](alice) for name in route.parameters}
    intruders = [client_of(charlie), key_client_of(charlie, *SCOPES.get(route.name, ()))]
    before = everything_stored()
    for intruder in intruders:
        answer = call(intruder, route, **hers)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), answer.content
    assert everything_stored() == before


@pytest.mark.parametrize("route", WITH_IDS, ids=str)
def test_an_end_user_reaches_nothing_of_their_workspace_s_people(route: Route, alice: Actor) -> None:
    hers = {name: BELONGINGS[name](alice) for name in route.parameters}
    bot = key_client_of(alice, "read", "write", "act_for_users")
    bot.post("/api/conversations", {"user": "tom"})
    before = everything_stored()
    headers = {"Continuity-User": "tom", "If-Match": '"1"'}
    body = {} if route.method == "get" else {"data": route.body}
    answer = getattr(bot, route.method)(route.address(hers), headers=headers, **body)
    assert answer.status_code in (403, 404), answer.content
    assert everything_stored() == before


@pytest.mark.parametrize("route", WITH_IDS, ids=str)
def test_a_foreign_id_is_refused_as_one_that_never_was(route: Route, alice: Actor, charlie: Actor) -> None:
    intruder = client_of(charlie)
    foreign = call(intruder, route, **{name: BELONGINGS[name](alice) for name in route.parameters}).json()
    unknown = call(intruder, route).json()
    own = ("instance", "request_id")
    assert {k: v for k, v in foreign.items() if k not in own} == {k: v for k, v in unknown.items() if k not in own}


@pytest.mark.parametrize("route", [route for route in CLOSED if route.method == "get"], ids=str)
def test_a_workspace_named_by_a_stranger_does_not_exist(route: Route, alice: Actor, charlie: Actor) -> None:
    stranger = client_of(charlie)
    values = {name: BELONGINGS[name](alice) for name in route.parameters}
    answer = stranger.get(route.address(values), headers={"X-Continuity-Workspace": str(alice.workspace_id)})
    assert answer.status_code == 404


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_every_answer_carries_the_headers(route: Route, alice: Actor) -> None:
    answer = call(client_of(alice), route)
    assert {name: answer.get(name) for name in EVERYWHERE} == EVERYWHERE
    assert answer["X-Request-Id"]
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_a_method_without_meaning_is_refused(route: Route, alice: Actor) -> None:
    mine = {name: BELONGINGS[name](alice) for name in route.parameters}
    answer = client_of(alice).generic("PROPFIND", route.address(mine))
    assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")


@pytest.mark.parametrize("route", [r for r in ROUTES if r.method in ("post", "put", "patch")], ids=str)
def test_every_route_that_reads_a_body_has_one_to_test_with(route: Route) -> None:
    assert (route.name, route.method) in BODIES


def test_every_middleware_can_run_asynchronously() -> None:
    """A single synchronous middleware would break streamed responses."""
    assert [name for name in settings.MIDDLEWARE if not getattr(import_string(name), "async_capable", False)] == []
