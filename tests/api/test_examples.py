"""Every operation's examples are sent to the API, which must answer as they say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils.functional import cached_property
from jsonschema import Draft202012Validator
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.api.openapi.examples import EXAMPLE_IDS, Example, documented_examples, examples_with
from tests.api.answers import body_of
from tests.api.atlas import FIRST, Ids, atlas_of
from tests.api.callers import Caller, shape
from tests.api.description import committed_description
from tests.jobs.requests import make_late
from tests.providers.anthropic_server import ProviderServer, running_server
from tests.providers.environment import set_provider_variables

# Over a real server: tests/turns/test_examples.py and tests/api/test_operation_events.py.
STREAMS = {"turns_create", "turn_current_get", "turn_retry_create", "turn_stop_create", "operation_events_get"}


JSON_LINES, FORM = "application/x-ndjson", "multipart/form-data"


class Description:
    """The OpenAPI description, its operations by id."""

    document = committed_description()

    @cached_property
    def operations(self) -> dict[str, tuple[str, str, dict[str, Any]]]:
        paths = self.document["paths"].items()
        return {
            operation["operationId"]: (method, path, operation)
            for path, operations in paths
            for method, operation in operations.items()
        }

    def faults(self, schema: dict[str, Any], value: Any) -> list[str]:
        whole = {**schema, "components": self.document["components"]}
        return [f"{fault.json_path}: {fault.message}" for fault in Draft202012Validator(whole).iter_errors(value)]


DESCRIPTION = Description()


@pytest.fixture(scope="module")
def server() -> Iterator[ProviderServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def provider(settings: Settings, server: ProviderServer) -> ProviderServer:
    set_provider_variables(settings, ANTHROPIC_BASE_URL=server.url)
    return server


@pytest.fixture(scope="module")
def shared_atlas(shared_alice: Actor, shared_bob: Actor) -> Ids:
    atlas = atlas_of(shared_alice, shared_bob)
    make_late()
    return atlas


@pytest.fixture
def atlas(shared_atlas: Ids) -> Ids:
    """A copy, to which a test adds ids."""
    return dict(shared_atlas)


def send(caller: Caller, operation_id: str, example: Example, ids: Ids) -> Any:
    method, template, operation = DESCRIPTION.operations[operation_id]
    path = template.format(**{**ids, **example.get("path", {})})
    address = f"{path}?{urlencode(query)}" if (query := example.get("query")) else path
    names = {parameter["name"] for parameter in operation.get("parameters", [])}
    headers = {"If-Match": version_of(caller, path)} if "If-Match" in names else {}
    body = example.get("request")
    if media_type := example.get("request_type"):
        boundary = f"; boundary={str(body).split()[0][2:]}" if media_type == FORM else ""
        return caller.client.generic(method.upper(), address, str(body), f"{media_type}{boundary}", headers=headers)
    more = {} if method == "get" else {"data": body}
    return getattr(caller.client, method)(address, headers=headers, **more)


def version_of(caller: Caller, path: str) -> str:
    """Return the ETag of the nearest resource above a path."""
    while not (tag := caller.client.get(path).get("ETag", "")):
        path = path.rpartition("/")[0]
    return str(tag)


def test_every_operation_has_a_response_example_and_one_of_its_body() -> None:
    examples = documented_examples()
    assert set(examples) == set(DESCRIPTION.operations)
    for operation_id, (_, _, operation) in DESCRIPTION.operations.items():
        example = examples[operation_id]
        content = operation["responses"][str(example["status"])].get("content", {})
        assert ("response" in example) == bool(content), operation_id
        assert ("request" in example) == ("requestBody" in operation), operation_id


def test_the_description_contains_every_example() -> None:
    for operation_id, (_, _, operation) in DESCRIPTION.operations.items():
        parts = [operation.get("requestBody", {}), *operation["responses"].values()]
        shown = [kind["examples"] for part in parts for kind in part.get("content", {}).values() if "examples" in kind]
        values = [entry["value"] for named in shown for entry in named.values()]
        example = documented_examples()[operation_id]
        assert not [name for name in ("request", "response") if name in example and example[name] not in values]


def test_every_placeholder_of_an_example_has_an_id() -> None:
    assert "$" not in json.dumps(documented_examples())
    assert len(set(EXAMPLE_IDS.values())) == len(EXAMPLE_IDS)


@pytest.mark.django_db
@pytest.mark.usefixtures("charlie", "provider")
@pytest.mark.parametrize("operation_id", sorted(set(DESCRIPTION.operations) - STREAMS))
def test_the_api_answers_as_its_example_says(operation_id: str, alice: Actor, atlas: Ids) -> None:
    caller, ids = Caller(alice), atlas
    FIRST.get(operation_id, lambda *_: None)(caller, ids)
    example = examples_with(ids)[operation_id]
    answer = send(caller, operation_id, example, ids)
    assert answer.status_code == example["status"], body_of(answer)
    if example.get("response_type") == JSON_LINES:
        lines = [json.loads(line) for line in body_of(answer).splitlines()]
        assert [shape(line) for line in lines[:2]] == [
            shape(json.loads(line)) for line in example["response"].splitlines()
        ]
    elif "response" in example:
        content = DESCRIPTION.operations[operation_id][2]["responses"][str(example["status"])]["content"]
        schema, body = content["application/json"]["schema"], json.loads(body_of(answer))
        assert DESCRIPTION.faults(schema, body) == DESCRIPTION.faults(schema, example["response"]) == []
        assert shape(body) == shape(example["response"])
