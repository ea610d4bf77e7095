"""Completeness and conventions of the generated OpenAPI schema."""

from __future__ import annotations

import json
import re
from collections import Counter
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from apps.api.openapi import views
from tests.api.callers import at_once
from tests.api.description import committed_description
from tests.api.routes import OPEN, every_route
from tests.people import JsonClient

UNDOCUMENTED = {"schema", "docs"}
LONGEST_SUMMARY = 60


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """Generate the schema; any warning fails the tests."""
    written = StringIO()
    options = ("--format=openapi-json", "--validate", "--fail-on-warn")
    call_command("spectacular", *options, stdout=written, skip_checks=True)
    parsed: dict[str, Any] = json.loads(written.getvalue())
    return parsed


def test_the_committed_description_is_the_one_of_this_server(schema: dict[str, Any]) -> None:
    """`make types` renews it."""
    assert schema == committed_description()


def test_every_route_is_in_the_schema_once(schema: dict[str, Any]) -> None:
    described = {(path, method) for path, operations in schema["paths"].items() for method in operations}
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{route.path}"), route.method)
        for route in every_route()
        if not route.path.startswith("api/v1/") and route.name not in UNDOCUMENTED
    }
    assert described == routes


def test_every_operation_documents_its_error_responses(schema: dict[str, Any]) -> None:
    for operations in schema["paths"].values():
        for operation in operations.values():
            assert "application/problem+json" in operation["responses"]["400"]["content"]
            assert operation["description"]


def test_every_operation_has_a_short_summary_that_is_unique_within_its_tag(schema: dict[str, Any]) -> None:
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    summaries = [(tag, operation.get("summary", "")) for operation in operations for tag in operation["tags"]]
    assert not [summary for _, summary in summaries if not 0 < len(summary) <= LONGEST_SUMMARY]
    assert not [entry for entry, count in Counter(summaries).items() if count > 1]


def test_every_operation_behind_a_login_documents_its_authentication(schema: dict[str, Any]) -> None:
    open_paths = {f"/{route.path}" for route in every_route() if route.name in OPEN}
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            expected: list[dict[str, list[str]]] = [] if path in open_paths else [{"apiKey": []}, {"session": []}]
            assert operation.get("security", []) == expected, path


def test_no_operation_that_returns_a_secret_accepts_an_idempotency_key(schema: dict[str, Any]) -> None:
    def headers(path: str) -> set[str]:
        return {parameter["name"] for parameter in schema["paths"][path]["post"]["parameters"]}

    secret = ("/api/api-keys", "/api/invitations", "/api/invitations/accept", "/api/ws-ticket")
    assert "Idempotency-Key" in headers("/api/workspaces")
    assert not {"Idempotency-Key"} & set().union(*map(headers, secret))


def test_components_are_named_after_resources_rather_than_serializers(schema: dict[str, Any]) -> None:
    names = set(schema["components"]["schemas"])
    assert {"Problem", "Policy", "PolicyRequest", "MemberPage"} <= names
    assert not [name for name in names if name.endswith("Serializer") or "Input" in name]


@pytest.mark.django_db
def test_the_schema_and_its_page_load_nothing_from_other_hosts() -> None:
    visitor = JsonClient()
    assert visitor.get("/api/schema").status_code == 200
    page = visitor.get("/api/docs")
    assert page.status_code == 200
    assert not re.search(r"https?://", page.content.decode())
    assert "script-src 'self'" in page["Content-Security-Policy"]
    assert visitor.get("/api/docs?script=").status_code == 200


@pytest.mark.django_db
def test_the_schema_is_served_as_json_to_clients_that_accept_json(client: Client) -> None:
    for response in (
        client.get("/api/schema", headers={"Accept": "application/json"}),
        client.get("/api/schema/?format=json"),
    ):
        assert "json" in response["Content-Type"] and json.loads(response.content)["openapi"].startswith("3.1")
    assert client.get("/api/schema?format=xml").status_code == 400


def test_the_schema_is_generated_once_and_not_sent_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/api/schema")
    monkeypatch.setattr(views.SchemaGenerator, "get_schema", None)
    assert client.get("/api/schema").content == first.content
    assert client.get("/api/schema", headers={"If-None-Match": first["ETag"]}).status_code == 304


@pytest.mark.django_db(transaction=True)
def test_many_may_ask_for_the_schema_of_a_new_process_at_once() -> None:
    views._rendered.cache_clear()
    forms = iter(["json", "yaml"] * 10)
    answers = at_once(lambda: Client().get(f"/api/schema?format={next(forms)}").status_code, times=20)
    assert answers == [200] * 20


def test_parameters_and_bodies_state_the_form_that_the_api_requires(schema: dict[str, Any]) -> None:
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    parameters = [entry for operation in operations for entry in operation.get("parameters", [])]
    for name in ("If-Match", "cursor", "uri"):
        assert {"pattern" in entry["schema"] for entry in parameters if entry["name"] == name} == {True}, name
    bodies = schema["components"]["schemas"]
    assert bodies["MemoryRequest"]["additionalProperties"] is False
    assert bodies["PolicyRequest"]["required"] == ["overrides"]
    assert bodies["PinChangesRequest"]["minProperties"] == 1
    assert bodies["MemoryRequest"]["properties"]["uri"]["pattern"] == "^mem://"
    assert bodies["BulkBodyRequest"]["properties"]["items"]["minItems"] == 1
    assert bodies["SignUpRequest"]["properties"]["password"]["pattern"] == r"^[\s\S]{10,}$"


def test_descriptions_are_about_the_resource_and_not_the_code(schema: dict[str, Any]) -> None:
    descriptions = [body.get("description", "") for body in schema["components"]["schemas"].values()]
    assert not [text for text in descriptions if text.startswith("Base of ") or "serializer" in text.lower()]


def test_a_streamed_event_is_not_described_as_one_string(schema: dict[str, Any]) -> None:
    contents = [
        response["content"]["text/event-stream"]["schema"]
        for path in schema["paths"].values()
        for operation in path.values()
        for response in operation["responses"].values()
        if "text/event-stream" in response.get("content", {})
    ]
    assert len(contents) == 4 and not [content for content in contents if "type" in content]


def test_a_body_that_fits_several_shapes_is_not_described_as_exactly_one(schema: dict[str, Any]) -> None:
    bodies = schema["components"]["schemas"].items()
    assert not [name for name, body in bodies if "oneOf" in body and not name.endswith("Frame")]
