"""A fake model server, one per module and reset for each test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from pytest_django import Settings

from tests.providers.anthropic_server import ProviderServer, running_server
from tests.providers.environment import set_provider_variables


@pytest.fixture(scope="module")
def server() -> Iterator[ProviderServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def provider(server: ProviderServer, settings: Settings) -> ProviderServer:
    """Point the environment at the fake server and use short timeouts."""
    server.reset()
    set_provider_variables(settings, ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=server.url)
    settings.MODEL_TIMES = replace(settings.MODEL_TIMES, first_byte_s=1, idle_s=1, total_s=5, attempts=1)
    return server
