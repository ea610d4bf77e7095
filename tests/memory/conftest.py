"""A fake provider for tests that need one."""

from __future__ import annotations

import pytest

from apps.llm.providers.anthropic import sdk_load
from tests.providers.anthropic_server import ProviderServer
from tests.providers.fixtures import provider as configured
from tests.providers.fixtures import server

__all__ = ["configured", "server"]


@pytest.fixture
def provider(configured: ProviderServer) -> ProviderServer:
    """Import the SDK beforehand, because the first call would exceed short timeouts."""
    sdk_load()
    return configured
