"""A fake model server whose answers about memories are scripted."""

from __future__ import annotations

import pytest

from apps.llm.providers.anthropic import sdk_load
from tests.providers.fixtures import provider, server
from tests.providers.server import ProviderServer

__all__ = ["model", "provider", "server"]


@pytest.fixture
def model(provider: ProviderServer) -> ProviderServer:
    # Short timeouts must not include the first import of the SDK.
    sdk_load()
    provider.scripts_memories = True
    return provider
