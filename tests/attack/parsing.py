"""Bodies that are expensive to parse: brackets without an end, and an object of very many names."""

from __future__ import annotations

import json
import time

from config.stack.client import Client
from tests.attack.target import Json, Target

BRACKETS = 4_000_000
NAMES = 600_000


def bracket_bomb(target: Target) -> Json:
    """Import a file that only opens lists; it is to be refused by a worker of ordinary size."""
    with target.watched_workers() as memory:
        operation = target.send_file(target.client, "bomb", b"[" * BRACKETS)
        result = _ended(target.client, operation)
    codes = [skipped["code"] for skipped in (result["result"] or {}).get("skipped", [])]
    refused = codes == ["too_deep"] and result["result"]["stored"] == 0
    return {"bomb_refused": refused, "bomb_worker_mb": memory.megabytes}


def many_names(target: Target) -> Json:
    """Send an object of very many unknown names, as a stranger and with a key; the slower answer counts.

    The processor time is that of the web process.
    """
    body = b"{" + b",".join(b'"%d":1' % number for number in range(NAMES)) + b"}"
    headers = {"Content-Type": "application/json"}
    known = {**headers, "Authorization": f"Bearer {target.client.api_key}"}
    took, cpu_s, errors = 0.0, 0.0, 0
    for path, sent in (("/api/sign-in", headers), ("/api/conversations", known)):
        began, before = time.monotonic(), target.web_cpu_s()
        status, answer = target.send("POST", path, body, sent)
        took, cpu_s = max(took, time.monotonic() - began), max(cpu_s, target.web_cpu_s() - before)
        assert status in (400, 413), answer[:300]
        errors = max(errors, len(json.loads(answer).get("errors", [])))
    return {"names_s": round(took, 3), "names_cpu_s": round(cpu_s, 3), "names_errors": errors}


def _ended(client: Client, operation: Json, seconds: float = 60) -> Json:
    """Return the operation once it has succeeded or failed."""
    deadline = time.monotonic() + seconds
    while operation["state"] not in ("succeeded", "failed") and time.monotonic() < deadline:
        time.sleep(0.05)
        operation = client.get(f"/api/operations/{operation['id']}")
    return operation
