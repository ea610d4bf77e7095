"""Clear the rate limit counters in Redis before each test, since they are not rolled back."""

from __future__ import annotations

import pytest
import redis


@pytest.fixture(autouse=True)
def fresh_counters(redis_url: str) -> None:
    redis.Redis.from_url(redis_url).flushdb()
