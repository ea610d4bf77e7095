"""Precedence of model choices: environment, workspace, settings file, then order of preference."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pydantic import SecretStr
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.policy import Policy
from apps.llm.encryption import encrypt
from apps.llm.models import ModelSettings, ProviderKey
from apps.llm.providers.base import CHOOSABLE, Purpose
from apps.llm.routing.config_file import SettingsFile
from apps.llm.routing.local_discovery import LOCAL_MODELS
from apps.llm.routing.model_selection import BackendStatus, ModelChoice, State
from apps.llm.selectors.model_settings import model_chosen, models_get
from apps.llm.services.model_settings import ModelsChange, models_update
from tests.providers.environment import set_provider_variables
from tests.providers.plain import Plain, PlainServer, plain_server

KEY = "sk-ant-0123456789-environment"
TAGS = {"models": [{"name": "llama3.2:latest"}, {"name": "qwen3:8b"}]}

pytestmark = pytest.mark.django_db


@pytest.fixture
def ollama(settings: Settings) -> Iterator[PlainServer]:
    """A local Ollama that was not detected yet."""
    LOCAL_MODELS.forget()
    with plain_server(api_tags=Plain(TAGS)) as server:
        set_provider_variables(settings, OLLAMA_BASE_URL=server.url)
        yield server


@pytest.fixture
def claude(settings: Settings, tmp_path: Path) -> str:
    command = tmp_path / "claude"
    command.write_text("#!/bin/sh\n")
    os.chmod(command, 0o700)
    settings.CLAUDE_COMMAND = str(command)
    return str(command)


def choose(actor: Actor, **values: Any) -> None:
    with workspace(actor.workspace_id):
        ModelSettings.objects.update_or_create(workspace_id=actor.workspace_id, defaults=values)


def bring_key(actor: Actor, backend: str, **values: Any) -> None:
    held = encrypt("sk-of-the-workspace", workspace_id=actor.workspace_id, backend=backend)
    with workspace(actor.workspace_id):
        ProviderKey.objects.create(backend=backend, **{"encrypted_key": held, "last_four": "pace", **values})


def chosen(actor: Actor, purpose: Purpose = Purpose.CHAT, policy: Policy | None = None) -> ModelChoice:
    return reached(actor, purpose, policy)[0]


def reached(
    actor: Actor, purpose: Purpose = Purpose.CHAT, policy: Policy | None = None
) -> tuple[ModelChoice, BackendStatus]:
    with workspace(actor.workspace_id):
        return model_chosen(purpose, policy or Policy())


def status_of(actor: Actor, backend: str) -> BackendStatus:
    with workspace(actor.workspace_id):
        return next(one for one in models_get(actor, Policy()).providers if one.backend == backend)


def test_without_any_provider_the_offline_one_answers(alice: Actor) -> None:
    with workspace(alice.workspace_id):
        every = models_get(alice, Policy()).chosen
    assert [one.purpose for one in every] == ["chat", "compaction", "extraction", "merge", "intent"]
    assert {(one.backend, one.model, one.configured, one.reason) for one in every} == {
        ("offline", "offline", False, "No provider is set up.")
    }


def test_a_key_in_the_environment_is_enough(alice: Actor, settings: Settings) -> None:
    set_provider_variables(settings, ANTHROPIC_API_KEY=KEY)
    models = {purpose: chosen(alice, purpose).model for purpose in CHOOSABLE}
    strong, quick = "claude-sonnet-5-5", "claude-haiku-5-5"
    assert models == {
        Purpose.CHAT: strong,
        Purpose.COMPACTION: quick,
        Purpose.EXTRACTION: quick,
        Purpose.MERGE: strong,
        Purpose.INTENT: quick,
    }
    choice, how = reached(alice)
    assert choice.reason == "Anthropic is the first available provider."
    assert how.secret.get_secret_value() == KEY and KEY not in repr(how)


def test_without_a_named_provider_the_order_of_preference_decides(
    alice: Actor, settings: Settings, ollama: PlainServer, claude: str
) -> None:
    order = []
    for name in ("OPENAI_API_KEY", "OPENROUTER_API_KEY", "GEMINI_API_KEY", "ANTHROPIC_API_KEY"):
        set_provider_variables(settings, **{name: KEY})
        order.append(chosen(alice).backend)
    choose(alice, local_allowed=True)
    settings.CLAUDE_COMMAND = ""
    order.append(chosen(alice).backend)
    settings.CLAUDE_COMMAND = claude
    order.append(chosen(alice).backend)
    assert order == ["openai", "openrouter", "gemini", "anthropic", "ollama", "claude-cli"]


def test_local_models_serve_only_workspaces_that_operators_allowed(
    alice: Actor, charlie: Actor, ollama: PlainServer, claude: str
) -> None:
    choose(alice, local_allowed=True)
    assert chosen(alice).backend == "claude-cli"
    assert chosen(charlie).backend == "offline"
    assert status_of(charlie, "ollama").state is status_of(charlie, "claude-cli").state is State.NOT_ALLOWED
    assert not ollama.asked, "nobody looks where nobody may"


def test_the_source_with_precedence_decides_and_is_named_in_the_reason(alice: Actor, settings: Settings) -> None:
    set_provider_variables(settings, ANTHROPIC_API_KEY=KEY, OPENAI_API_KEY=KEY, GEMINI_API_KEY=KEY)
    settings.MODEL_FILE = SettingsFile(backend="gemini")
    assert chosen(alice).reason == "The settings file selects Gemini."
    choose(alice, backend="openai")
    assert chosen(alice).reason == "This workspace selects OpenAI."
    settings.MODEL_PROVIDER = "anthropic"
    choice = chosen(alice)
    assert (choice.backend, choice.reason) == ("anthropic", "The environment selects Anthropic.")


def test_a_named_provider_that_is_not_ready_is_not_replaced(alice: Actor, settings: Settings) -> None:
    set_provider_variables(settings, ANTHROPIC_API_KEY=KEY)
    settings.MODEL_PROVIDER = "ollama"
    choose(alice, local_allowed=True)
    choice = chosen(alice)
    assert (choice.backend, choice.configured) == ("offline", False)
    assert choice.reason == "The environment selects Ollama, which is unreachable."


@pytest.mark.parametrize(
    ("backend", "reason"),
    [
        ("openai", "This workspace selects OpenAI, which has no key."),
        ("claude-cli", "This workspace selects the Claude CLI, which is not allowed in this workspace."),
        ("compatible", "This workspace selects the OpenAI-compatible server, which has no key."),
        ("offline", "This workspace selects no model."),
    ],
)
def test_the_reason_states_what_is_missing(alice: Actor, backend: str, reason: str) -> None:
    choose(alice, backend=backend)
    choice = chosen(alice)
    assert (choice.backend, choice.configured, choice.reason) == ("offline", False, reason)


def test_model_names_have_the_same_precedence(alice: Actor, settings: Settings) -> None:
    set_provider_variables(settings, ANTHROPIC_API_KEY=KEY)
    settings.MODEL_FILE = SettingsFile(names={"": "of-file", "chat": "chat-of-file"})
    assert chosen(alice).model == "chat-of-file"
    assert chosen(alice, Purpose.INTENT).model == "of-file"
    choose(alice, by_purpose={"chat": "of-workspace"})
    assert chosen(alice).model == "of-workspace"
    assert chosen(alice, Purpose.MERGE).model == "of-file"
    settings.MODELS = {"chat": "of-environment"}
    choice = chosen(alice)
    assert choice.model == "of-environment"
    assert choice.reason.endswith("is the first available provider; the environment sets the model.")


def test_model_names_next_to_a_provider_apply_only_to_it(alice: Actor, settings: Settings) -> None:
    set_provider_variables(settings, ANTHROPIC_API_KEY=KEY, OPENAI_API_KEY=KEY)
    settings.MODEL_FILE = SettingsFile(backend="claude-cli", names={"": "haiku"}, own_names={"anthropic": "claude-x"})
    choose(alice, backend="openai", by_purpose={"chat": "gpt-x"})
    assert chosen(alice).model == "gpt-x"
    settings.MODEL_PROVIDER = "anthropic"
    assert chosen(alice).model == "claude-x"


def test_a_model_in_the_environment_applies_to_the_provider_whose_key_is_there(
    alice: Actor, settings: Settings
) -> None:
    settings.MODELS = {"chat": "claude-x", "merge": "claude-y"}
    set_provider_variables(settings, ANTHROPIC_API_KEY=KEY)
    assert chosen(alice).model == "claude-x"
    bring_key(alice, "openai")
    choose(alice, backend="openai", by_purpose={"chat": "gpt-x"})
    choice = chosen(alice)
    assert (choice.backend, choice.model) == ("openai", "gpt-x")
    assert choice.reason == "This workspace selects OpenAI; this workspace sets the model."
    assert chosen(alice, Purpose.MERGE).model == "gpt-5.6-terra"
    choose(alice, backend="anthropic", by_purpose={"chat": "claude-z"})
    assert chosen(alice).model == "claude-x", "the environment goes before the workspace"


@pytest.mark.parametrize(
    ("name", "value"), [("MODELS", {"chat": "other-x"}), ("MODEL_FILE", SettingsFile(names={"": "other-x"}))]
)
def test_a_model_without_provider_and_key_does_not_apply_to_the_workspace_s_provider(
    alice: Actor, settings: Settings, name: str, value: Any
) -> None:
    set_provider_variables(settings, OLLAMA_BASE_URL="")
    setattr(settings, name, value)
    bring_key(alice, "gemini")
    assert chosen(alice).model == "other-x", "nobody named a provider"
    choose(alice, backend="gemini")
    assert chosen(alice).model == "gemini-3.5-flash"


@pytest.mark.parametrize(("address", "backend"), [("OPENAI_BASE_URL", "compatible"), ("OLLAMA_BASE_URL", "ollama")])
def test_without_a_key_the_address_in_the_environment_selects_the_provider_of_the_models(
    alice: Actor, settings: Settings, ollama: PlainServer, address: str, backend: str
) -> None:
    set_provider_variables(settings, OLLAMA_BASE_URL="")
    set_provider_variables(settings, **{address: ollama.url})
    settings.MODELS = {"chat": "qwen3:8b"}
    choose(alice, backend=backend, local_allowed=True)
    assert (chosen(alice).backend, chosen(alice).model) == (backend, "qwen3:8b")
    bring_key(alice, "anthropic")
    choose(alice, backend="anthropic")
    assert chosen(alice).model == "claude-sonnet-5-5"


def test_choosing_another_provider_clears_the_models(alice: Actor) -> None:
    def change(version: int, **values: Any) -> Any:
        with workspace(alice.workspace_id):
            models_update(alice, change=ModelsChange(**values), version=version)
            return ModelSettings.objects.get().by_purpose

    named = {Purpose.CHAT: "gpt-x", Purpose.MERGE: "gpt-y"}
    assert change(0, backend="openai", by_purpose=named) == {"chat": "gpt-x", "merge": "gpt-y"}
    assert change(1, backend="openai", by_purpose={Purpose.MERGE: "gpt-z"}) == {"chat": "gpt-x", "merge": "gpt-z"}
    assert change(2, backend="gemini", by_purpose={Purpose.CHAT: "gemini-x"}) == {"chat": "gemini-x"}
    assert change(3, backend="") == {}


def test_an_ollama_without_the_default_model_needs_a_named_one(alice: Actor, ollama: PlainServer) -> None:
    choose(alice, local_allowed=True)
    assert chosen(alice).model == "llama3.2"
    ollama.answers["/api/tags"] = Plain({"models": [{"name": "qwen3:8b"}]})
    LOCAL_MODELS.forget()
    assert chosen(alice).backend == "offline"
    choose(alice, backend="ollama")
    without = "which does not have llama3.2, and no other model is selected"
    assert chosen(alice).reason == f"This workspace selects Ollama, {without}."
    choose(alice, by_purpose={"chat": "qwen3:8b"})
    assert (chosen(alice).backend, chosen(alice).model) == ("ollama", "qwen3:8b")


def test_a_workspace_s_key_takes_precedence_and_serves_only_that_workspace(
    alice: Actor, charlie: Actor, settings: Settings
) -> None:
    set_provider_variables(settings, ANTHROPIC_API_KEY=KEY)
    bring_key(alice, "anthropic")
    hers, his = reached(alice)[1], reached(charlie)[1]
    assert (hers.secret.get_secret_value(), his.secret.get_secret_value()) == ("sk-of-the-workspace", KEY)
    assert hers.key and his.key
    assert (hers.key.last_four, hers.key.source) == ("pace", "workspace")
    assert (his.key.last_four, his.key.source) == ("ment", "environment")


def test_an_undecryptable_key_is_reported_and_not_replaced(alice: Actor, charlie: Actor, settings: Settings) -> None:
    set_provider_variables(settings, ANTHROPIC_API_KEY=KEY)
    copied = encrypt("sk-of-another", workspace_id=charlie.workspace_id, backend="anthropic")
    bring_key(alice, "anthropic", encrypted_key=copied)
    held = status_of(alice, "anthropic")
    assert (held.state, held.detail) == (State.UNREADABLE_KEY, "The stored key cannot be decrypted. Enter it again.")
    assert chosen(alice).backend == "offline"
    choose(alice, backend="anthropic")
    assert chosen(alice).reason == "This workspace selects Anthropic, whose stored key cannot be decrypted."


def test_an_address_that_is_no_longer_allowed_is_not_called(alice: Actor, settings: Settings) -> None:
    settings.MODEL_ADDRESSES = ("https://models.example.org",)
    bring_key(alice, "compatible", base_url="https://models.example.org/v1")
    choose(alice, by_purpose={"chat": "own-model"})
    assert chosen(alice).backend == "compatible"
    settings.MODEL_ADDRESSES = ()
    assert status_of(alice, "compatible").state is State.NOT_ALLOWED
    assert chosen(alice).backend == "offline"


def test_an_address_in_the_environment_needs_a_model_but_no_key(alice: Actor, settings: Settings) -> None:
    settings.MODEL_PROVIDER = "compatible"
    set_provider_variables(settings, OPENAI_BASE_URL="http://127.0.0.1:8000/v1")
    assert chosen(alice).reason == "The environment selects the OpenAI-compatible server, which has no model selected."
    settings.MODELS = {"chat": "own-model"}
    choice, how = reached(alice)
    assert (choice.backend, choice.model, how.base_url) == ("compatible", "own-model", "http://127.0.0.1:8000/v1")


def test_a_key_from_the_settings_file_is_used(alice: Actor, settings: Settings) -> None:
    settings.MODEL_FILE = SettingsFile(keys={"gemini": SecretStr("sk-of-the-file-0123456")})
    choice, how = reached(alice)
    assert choice.backend == "gemini"
    assert how.key and (how.key.source, how.key.last_four) == ("file", "3456")


def test_a_workspace_in_no_model_mode_calls_no_model(alice: Actor, settings: Settings) -> None:
    set_provider_variables(settings, ANTHROPIC_API_KEY=KEY)
    choice = chosen(alice, policy=replace(Policy(), model_calls_enabled=False))
    assert (choice.configured, choice.reason) == (False, "Models are off in this workspace.")


def test_choosing_a_model_costs_two_reads_and_no_network_once_cached(alice: Actor, ollama: PlainServer) -> None:
    choose(alice, local_allowed=True)
    assert chosen(alice).backend == "ollama"
    with workspace(alice.workspace_id), CaptureQueriesContext(connection) as queries:
        model_chosen(Purpose.CHAT, Policy())
    assert len(queries) == 2
    assert len(ollama.asked) == 1


def test_the_ends_of_short_keys_are_not_shown(alice: Actor, settings: Settings) -> None:
    set_provider_variables(settings, OPENAI_API_KEY="sk-short")
    how = reached(alice)[1]
    assert how.key and how.key.last_four == ""
