"""The registry of chosen models."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import NoWorkspace, workspace
from apps.engine.policy import Policy
from apps.llm.errors import ModelError
from apps.llm.models import ModelSettings
from apps.llm.providers.base import CHOOSABLE, Purpose
from apps.llm.services import adapters
from apps.llm.services.registry import ChosenModel, provider_for
from tests.llm.conftest import IMPATIENT, KEY, events_of, question, run, text_of
from tests.providers import openai_server
from tests.providers.anthropic_server import ProviderServer
from tests.providers.environment import set_provider_variables
from tests.providers.openai_server import OLLAMA, OPENAI
from tests.providers.plain import Plain, plain_server

pytestmark = pytest.mark.django_db


def chosen_for(actor: Actor, purpose: Purpose = Purpose.CHAT) -> ChosenModel:
    with workspace(actor.workspace_id):
        return provider_for(purpose, Policy())


def choose(actor: Actor, **values: Any) -> None:
    with workspace(actor.workspace_id):
        ModelSettings.objects.create(**values)


def test_without_a_key_every_purpose_is_served_offline(alice: Actor) -> None:
    chosen = [chosen_for(alice, purpose) for purpose in CHOOSABLE]
    assert {(choice.provider.name, choice.model, choice.configured) for choice in chosen} == {
        ("offline", "offline", False)
    }


def test_with_a_key_each_purpose_has_its_model(configured: ProviderServer, alice: Actor, settings: Settings) -> None:
    settings.MODELS = {purpose: f"model-for-{purpose}" for purpose in CHOOSABLE}
    for purpose in CHOOSABLE:
        chosen = chosen_for(alice, purpose)
        assert (chosen.provider.name, chosen.model, chosen.configured) == ("anthropic", f"model-for-{purpose}", True)
        assert chosen.window_tokens == 32_000
        assert "environment sets the model" in chosen.reason


def test_a_model_cannot_be_chosen_outside_a_unit_of_work(configured: ProviderServer) -> None:
    with pytest.raises(NoWorkspace):
        provider_for(Purpose.CHAT, Policy())


def test_adapters_are_shared_and_reports_are_not(configured: ProviderServer, alice: Actor) -> None:
    adapters.adapter_for.cache_clear()
    first, second = chosen_for(alice), chosen_for(alice)
    assert adapters.adapter_for.cache_info().currsize == 1
    assert first.reports is not second.reports


@pytest.mark.parametrize(
    ("backend", "path"),
    [("openai", "/v1/chat/completions"), ("compatible", "/v1/chat/completions"), ("anthropic", "/v1/messages")],
)
def test_the_named_backend_is_called(
    backend: str, path: str, configured: ProviderServer, alice: Actor, settings: Settings
) -> None:
    choose(alice, backend=backend, by_purpose={"chat": "a-model"})
    with openai_server.running_server(OLLAMA if backend == "compatible" else OPENAI) as server:
        set_provider_variables(settings, OPENAI_API_KEY=KEY, OPENAI_BASE_URL=f"{server.url}/v1")
        chosen = chosen_for(alice)
        assert text_of(run(chosen.provider, events_of(chosen.provider, question())))
        (request,) = configured.requests if backend == "anthropic" else server.requests
    assert (chosen.backend, request.path) == (backend, path)
    assert [report.provider for report in chosen.reports] == [backend]


@pytest.mark.parametrize(("backend", "path"), [("compatible", "/chat/completions"), ("anthropic", "/v1/messages")])
def test_a_redirect_never_receives_a_key(backend: str, path: str, alice: Actor, settings: Settings) -> None:
    settings.MODEL_TIMES = IMPATIENT
    choose(alice, backend=backend, by_purpose={"chat": "a-model"})
    with plain_server() as server:
        server.answers[path] = Plain(None, 307, {"Location": "/elsewhere"})
        set_provider_variables(
            settings,
            ANTHROPIC_API_KEY=KEY,
            ANTHROPIC_BASE_URL=server.url,
            OPENAI_API_KEY=KEY,
            OPENAI_BASE_URL=server.url,
        )
        chosen = chosen_for(alice)
        with pytest.raises(ModelError):
            run(chosen.provider, events_of(chosen.provider, question()))
        assert set(server.paths) == {path}


def test_a_local_ollama_is_called_without_a_key(alice: Actor, settings: Settings) -> None:
    choose(alice, backend="ollama", local_allowed=True, by_purpose={"chat": "gpt-test"})
    with openai_server.running_server(OLLAMA) as server:
        set_provider_variables(settings, OLLAMA_BASE_URL=server.url)
        chosen = chosen_for(alice)
        assert text_of(run(chosen.provider, events_of(chosen.provider, question())))
    assert chosen.provider.name == "ollama"


def test_a_small_context_window_leaves_most_space_to_the_pack(alice: Actor, settings: Settings) -> None:
    choose(alice, backend="ollama", local_allowed=True, by_purpose={"chat": "gpt-test"})
    with openai_server.running_server(OLLAMA) as server:
        set_provider_variables(settings, OLLAMA_BASE_URL=server.url)
        chosen = chosen_for(alice)
    assert (chosen.window_tokens, chosen.answer_budget, chosen.pack_budget) == (4_096, 1_024, 3_072)


def test_no_sdk_is_imported_before_it_is_used() -> None:
    program = (
        "import django, sys; django.setup(); import apps.llm.services.registry, apps.llm.services;"
        "assert not {'anthropic', 'openai', 'httpx2'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
