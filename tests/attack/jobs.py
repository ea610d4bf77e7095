"""What a person asked for beside somebody else's backlog, and readiness while nothing happens."""

from __future__ import annotations

import json
import time

from config.stack.client import Client
from tests.attack.target import Json, Target

OWN_MESSAGES = 60
POLL_S = 0.02


def person_beside_backlog(target: Target, backlog: int) -> Json:
    """Let another workspace import a large file; measure when a person's compaction begins meanwhile, and before."""
    stranger = target.stranger()
    alone = _seconds_until_it_begins(target.client)
    lines = (json.dumps({"role": "user", "content": f"Message {number}: {'word ' * 30}"}) for number in range(backlog))
    operation = target.send_file(stranger, "backlog", "\n".join(lines).encode())
    _await_start(stranger, operation)
    slowest = max(_seconds_until_it_begins(target.client) for _ in range(5))
    return {"person_job_s": round(slowest, 3), "person_alone_s": round(alone, 3)}


def idle(target: Target, seconds: float) -> Json:
    """Send nothing for a while; return the first answer after it."""
    time.sleep(seconds)
    status, _ = target.send("GET", "/readyz")
    return {"idle_ready_status": status}


def _await_start(client: Client, operation: Json, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while operation["progress"] < 1 and time.monotonic() < deadline:
        time.sleep(0.1)
        operation = client.get(f"/api/operations/{operation['id']}")


def _seconds_until_it_begins(client: Client) -> float:
    conversation = client.post("/api/conversations", {"title": "Mine"})["id"]
    messages = [
        {"role": "user", "content": f"We decided to take train {number}. " * 20} for number in range(OWN_MESSAGES)
    ]
    client.post(f"/api/conversations/{conversation}/messages", {"messages": messages})
    began = time.monotonic()
    made = client.post(f"/api/conversations/{conversation}/compactions", {"level": "light"})
    path = f"/api/operations/{made['operation']['id']}"
    while client.get(path)["state"] == "queued" and time.monotonic() - began < 60:
        time.sleep(POLL_S)
    return time.monotonic() - began
