"""No memories are extracted from what these tests compact; only compactions call the fake model server."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytest_django import Settings

from tests.providers.fixtures import provider, server

__all__ = ["provider", "server"]


@pytest.fixture(autouse=True)
def no_extraction(settings: Settings) -> None:
    """Turn extraction off, which would read every message of long conversations after a compaction of each."""
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, extraction_enabled=False)
