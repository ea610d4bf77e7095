"""Model settings over the API: visible to all members, changed by administrators, keys never shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace
from apps.common.tenancy import workspace
from apps.llm.models import ModelSettings, ProviderKey
from apps.llm.services.model_settings import local_models_allow
from tests.api.callers import Caller, at_once, viewer_of
from tests.people import JsonClient, key_client_of, person
from tests.providers.anthropic_server import MODELS, ProviderServer, running_server
from tests.providers.environment import set_provider_variables

KEY = "sk-0123456789-of-the-workspace"
INSTALLED = "sk-0123456789-of-the-operator"

pytestmark = pytest.mark.django_db


@pytest.fixture
def provider(settings: Settings) -> Iterator[ProviderServer]:
    with running_server() as server:
        set_provider_variables(settings, ANTHROPIC_BASE_URL=server.url)
        yield server


def status_of(answer: Any, backend: str) -> Any:
    return next(one for one in answer["providers"] if one["backend"] == backend)


def patch(actor: Actor, body: Any, status: int = 200) -> Any:
    caller = Caller(actor)
    return caller.patch("/models", body, status, If_Match=caller.tag("/models"))


def put_key(actor: Actor, backend: str, body: Any, status: int = 200) -> Any:
    return Caller(actor).call("put", f"/models/keys/{backend}", body, status, {})


def test_without_settings_the_defaults_are_listed(alice: Actor) -> None:
    answer = Caller(alice).get("/models")
    nothing = dict.fromkeys(("chat", "compaction", "extraction", "merge", "intent"))
    assert (answer["version"], answer["backend"], answer["by_purpose"]) == (0, None, nothing)
    assert answer["local_allowed"] is False
    assert [one["purpose"] for one in answer["chosen"]] == list(nothing)
    assert answer["chosen"][0] == {
        "purpose": "chat",
        "backend": "offline",
        "label": "Without a model",
        "model": "offline",
        "configured": False,
        "reason": "No provider is set up.",
        "refused": "",
    }
    assert {one["backend"]: one["state"] for one in answer["providers"]} == {
        "claude-cli": "not_allowed",
        "ollama": "not_allowed",
        "anthropic": "no_key",
        "gemini": "no_key",
        "openrouter": "no_key",
        "openai": "no_key",
        "compatible": "no_key",
        "offline": "ready",
    }
    assert set(status_of(answer, "anthropic")) == {
        "backend",
        "label",
        "takes_key",
        "takes_address",
        "state",
        "detail",
        "base_url",
        "key",
        "models",
    }


def test_a_change_requires_the_current_version(alice: Actor, settings: Settings) -> None:
    set_provider_variables(settings, ANTHROPIC_API_KEY=INSTALLED)
    answer = patch(alice, {"backend": "anthropic", "by_purpose": {"chat": " claude-x ", "merge": "claude-y"}})
    assert (answer["version"], answer["backend"], answer["by_purpose"]["chat"]) == (1, "anthropic", "claude-x")
    assert answer["chosen"][0]["reason"] == "This workspace selects Anthropic; this workspace sets the model."
    answer = patch(alice, {"by_purpose": {"chat": None}})
    assert (answer["version"], answer["by_purpose"]["chat"], answer["by_purpose"]["merge"]) == (2, None, "claude-y")
    answer = patch(alice, {"backend": None})
    assert (answer["version"], answer["backend"], answer["by_purpose"]["merge"]) == (3, None, None)
    Caller(alice).patch("/models", {"backend": "openai"}, 412, If_Match='"1"')
    Caller(alice).patch("/models", {"backend": "openai"}, 428)
    tag = Caller(alice).tag("/models")
    assert Caller(alice).client.get("/api/models", headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"backend": "gpt"}, "/backend"),
        ({"backend": ""}, "/backend"),
        ({"by_purpose": {"painting": "x"}}, "/by_purpose/painting"),
        ({"by_purpose": {"chat": "x" * 121}}, "/by_purpose/chat"),
        ({"by_purpose": {"chat": ""}}, "/by_purpose/chat"),
        ({"by_purpose": {"chat": 5}}, "/by_purpose/chat"),
        ({"by_purpose": {}}, "/by_purpose"),
        ({"local_allowed": True}, "/local_allowed"),
        ({}, ""),
    ],
)
def test_an_invalid_choice_is_rejected_with_a_pointer(body: Any, pointer: str, alice: Actor) -> None:
    assert [error["pointer"] for error in patch(alice, body, 400)["errors"]] == [pointer]
    assert Caller(alice).get("/models")["version"] == 0


def test_local_models_can_be_chosen_only_if_operators_allow_them(alice: Actor) -> None:
    assert patch(alice, {"backend": "ollama"}, 422)["code"] == "backend_not_allowed"
    local_models_allow(workspace_id=alice.workspace_id)
    answer = patch(alice, {"backend": "ollama"})
    assert (answer["backend"], answer["local_allowed"]) == ("ollama", True)
    assert answer["chosen"][0]["reason"] == "This workspace selects Ollama, which is unreachable."


@pytest.mark.django_db(transaction=True)
def test_only_one_of_concurrent_changes_succeeds(alice: Actor) -> None:
    def choose() -> int:
        return int(
            Caller(alice).client.patch("/api/models", {"backend": "openai"}, headers={"If-Match": '"0"'}).status_code
        )

    assert sorted(at_once(choose, times=4)) == [200, 412, 412, 412]
    with workspace(alice.workspace_id):
        assert [row.version for row in ModelSettings.objects.all()] == [1]


def test_a_key_is_tested_stored_and_never_shown(provider: ProviderServer, alice: Actor, bob: Actor) -> None:
    row = put_key(alice, "anthropic", {"key": f" {KEY} "})
    assert (row["state"], row["key"]["last_four"], row["key"]["source"]) == ("ready", "pace", "workspace")
    assert row["key"]["tested_at"]
    for actor, sees in ((alice, True), (bob, False)):
        whole = Caller(actor).client.get("/api/models").content.decode()
        assert ('"pace"' in whole, provider.url in whole, KEY in whole) == (sees, sees, False)
    assert Caller(alice).get("/models")["chosen"][0]["backend"] == "anthropic"
    assert [request.headers["x-api-key"] for request in provider.requests] == [KEY]


def test_a_key_that_cannot_be_tested_is_not_called_wrong(alice: Actor) -> None:
    problem = put_key(alice, "anthropic", {"key": KEY}, 422)
    assert (problem["code"], problem["reason"]) == ("key_not_tested", "unavailable")
    assert KEY not in str(problem)
    assert status_of(Caller(alice).get("/models"), "anthropic")["state"] == "no_key"


@pytest.mark.parametrize("backend", ["ollama", "claude-cli", "offline", "nobody", "anthropic2"])
def test_a_provider_without_keys_has_no_key_endpoint(backend: str, alice: Actor) -> None:
    assert put_key(alice, backend, {"key": KEY}, 404)["code"] == "not_found"
    Caller(alice).delete(f"/models/keys/{backend}", 404)


def test_an_address_that_is_not_allowed_is_rejected_with_a_pointer(alice: Actor) -> None:
    for address in ("http://169.254.169.254/v1", ""):
        problem = put_key(alice, "compatible", {"key": KEY, "base_url": address}, 400)
        assert problem["errors"][0]["pointer"] == "/base_url"


def test_a_key_can_be_deleted(provider: ProviderServer, alice: Actor) -> None:
    put_key(alice, "anthropic", {"key": KEY})
    Caller(alice).delete("/models/keys/anthropic")
    Caller(alice).delete("/models/keys/anthropic", 404)
    with workspace(alice.workspace_id):
        assert not ProviderKey.objects.exists()


def test_a_key_can_be_tested_before_and_after_it_is_stored(provider: ProviderServer, alice: Actor) -> None:
    caller = Caller(alice)
    first = caller.post("/models/test", {"backend": "anthropic"}, 200)
    assert (first["ok"], first["code"], first["detail"]) == (False, "no_key", "No key is stored.")
    tried = caller.post("/models/test", {"backend": "anthropic", "key": KEY}, 200)
    assert (tried["ok"], tried["code"], tried["models"]) == (True, "accepted", list(MODELS))
    assert tried["latency_ms"] >= 0
    put_key(alice, "anthropic", {"key": KEY})
    assert caller.post("/models/test", {"backend": "anthropic"}, 200)["ok"]
    assert status_of(caller.get("/models"), "anthropic")["key"]


def test_the_installation_s_keys_and_addresses_are_never_shown(
    provider: ProviderServer, alice: Actor, bob: Actor, settings: Settings
) -> None:
    set_provider_variables(
        settings,
        ANTHROPIC_API_KEY=INSTALLED,
        OPENAI_API_KEY=INSTALLED,
        OPENAI_BASE_URL="http://10.9.8.7:8000/v1",
        OLLAMA_BASE_URL="http://10.9.8.7:11434",
    )
    settings.CLAUDE_COMMAND = "/home/operator/bin/claude"
    local_models_allow(workspace_id=alice.workspace_id)
    for backend in ("anthropic", "ollama", "claude-cli"):
        patch(alice, {"backend": backend})
        for actor in (alice, bob):
            answer = Caller(actor).client.get("/api/models")
            detail = answer.content.decode()
            assert not [part for part in ("ator", "10.9.8.7", provider.url, "bin/claude") if part in detail]
            row = status_of(answer.json(), "anthropic")
            assert (row["state"], row["detail"]) == ("ready", "Ready, with the key from the environment.")
            assert (row["key"], row["base_url"], bool(row["models"])) == (None, "", actor is alice)


def test_key_tests_are_rate_limited(alice: Actor, settings: Settings) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "model_key": (3, 60)}
    client = Caller(alice).client
    answers = [client.post("/api/models/test", {"backend": "openai"}).status_code for _ in range(3)]
    answers.append(client.put("/api/models/keys/openai", {"key": "no key"}).status_code)
    assert answers == [200, 200, 200, 429]
    assert client.get("/api/models").status_code == 200


def test_members_read_and_only_administrators_change(
    provider: ProviderServer, alice: Actor, bob: Actor, charlie: Actor, acme: Workspace
) -> None:
    put_key(alice, "anthropic", {"key": KEY})
    for actor in (bob, viewer_of(acme), person("Curt", acme, Role.CURATOR)):
        caller = Caller(actor)
        row = status_of(caller.get("/models"), "anthropic")
        assert (row["state"], row["detail"]) == ("ready", "Ready, with this workspace's key.")
        assert (row["key"], row["base_url"], row["models"]) == (None, "", [])
        caller.patch("/models", {"backend": "openai"}, 403, If_Match='"0"')
        caller.post("/models/test", {"backend": "anthropic"}, 403)
        put_key(actor, "anthropic", {"key": KEY}, 403)
        caller.delete("/models/keys/anthropic", 403)
    for client in (key_client_of(alice, "read", "write"), JsonClient()):
        assert client.put("/api/models/keys/anthropic", {"key": KEY}).status_code in (401, 403)
    assert status_of(Caller(charlie).get("/models"), "anthropic")["key"] is None
    Caller(charlie).delete("/models/keys/anthropic", 404)
    assert len(provider.requests) == 1


def test_an_administrator_can_change_the_models(provider: ProviderServer, acme: Workspace) -> None:
    anna = person("Anna", acme, Role.ADMIN)
    put_key(anna, "anthropic", {"key": KEY})
    assert patch(anna, {"backend": "anthropic"})["chosen"][0]["configured"] is True
