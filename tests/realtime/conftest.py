"""A busy machine's Redis may exceed the publisher's timeout; these tests use a longer one, so that no event is lost."""

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
