"""A provider needs only its specification: settings, key, address, label and calls follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.errors import Invalid
from apps.common.tenancy import workspace
from apps.engine.policy import Policy
from apps.llm.embedding.model_ids import remote_name
from apps.llm.models import ModelSettings, ProviderKey
from apps.llm.providers.base import Purpose
from apps.llm.routing import providers
from apps.llm.routing.model_catalog import window_of
from apps.llm.routing.providers import PROVIDERS, Adapter, KeyUse, ProviderSpec
from apps.llm.selectors.model_settings import models_get
from apps.llm.services.model_settings import ModelsChange, models_update
from apps.llm.services.registry import provider_for
from tests.llm.conftest import IMPATIENT, KEY, events_of, question, run, text_of
from tests.providers import openai_server
from tests.providers.behaviours import DEFAULT_TEXT
from tests.providers.environment import set_provider_variables
from tests.providers.server import ProviderServer

ROOT = Path(__file__).parents[2]
COMPOSE = (ROOT / "docker-compose.yml").read_text()
MISTRAL = ProviderSpec(
    id="mistral",
    label="Mistral",
    adapter=Adapter.OPENAI,
    base_url="https://api.mistral.ai/v1",
    url_variable="MISTRAL_BASE_URL",
    key_variable="MISTRAL_API_KEY",
    strong_model="mistral-large",
    quick_model="mistral-small",
    windows=(("mistral", 131_072),),
    embeds=True,
)


@pytest.fixture
def mistral(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[ProviderServer]:
    """A provider known only by its specification, and its server."""
    monkeypatch.setattr(providers, "PROVIDERS", {"mistral": MISTRAL, **PROVIDERS})
    with openai_server.running_server(openai_server.OPENROUTER) as server:
        set_provider_variables(settings, MISTRAL_API_KEY=KEY, MISTRAL_BASE_URL=f"{server.url}/v1")
        settings.MODEL_TIMES = replace(IMPATIENT, first_byte_s=5, total_s=10, chat_total_s=10)
        yield server


@pytest.mark.django_db
def test_a_provider_answers_once_it_has_a_specification(mistral: ProviderServer, alice: Actor) -> None:
    with workspace(alice.workspace_id):
        models_update(alice, change=ModelsChange("mistral"), version=0)
        chosen = provider_for(Purpose.CHAT, Policy())
    assert text_of(run(chosen.provider, events_of(chosen.provider, question()))) == DEFAULT_TEXT
    (request,) = mistral.requests
    assert (request.path, request.headers["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert (chosen.backend, chosen.model, chosen.window_tokens) == ("mistral", "mistral-large", 131_072)
    assert chosen.reason == "This workspace selects Mistral."
    assert [report.provider for report in chosen.reports] == ["mistral"]


@pytest.mark.django_db
def test_a_provider_with_a_specification_is_listed_with_its_label(mistral: ProviderServer, alice: Actor) -> None:
    with workspace(alice.workspace_id):
        status = {one.backend: one for one in models_get(alice, Policy()).providers}
    assert (status["mistral"].label, status["mistral"].state, status["mistral"].takes_key) == ("Mistral", "ready", True)
    assert status["mistral"].models == ("mistral-large", "mistral-small")


def test_a_new_provider_has_embedding_ids_and_context_windows(mistral: ProviderServer) -> None:
    assert remote_name("mistral/mistral-embed@1024") is not None
    assert window_of("openrouter", "mistralai/mistral-large") == 131_072


@pytest.mark.django_db
def test_a_workspace_cannot_choose_a_provider_without_a_specification(alice: Actor) -> None:
    with workspace(alice.workspace_id), pytest.raises(Invalid, match="Unknown provider"):
        models_update(alice, change=ModelsChange("mistral"), version=0)


def test_no_column_lists_the_providers() -> None:
    for model in (ModelSettings, ProviderKey):
        column = model._meta.get_field("backend")
        assert not column.choices
        assert column.max_length >= max(map(len, PROVIDERS))


@pytest.mark.parametrize("spec", PROVIDERS.values(), ids=str)
def test_compose_passes_on_a_provider_s_variables(spec: ProviderSpec) -> None:
    for variable in filter(None, (spec.key_variable, spec.url_variable)):
        assert f"  {variable}:\n" in COMPOSE or f"  {variable}_FILE:" in COMPOSE


def test_every_specification_is_complete() -> None:
    assert len(PROVIDERS) == len(providers._SPECS), "an id stands twice"
    assert {spec.id for spec in PROVIDERS.values() if spec.is_free} == {"claude-cli", "ollama", "offline"}
    for spec in PROVIDERS.values():
        assert spec.takes_key == bool(spec.key_variable)
        assert spec.dialect.needs_key == (spec.key is KeyUse.REQUIRED) or spec.adapter is not Adapter.OPENAI
        assert spec.base_url or spec.takes_address or spec.adapter in (Adapter.CLAUDE_CLI, Adapter.OFFLINE)
