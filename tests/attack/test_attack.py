"""A short run of every attack: each is refused at little cost, and nobody else waits for it.

What others wait is compared with what they wait without an attack, and a long text with an ordinary one. The limits are
those of a machine that is busy with other tests: they find what waits for an attack to end, or what grows faster than
the text. How long it takes on a quiet machine is what `make attack` shows.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.attack import injection
from tests.attack.__main__ import attack
from tests.attack.secret_kinds import EVERY_KIND
from tests.attack.target import Target
from tests.whole import WholeStack

SLOWER, SLOWER_LONG = 10, 5
SHORT: dict[str, Any] = {
    "texts": 300,
    "payloads": injection.PAYLOADS[::20],
    "shared_s": 0,
    "kinds": dict(list(EVERY_KIND.items())[::8]),
    "probes": 100,
}


@pytest.mark.slow("it attacks running programs")
def test_no_attack_stops_the_others_from_working(whole: WholeStack) -> None:
    target = Target(whole.client, lambda: [whole.web.pid], whole.worker_pids)
    results = attack(target, idle_s=5, backlog=8_000, length=100_000, shapes=1, kills_s=0, **SHORT)
    assert (results["delimiter_escapes"], results["injected_unmarked"], results["injected_where"]) == (0, 0, {})
    assert results["secrets_redacted"] >= 0.95, results["secrets_left"]
    assert results["secrets_in_addresses"] == 0 and results["ordinary_redacted"] <= 0.005
    assert (results["hidden_characters"], results["leaks"], results["leaks_where"]) == (0, 0, [])
    assert (results["shared_chat_leaks"], results["shared_chat_leaks_where"]) == (0, [])
    assert results["bomb_refused"] and results["bomb_worker_mb"] < 400
    assert results["names_cpu_s"] < 5 and results["names_errors"] <= 20
    assert results["slow_readers_p95_ms"] < 5_000 + SLOWER * results["calm_p95_ms"]
    assert results["forged_addresses_counted"] == 1
    assert results["longest_text_cpu_ms"] < 3_000 + SLOWER_LONG * results["ordinary_text_cpu_ms"]
    assert results["person_job_s"] < 30 + SLOWER * results["person_alone_s"]
    assert results["idle_ready_status"] == 200
