"""On a busy machine Redis may take longer than a writer waits for it: here nothing is lost by that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from apps.events import redis_publisher


@pytest.fixture(autouse=True, scope="module")
def _patience() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patience:
        patience.setattr(redis_publisher, "_TIMEOUT_S", 5.0)
        redis_publisher.redis_publisher_for.cache_clear()
        yield
    redis_publisher.redis_publisher_for.cache_clear()
