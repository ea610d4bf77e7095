"""Latency of the inbox over HTTP, with proposals that nearly repeat memories in use.

A page shows each item with what it would replace, what it nearly repeats, its sources and its quotes. The baseline is
one bare application with one SQL read, as in `bench.http`. The vectors are WordLlama's, made in seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

from bench._find.corpus import memory_text
from bench._http.calls import Call, connected
from bench._http.servers import ASGI, floors
from bench._packs.percentiles import p50, p95, ratio
from config.stack.client import Client
from config.stack.errors import StackError
from config.stack.throwaway_stack import TemporaryStack, temporary_stack

MEMORIES, ITEMS, PAGE = 1_000, 306, 50
WARM_UP, CALLS = 10, 60
SOURCE = "bench"
VECTORS_S = 180

Line = dict[str, Any]


def measure() -> Iterator[Line]:
    # No model is called.
    with temporary_stack({"CONTINUITY_MODEL_PROVIDER": "offline", "EMBEDDINGS": "wordllama"}) as stack:
        print("Starting a stack for this measurement.", file=sys.stderr)
        stack.start()
        filled(stack.client)
        yield _measured(stack)


def filled(client: Client) -> None:
    """Write memories, and proposals of which each says nearly what one of them says; wait for their vectors."""
    print(f"Writing {MEMORIES:,} memories and {ITEMS} proposals.", file=sys.stderr)
    _write(client, [{"uri": f"mem://user/events/m{n}", "content": memory_text(n)} for n in range(MEMORIES)])
    sources = [{"kind": "import", "reference": SOURCE}]
    proposals = [{"uri": f"mem://user/events/p{n}", "content": f"Noted: {memory_text(n)}"} for n in range(ITEMS)]
    _write(client, [{**one, "sources": sources} for one in proposals])
    client.post("/api/inbox/quarantine", {"source": {"kind": "import", "reference": SOURCE}, "action": "quarantine"})
    deadline = time.monotonic() + VECTORS_S
    while client.get("/api/embeddings")["waiting"]:
        if time.monotonic() > deadline:
            raise StackError(f"The vectors were not made within {VECTORS_S} s.")
        time.sleep(0.5)


def _write(client: Client, items: list[Line]) -> None:
    refused = client.post("/api/memories/bulk", {"items": items})["refused"]
    if refused:
        raise StackError(f"{refused} memories were refused.")


def _measured(stack: TemporaryStack) -> Line:
    page, count = f"/api/inbox?limit={PAGE}", stack.client.get("/api/inbox/count")["waiting"]
    items = stack.client.get(page)["data"]
    with floors(stack) as bases:
        calls = {
            "page": Call.of("page", stack.client.base, page, stack.client.api_key),
            "floor": Call.of("floor", bases[ASGI], "/"),
        }
        times = _times(calls)
    floor = p50(times["floor"])
    return {
        "bench": "inbox",
        "items": count,
        "memories": MEMORIES,
        "page": len(items),
        "with_near_duplicates": sum(bool(item["near_duplicates"]) for item in items),
        "page_p50_ms": p50(times["page"]),
        "page_p95_ms": p95(times["page"]),
        "floor_p50_ms": floor,
        "ratio": ratio(p50(times["page"]), floor),
    }


def _times(calls: dict[str, Call]) -> dict[str, list[float]]:
    """Return the times by name; the calls take turns, so that other load affects all of them."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    with connected(sorted({call.base for call in calls.values()})) as connections:
        for number in range(WARM_UP + CALLS):
            for name, call in calls.items():
                took = connections[call.base].took_ms(call)
                if number >= WARM_UP:
                    times[name].append(took)
    return times
