"""A model's server for the tests that need one."""

from __future__ import annotations

import pytest

from apps.llm.providers.anthropic import sdk_load
from tests.compaction.conftest import provider as configured
from tests.compaction.conftest import server
from tests.providers.anthropic_server import ProviderServer

__all__ = ["configured", "server"]


@pytest.fixture
def provider(configured: ProviderServer) -> ProviderServer:
    """The first call would wait for the SDK longer than an impatient installation does."""
    sdk_load()
    return configured
