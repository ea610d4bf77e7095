"""Redis counters and cached readiness are not part of a test's transaction, so each API test begins without any."""

from __future__ import annotations

import pytest
import redis

from apps.api.jobs.readiness import last_queue, last_ready


@pytest.fixture(autouse=True)
def fresh_counters(redis_url: str) -> None:
    redis.Redis.from_url(redis_url).flushdb()
    last_ready.clear()
    last_queue.clear()
