"""Counters in Redis are no part of a test's transaction: each test of the edge begins with none."""

from __future__ import annotations

import pytest
import redis


@pytest.fixture(autouse=True)
def fresh_counters(redis_url: str) -> None:
    redis.Redis.from_url(redis_url).flushdb()
