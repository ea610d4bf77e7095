"""Worker processes that are killed while one account writes and another imports; bystanders do nothing."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress

from config.stack.client import Client
from config.stack.errors import StackError
from tests.attack.target import Json, Target

IMPORTS, LINES = 38, 30
EVERY_S, SETTLE_S = 10.0, 120.0


def worker_kills(target: Target, seconds: float) -> Json:
    """Kill a child of the worker every few seconds; return what became of imports and of everybody's jobs.

    Nothing for 0 seconds: `tests/jobs/test_process_crashes.py` does the same in small.
    """
    if not seconds:
        return {}
    writer, importer, _bystander = target.stranger(), target.stranger(), target.stranger()
    stopped = threading.Event()
    threads = [
        threading.Thread(target=_write, args=(writer, stopped), daemon=True),
        threading.Thread(target=_kill, args=(target, stopped), daemon=True),
    ]
    for thread in threads:
        thread.start()
    started = {_import(target, importer, number): time.monotonic() for number in range(IMPORTS)}
    done = _await_imports(importer, started, time.monotonic() + seconds)
    _rest(seconds - max(done.values(), default=0.0))
    stopped.set()
    for thread in threads:
        thread.join()
    done |= _await_imports(importer, started, time.monotonic() + SETTLE_S)
    return {
        "kills_imports_done": f"{len(done)}/{IMPORTS}",
        "kills_slowest_import_s": round(max(done.values(), default=0.0), 1),
        "kills_jobs_failed": sum(one["failed"] for one in target.client.get("/api/health")["jobs"]),
    }


def _write(client: Client, stopped: threading.Event) -> None:
    conversation = client.post("/api/conversations", {"title": "Busy"})["id"]
    for number in range(100_000):
        words = [f"I moved to city {number}-{part}. We decided to use tool {part}. " * 8 for part in range(20)]
        messages = [{"role": "user", "content": content} for content in words]
        with suppress(StackError):
            client.post(f"/api/conversations/{conversation}/messages", {"messages": messages})
        if stopped.wait(0.5):
            return


def _kill(target: Target, stopped: threading.Event) -> None:
    while not stopped.wait(EVERY_S):
        children = target.worker_children()
        if children:
            with suppress(ProcessLookupError):
                os.kill(children[-1], signal.SIGKILL)


def _import(target: Target, client: Client, number: int) -> str:
    lines = "\n".join(f'{{"role": "user", "content": "Line {line} of file {number}."}}' for line in range(LINES))
    operation: str = target.send_file(client, f"file-{number}", lines.encode())["id"]
    return operation


def _await_imports(client: Client, started: dict[str, float], deadline: float) -> dict[str, float]:
    """Return the seconds that each finished import took."""
    done: dict[str, float] = {}
    while len(done) < len(started) and time.monotonic() < deadline:
        for operation, began in started.items():
            if operation not in done and client.get(f"/api/operations/{operation}")["state"] == "succeeded":
                done[operation] = time.monotonic() - began
        time.sleep(0.5)
    return done


def _rest(seconds: float) -> None:
    time.sleep(max(seconds, 0.0))
