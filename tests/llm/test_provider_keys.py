"""A workspace's provider keys: tested first, stored encrypted, and never shown again."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pydantic import SecretStr
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import OperatorAccess
from apps.common.errors import Forbidden, Invalid, NotFound
from apps.common.tenancy import workspace
from apps.llm.encryption import decrypt
from apps.llm.errors import ModelError
from apps.llm.middleware.metering import TransactionOpen
from apps.llm.models import ProviderKey
from apps.llm.routing import key_check
from apps.llm.routing.key_check import models_for
from apps.llm.routing.local_discovery import LOCAL_MODELS
from apps.llm.routing.model_selection import State
from apps.llm.routing.providers import PROVIDERS, provider_spec
from apps.llm.selectors.model_settings import backend_found
from apps.llm.services.model_settings import local_models_allow
from apps.llm.services.provider_keys import (
    KeyNotAccepted,
    KeyNotTested,
    ProviderKeyDraft,
    backend_test,
    provider_key_delete,
    provider_key_save,
    provider_key_test,
)
from tests.providers import openai_server
from tests.providers.anthropic_server import MODELS, ProviderServer
from tests.providers.environment import set_provider_variables
from tests.providers.plain import Plain, PlainServer, plain_server

KEY = "sk-0123456789-of-the-workspace"
LISTED = {"data": [{"id": "models/gemini-x"}, {"id": "b"}, {"id": 5}, {"id": ""}, {"id": "a\nb"}, "c"]}

pytestmark = pytest.mark.django_db


@pytest.fixture
def anthropic(server: ProviderServer, settings: Settings) -> ProviderServer:
    """An installation that knows where Anthropic is, and has no key of its own."""
    set_provider_variables(settings, ANTHROPIC_BASE_URL=server.url)
    return server


@pytest.fixture
def elsewhere(settings: Settings) -> Iterator[PlainServer]:
    """A compatible server that operators named."""
    with plain_server(v1_models=Plain(LISTED)) as server:
        settings.MODEL_ADDRESSES = (server.url,)
        yield server


def draft(backend: str = "anthropic", key: str = KEY, base_url: str = "") -> ProviderKeyDraft:
    return ProviderKeyDraft(backend, SecretStr(key), base_url)


def stored(actor: Actor) -> list[ProviderKey]:
    with workspace(actor.workspace_id):
        return list(ProviderKey.objects.all())


def test_an_accepted_key_is_stored_encrypted(anthropic: ProviderServer, alice: Actor) -> None:
    status = provider_key_save(alice, draft=draft())
    (row,) = stored(alice)
    assert status.state is State.READY and status.key
    assert (status.key.last_four, status.key.source, status.key.tested_at) == ("pace", "workspace", row.tested_at)
    assert KEY.encode() not in bytes(row.encrypted_key)
    assert decrypt(bytes(row.encrypted_key), workspace_id=alice.workspace_id, backend="anthropic") == KEY
    assert KEY not in repr(status) + repr(row) + str(vars(row)) + repr(draft())


def test_a_new_key_takes_the_place_of_the_old_one(anthropic: ProviderServer, alice: Actor) -> None:
    provider_key_save(alice, draft=draft())
    provider_key_save(alice, draft=draft(key="sk-another-one-of-theirs"))
    (row,) = stored(alice)
    assert row.last_four == "eirs"


def test_testing_a_key_lists_models_and_stores_nothing(anthropic: ProviderServer, alice: Actor) -> None:
    test = provider_key_test(alice, draft=draft())
    assert (test.ok, test.code, test.models) == (True, "accepted", MODELS)
    (request,) = anthropic.requests
    assert (request.method, request.path, request.headers["x-api-key"]) == ("GET", "/v1/models", KEY)
    assert not stored(alice)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Plain({"error": "SECRET-WORDS"}, 401), "unauthorized"),
        (Plain({"error": "SECRET-WORDS"}, 403), "unauthorized"),
        (Plain({"error": "SECRET-WORDS"}, 404), "rejected"),
        (Plain({"error": "SECRET-WORDS"}, 429), "rate_limited"),
        (Plain({"error": "SECRET-WORDS"}, 500), "unavailable"),
        (Plain(b"<html>SECRET-WORDS</html>"), "malformed"),
        (Plain({"data": "SECRET-WORDS"}), "malformed"),
        (Plain(["SECRET-WORDS"]), "malformed"),
        (Plain(b"[" * 200_000), "malformed"),
        (Plain(None, 302, {"Location": "/v1/elsewhere"}), "malformed"),
        (Plain(LISTED, after_s=2), "timeout"),
    ],
)
def test_a_key_that_is_refused_or_cannot_be_tested_is_not_stored(
    answer: Plain,
    code: str,
    elsewhere: PlainServer,
    alice: Actor,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(key_check, "_LIMIT_S", 1)
    elsewhere.answers = {"/v1/models": answer, "/v1/elsewhere": Plain(LISTED)}
    refusal = KeyNotAccepted if code in ("unauthorized", "rejected") else KeyNotTested
    with pytest.raises(refusal) as refused:
        provider_key_save(alice, draft=draft("compatible", base_url=f"{elsewhere.url}/v1"))
    assert refused.value.extra == {"reason": code}
    detail = refused.value.detail + repr(refused.value) + caplog.text
    assert not [word for word in (KEY, "SECRET-WORDS", elsewhere.url) if word in detail]
    assert elsewhere.paths == ["/v1/models"], "a redirect is not followed"
    assert not stored(alice)


def test_a_key_is_not_stored_if_the_provider_does_not_answer(alice: Actor, settings: Settings) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        set_provider_variables(settings, ANTHROPIC_BASE_URL=f"http://127.0.0.1:{closed.getsockname()[1]}")
        test = provider_key_test(alice, draft=draft())
    assert (test.ok, test.code) == (False, "unavailable")


@pytest.mark.parametrize("key", ["two words", "with\nline", "exämple", "tab\t"])
def test_an_impossible_key_is_never_sent(key: str, anthropic: ProviderServer, alice: Actor) -> None:
    assert provider_key_test(alice, draft=draft(key=key)).code == "unauthorized"
    assert not anthropic.requests


def test_a_public_list_of_models_does_not_validate_a_key(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    with plain_server(models=Plain(LISTED), key=Plain({"error": "no"}, 401)) as server:
        moved = replace(provider_spec("openrouter"), base_url=server.url)
        monkeypatch.setattr("apps.llm.routing.providers.PROVIDERS", {**PROVIDERS, "openrouter": moved})
        assert provider_key_test(alice, draft=draft("openrouter")).code == "unauthorized"
        server.answers["/key"] = Plain({"data": {"label": "ours"}})
        test = provider_key_test(alice, draft=draft("openrouter"))
        assert (test.ok, test.models) == (True, ("gemini-x", "b"))
        assert all(headers["authorization"] == f"Bearer {KEY}" for _, headers in server.asked)


@pytest.mark.parametrize(
    "base_url",
    [
        *("http://127.0.0.1:9/v1", "http://169.254.169.254/latest", "http://localhost/v1", "file:///etc/passwd"),
        *(
            "{url}@evil.example.org",
            "{url}.evil.example.org",
            "{url}0/v1",
            "{url}/../admin",
            "http://user:pw@127.0.0.1",
        ),
    ],
)
def test_a_key_is_never_sent_to_an_address_that_is_not_allowed(
    base_url: str, elsewhere: PlainServer, alice: Actor
) -> None:
    with pytest.raises(Invalid) as refused:
        provider_key_save(alice, draft=draft("compatible", base_url=base_url.format(url=elsewhere.url)))
    assert refused.value.extra["errors"][0]["pointer"] == "/base_url"
    assert not elsewhere.asked and not stored(alice)


@pytest.mark.parametrize(("backend", "pointer"), [("anthropic", "/base_url"), ("ollama", "/key")])
def test_only_compatible_servers_take_an_address_and_only_keyed_providers_a_key(
    backend: str, pointer: str, elsewhere: PlainServer, alice: Actor
) -> None:
    with pytest.raises(Invalid) as refused:
        provider_key_save(alice, draft=draft(backend, base_url=elsewhere.url))
    assert refused.value.extra["errors"][0]["pointer"] == pointer


def test_a_compatible_server_is_stored_with_its_address(elsewhere: PlainServer, alice: Actor) -> None:
    status = provider_key_save(alice, draft=draft("compatible", base_url=f"{elsewhere.url.upper()}/v1/"))
    assert status.base_url == f"{elsewhere.url}/v1"
    assert elsewhere.paths == ["/v1/models"]


def test_a_stored_key_can_be_tested(anthropic: ProviderServer, alice: Actor) -> None:
    assert backend_test(alice, backend="anthropic").code == "no_key"
    provider_key_save(alice, draft=draft())
    assert backend_test(alice, backend="anthropic").ok
    assert [request.headers["x-api-key"] for request in anthropic.requests] == [KEY, KEY]


def test_testing_a_provider_without_key_reports_its_state(alice: Actor) -> None:
    assert backend_test(alice, backend="offline").ok
    assert backend_test(alice, backend="claude-cli").code == "not_allowed"


def test_a_key_is_not_tested_inside_a_unit_of_work(anthropic: ProviderServer, alice: Actor) -> None:
    with workspace(alice.workspace_id), pytest.raises(TransactionOpen):
        provider_key_save(alice, draft=draft())
    assert not anthropic.requests


def test_only_administrators_test_store_and_delete_keys(anthropic: ProviderServer, alice: Actor, bob: Actor) -> None:
    provider_key_save(alice, draft=draft())
    acts: list[Any] = [
        lambda: provider_key_test(bob, draft=draft()),
        lambda: provider_key_save(bob, draft=draft()),
        lambda: backend_test(bob, backend="anthropic"),
        lambda: provider_key_delete(bob, backend="anthropic"),
    ]
    for act in acts:
        with pytest.raises(Forbidden):
            act()
    assert len(anthropic.requests) == len(stored(alice)) == 1


def test_deleting_a_key_affects_only_its_workspace(anthropic: ProviderServer, alice: Actor, charlie: Actor) -> None:
    provider_key_save(alice, draft=draft())
    provider_key_save(charlie, draft=draft())
    provider_key_delete(alice, backend="anthropic")
    with pytest.raises(NotFound):
        provider_key_delete(alice, backend="anthropic")
    assert not stored(alice) and len(stored(charlie)) == 1
    with workspace(alice.workspace_id):
        assert backend_found("anthropic").state is State.NO_KEY


def test_after_reencryption_the_fallback_secret_can_be_removed(
    anthropic: ProviderServer, alice: Actor, charlie: Actor, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    provider_key_save(alice, draft=draft())
    provider_key_save(charlie, draft=draft())
    older, settings.SECRET_KEY = settings.SECRET_KEY, "another secret of the installation, long enough"
    settings.SECRET_KEY_FALLBACKS = [older]
    call_command("provider_keys_reencrypt")
    assert capsys.readouterr().out == "2 keys are encrypted with SECRET_KEY.\n"
    assert OperatorAccess.objects.filter(user=None, reason__contains="provider keys").count() == 1
    settings.SECRET_KEY_FALLBACKS = []
    for actor in (alice, charlie):
        with workspace(actor.workspace_id):
            assert backend_found("anthropic").secret.get_secret_value() == KEY


def test_an_undecryptable_key_is_unchanged_and_reported(
    anthropic: ProviderServer, alice: Actor, settings: Settings
) -> None:
    provider_key_save(alice, draft=draft())
    (before,) = stored(alice)
    settings.SECRET_KEY = "another secret of the installation, long enough"
    with pytest.raises(CommandError, match="1 keys cannot be decrypted"):
        call_command("provider_keys_reencrypt")
    (after,) = stored(alice)
    assert bytes(after.encrypted_key) == bytes(before.encrypted_key)


def test_testing_ollama_refreshes_its_models(alice: Actor, settings: Settings) -> None:
    LOCAL_MODELS.forget()
    local_models_allow(workspace_id=alice.workspace_id)
    with plain_server() as server:
        set_provider_variables(settings, OLLAMA_BASE_URL=server.url)
        assert backend_test(alice, backend="ollama").code == "unreachable"
        server.answers["/api/tags"] = Plain({"models": [{"name": "qwen3:8b"}]})
        assert backend_test(alice, backend="ollama").models == ("qwen3:8b",)


def test_an_endless_list_of_models_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_check, "_LARGEST_ANSWER", 1_000)
    with plain_server(models=Plain({"data": [{"id": "x" * 100}] * 100})) as server, pytest.raises(ModelError):
        models_for("openai", SecretStr(KEY), server.url)


def test_an_openai_key_is_tested_with_openai_s_protocol(alice: Actor, settings: Settings) -> None:
    with openai_server.running_server() as server:
        set_provider_variables(settings, OPENAI_BASE_URL=f"{server.url}/v1")
        assert provider_key_test(alice, draft=draft("openai")).models == openai_server.MODELS
