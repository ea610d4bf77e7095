"""A short run of generated requests: no server error, and no status that the API's description does not name."""

from __future__ import annotations

from tests.fuzz.__main__ import SHORTEST, fuzz
from tests.whole import WholeStack


def test_no_generated_request_meets_a_server_error_or_an_undocumented_status(whole: WholeStack) -> None:
    counts = fuzz(whole.client, *SHORTEST)
    assert counts["cases"] > 300
    assert (counts["server_errors"], counts["undocumented_statuses"]) == (0, 0)
