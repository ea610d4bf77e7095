"""Token buckets: shared limits that refill."""

from __future__ import annotations

from apps.common.ids import uuid7
from apps.common.token_buckets import Rate, token_buckets


def test_a_refund_gives_one_token_back_and_fills_no_bucket_beyond_its_capacity() -> None:
    rate, owner = Rate("test_refund", 2, 3_600), uuid7().hex
    buckets = token_buckets()
    buckets.refund(rate, owner)
    results = [buckets.take(rate, owner) for _ in range(3)]
    assert [result.allowed for result in results if result] == [True, True, False]
    buckets.refund(rate, owner)
    again = buckets.take(rate, owner)
    assert again is not None and again.allowed
    last = buckets.take(rate, owner)
    assert last is not None and not last.allowed and last.retry_after_s > 0
