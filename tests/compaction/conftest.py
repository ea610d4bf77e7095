"""A model's server for the tests that need one: one a module, as at the beginning for each test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from pydantic import SecretStr
from pytest_django import Settings

from tests.providers.anthropic_server import ProviderServer, running_server


@pytest.fixture(scope="module")
def server() -> Iterator[ProviderServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def provider(server: ProviderServer, settings: Settings) -> ProviderServer:
    """An installation whose environment names the server, and that is impatient."""
    server.reset()
    settings.ANTHROPIC_API_KEY = SecretStr("sk-test")
    settings.ANTHROPIC_BASE_URL = server.url
    settings.MODEL_TIMES = replace(settings.MODEL_TIMES, first_byte_s=1, idle_s=1, total_s=5, attempts=1)
    return server
