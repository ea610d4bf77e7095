"""A fake model server, one per module and reset for each test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from pytest_django import Settings

from tests.providers.anthropic_server import ProviderServer, running_server
from tests.providers.behaviours import Behaviour
from tests.providers.environment import set_provider_variables


@pytest.fixture(scope="module")
def server() -> Iterator[ProviderServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def provider(server: ProviderServer, settings: Settings) -> ProviderServer:
    """Point the environment at the fake server, and attempt each call once."""
    server.reset()
    set_provider_variables(settings, ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=server.url)
    settings.MODEL_TIMES = replace(settings.MODEL_TIMES, attempts=1)
    return server


@contextmanager
def behaving(server: ProviderServer, settings: Settings, behaviour: Behaviour) -> Iterator[None]:
    """Let the server behave so for a while; wait only briefly for an answer that never comes."""
    patient, usual = settings.MODEL_TIMES, server.usual
    server.usual = behaviour
    if behaviour.kind == "hang":
        settings.MODEL_TIMES = replace(patient, first_byte_s=0.5)
    yield
    settings.MODEL_TIMES, server.usual = patient, usual
