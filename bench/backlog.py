"""Seconds from the end of an import until its thousands of memories have their embeddings, on the default stack.

The memories come by the import API, in batches as the client sends them, while another client searches over HTTP.
`texts_per_s` counts from the beginning of the import, which embeds at the same time. The floor is a bare process that
embeds as many texts of one sentence. A measurement that makes no progress ends with an error.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Event, Thread
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from bench import embed
from bench._find.corpus import memory_date, memory_text, question_text
from bench._http.calls import Call, Connection
from bench._packs.percentiles import p50, p95
from config.stack.client import Client
from config.stack.errors import StackError
from config.stack.throwaway_stack import temporary_stack

MEMORIES, BATCH = 5_500, 100
# Most memories are a sentence or two, and every tenth fills what the model reads of a text.
LONG_EVERY, LONG_SENTENCES = 10, 12
FOLDERS = 550
FIND_EVERY_S = 0.2
POLL_S = 0.5
IMPORT_TIMEOUT_S = 120.0
STALLED_S = 60.0
LONGEST_S = 540.0

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Progress:
    """How many texts are searchable, and how many of them have no vector yet."""

    passages: int
    waiting: int


@dataclass
class Finder:
    """A client that searches in a thread until it is stopped; keeps its times in ms."""

    base: str
    key: str
    times: list[float] = field(default_factory=list)
    failures: list[BaseException] = field(default_factory=list)
    stopped: Event = field(default_factory=Event)

    def run(self) -> None:
        try:
            connection = Connection(self.base)
            while not self.stopped.wait(FIND_EVERY_S):
                self.times.append(connection.took_ms(self._call(len(self.times))))
            connection.close()
        except BaseException as error:  # raised again in the thread that measures
            self.failures.append(error)

    def _call(self, number: int) -> Call:
        path = f"/api/search?mode=find&top_k=10&q={quote(question_text(number))}"
        return Call.of("find", self.base, path, self.key)


def measure() -> Iterator[Line]:
    # No model but that of the embeddings is called.
    with temporary_stack({"CONTINUITY_MODEL_PROVIDER": "offline"}) as stack:
        print("Starting a stack for this measurement.", file=sys.stderr)
        stack.start()
        _settle(stack.client)
        yield _measured(stack.client)


def _measured(client: Client) -> Line:
    print(f"Importing {MEMORIES:,} memories.", file=sys.stderr)
    before = _progress(client).passages
    with _searching(client) as finder:
        began = time.monotonic()
        _import(client)
        imported = time.monotonic()
        made = _progress(client).passages - before
        _wait(client, finder, lambda now: now.waiting == 0)
        ended = time.monotonic()
    if made < MEMORIES:
        raise StackError(f"Only {made:,} of {MEMORIES:,} imported memories are searchable.")
    return {
        "bench": "backlog",
        "memories": made,
        "seconds": round(ended - imported, 1),
        "floor_s": _floor_s(),
        "import_s": round(imported - began, 1),
        "texts_per_s": round(made / (ended - began), 1),
        "find_p50_ms": p50(finder.times),
        "find_p95_ms": p95(finder.times),
        "finds": len(finder.times),
    }


def _floor_s() -> float:
    """The seconds that a bare process takes for as many texts of one sentence."""
    return round(float(embed.measure()["text_ms"]) * MEMORIES / 1_000, 1)


@contextmanager
def _searching(client: Client) -> Iterator[Finder]:
    # A key of its own, since rate limits are per key.
    made = client.post("/api/api-keys", {"name": "Searching", "scopes": ["read"]})
    finder = Finder(client.base, str(made["secret"]))
    thread = Thread(target=finder.run, daemon=True)
    thread.start()
    try:
        yield finder
    finally:
        finder.stopped.set()
        thread.join()
    if finder.failures:
        raise finder.failures[0]


def _import(client: Client) -> None:
    client = replace(client, timeout=IMPORT_TIMEOUT_S)
    import_id = str(uuid4())
    for first in range(0, MEMORIES, BATCH):
        items = [_item(number) for number in range(first, min(first + BATCH, MEMORIES))]
        client.post("/api/imports/json", {"import_id": import_id, "confirmed": True, "items": items})


def _item(number: int) -> Line:
    sentences = LONG_SENTENCES if number % LONG_EVERY == 0 else 1 + number % 2
    text = " ".join(memory_text(MEMORIES * part + number) for part in range(sentences))
    about = {"type": "project", "folder": f"Project {number % FOLDERS}", "name": f"Note {number}"}
    return {"key": f"bench-{number}", "kind": "memory", "content": text, "at": memory_date(number).isoformat(), **about}


def _settle(client: Client) -> None:
    """Wait for the vectors of the sample conversation."""
    _wait(client, None, lambda now: now.passages > 0 and now.waiting == 0)


def _wait(client: Client, finder: Finder | None, is_over: Callable[[Progress], bool]) -> None:
    """Poll until the state is reached; raise `StackError` if nothing changes for a while, or at the end of the time."""
    latest = moved_at = time.monotonic()
    end, last = latest + LONGEST_S, Progress(-1, -1)
    while not is_over(now := _progress(client)):
        latest = time.monotonic()
        if now != last:
            last, moved_at = now, latest
        if finder is not None and finder.failures:
            raise finder.failures[0]
        if latest > moved_at + STALLED_S:
            raise StackError(f"No embedding was stored for {STALLED_S:.0f} s: {_state(client)}")
        if latest > end:
            raise StackError(f"Not all embeddings were stored within {LONGEST_S:.0f} s: {_state(client)}")
        time.sleep(POLL_S)


def _progress(client: Client) -> Progress:
    state = client.get("/api/embeddings")
    return Progress(state["passages"], state["waiting"])


def _state(client: Client) -> str:
    return f"{_progress(client)}, health {client.get('/api/health')}"
