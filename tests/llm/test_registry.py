"""Which model serves which purpose."""

from __future__ import annotations

import subprocess
import sys

from pydantic import SecretStr
from pytest_django import Settings

from apps.llm.providers.base import Purpose
from apps.llm.registry import provider_for
from config.env import Environment
from tests.llm.conftest import KEY
from tests.providers.anthropic_server import ProviderServer


def test_without_a_key_every_purpose_is_served_offline() -> None:
    chosen = [provider_for(purpose) for purpose in Purpose]
    assert {(choice.provider.name, choice.model, choice.configured) for choice in chosen} == {
        ("offline", "offline", False)
    }


def test_with_a_key_each_purpose_has_its_model(configured: ProviderServer, settings: Settings) -> None:
    settings.MODELS = {purpose: f"model-for-{purpose}" for purpose in Purpose}
    for purpose in Purpose:
        chosen = provider_for(purpose)
        assert (chosen.provider.name, chosen.model, chosen.configured) == ("anthropic", f"model-for-{purpose}", True)


def test_every_purpose_has_a_model_in_the_environment() -> None:
    environment = Environment(  # type: ignore[call-arg]  # the rest comes from the environment
        anthropic_api_key=SecretStr(f" {KEY}\n"), continuity_chat_model="strong", continuity_compaction_model="quick"
    )
    assert environment.models().keys() == set(Purpose)
    assert environment.models()["chat"] == "strong"
    assert environment.anthropic_api_key.get_secret_value() == KEY
    assert KEY not in repr(environment)


def test_no_sdk_is_imported_before_it_is_used() -> None:
    program = (
        "import django, sys; django.setup(); import apps.llm.registry, apps.llm.services;"
        "assert not {'anthropic', 'httpx2'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
