"""A fake model server that only compactions call."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytest_django import Settings

from tests.providers.anthropic_server import ProviderServer
from tests.providers.fixtures import provider as configured
from tests.providers.fixtures import server

__all__ = ["configured", "provider", "server"]


@pytest.fixture
def provider(configured: ProviderServer, settings: Settings) -> ProviderServer:
    """The fake server; extraction, which would call it too, is off."""
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, extraction_enabled=False)
    return configured
