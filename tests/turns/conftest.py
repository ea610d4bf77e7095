"""A fake provider and a web server, shared by the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from apps.accounts.actors import Actor
from tests.processes import Web, start_web
from tests.providers.anthropic_server import ProviderServer, running_server
from tests.turns.streams import Talker


@pytest.fixture(scope="module")
def provider() -> Iterator[ProviderServer]:
    with running_server() as server:
        yield server


@pytest.fixture(scope="module")
def web(django_db_setup: None, provider: ProviderServer) -> Iterator[Web]:
    running = start_web(ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=provider.url)
    yield running
    running.stop()


@pytest.fixture
def talker(web: Web, provider: ProviderServer, alice: Actor) -> Talker:
    provider.reset()
    return Talker(web, alice)
