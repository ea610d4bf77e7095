"""A fake provider, and a web server that the tests of a module share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from apps.accounts.actors import Actor
from tests.processes import Web, start_web
from tests.providers.anthropic_server import ProviderServer, running_server
from tests.turns.streams import Talker


@pytest.fixture(scope="session")
def _provider() -> Iterator[ProviderServer]:
    with running_server() as server:
        yield server


@pytest.fixture(scope="module")
def provider(_provider: ProviderServer) -> ProviderServer:
    """The provider, at the same address in all modules: thus their web servers have the same environment."""
    _provider.reset()
    return _provider


@pytest.fixture(scope="module")
def web(django_db_setup: None, provider: ProviderServer) -> Iterator[Web]:
    running = start_web(ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=provider.url)
    yield running
    running.stop()


@pytest.fixture
def talker(web: Web, provider: ProviderServer, alice: Actor) -> Talker:
    provider.reset()
    return Talker(web, alice)
