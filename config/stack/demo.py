"""The demo: send a recorded conversation, message by message, through the HTTP API of a stack."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apps.conversations.imports.formats import Source, read_items
from apps.conversations.imports.parsed_items import Place, ReadMessage
from config.stack.client import Client, Json
from config.stack.demo_report import LIVE_LIMIT, Outcome
from config.stack.errors import StackError
from config.stack.throwaway_stack import running_stack

BUDGET = 8_000
COMPACTION_SECONDS = 180
PAGE = 200


def demo(path: Path) -> dict[str, Any]:
    """Run the demo on the running stack, or on a temporary one."""
    if not path.is_file():
        raise StackError(f"File not found: {path}.")
    with running_stack() as client:
        return run(client, path)


def run(client: Client, path: Path) -> dict[str, Any]:
    """Store the first conversation of the file, wait for its compactions, and report the result."""
    began = time.monotonic()
    title, messages = first_conversation(path)
    conversation = client.post("/api/conversations", {"title": title})
    address = f"/api/conversations/{conversation['id']}"
    with compaction_without_delay(client):
        store(client, address, messages)
        await_compaction(client, address)
    outcome = Outcome(
        sent=[message["content"] for message in messages],
        messages=every(client, f"{address}/messages"),
        runs=every(client, f"{address}/compactions"),
        summary=client.get(f"{address}/summary"),
        pack=client.get(f"{address}/context?token_budget={BUDGET}"),
    )
    print("\n".join(outcome.readable(title)), flush=True)
    numbers = outcome.numbers(seconds=round(time.monotonic() - began, 2))
    if faults := outcome.faults():
        print(json.dumps(numbers), flush=True)
        raise StackError("The demo failed:\n" + "\n".join(faults))
    return numbers


def first_conversation(path: Path) -> tuple[str, list[Json]]:
    """Return title and messages of the first conversation in a file, as request bodies."""
    messages: list[Json] = []
    title = path.name
    with path.open("rb") as file:
        first = None
        for item in read_items(file, Source(path.name), Place()):
            first = first or item.seed
            if item.seed != first:
                break
            if isinstance(item.found, ReadMessage):
                messages.append(as_sent(item.found))
            title = item.seed.title if item.seed else title
    if not messages:
        raise StackError(f"There is no conversation in {path}.")
    return title, messages


def as_sent(message: ReadMessage) -> Json:
    """Return a message as a request body."""
    body: Json = {"role": message.role, "content": message.content, "external_id": message.external_id}
    if message.name:
        body["name"] = message.name
    if message.created_at:
        body["created_at"] = message.created_at.isoformat()
    return body


def store(client: Client, address: str, messages: list[Json]) -> None:
    """Send one request per message, each with an idempotency key."""
    for number, message in enumerate(messages, start=1):
        send(client, "POST", f"{address}/messages", message, {"Idempotency-Key": f"{address}#{number}"})
        if number % 50 == 0 or number == len(messages):
            note(f"stored {number} of {len(messages)} messages")


@contextmanager
def compaction_without_delay(client: Client) -> Iterator[None]:
    """Disable the compaction debounce during the block, then restore the workspace's policy."""
    before = client.get("/api/policy")["overrides"].get("compaction_debounce_s")
    change_debounce(client, 0)
    try:
        yield
    finally:
        change_debounce(client, before)


def change_debounce(client: Client, seconds: float | None) -> None:
    """Set the workspace's compaction debounce; None for the installation's."""
    version = client.get("/api/policy")["version"]
    body = {"overrides": {"compaction_debounce_s": seconds}}
    send(client, "PATCH", "/api/policy", body, {"If-Match": f'"{version}"'})


def await_compaction(client: Client, address: str) -> None:
    """Wait until no compaction runs and none is due."""
    deadline = time.monotonic() + COMPACTION_SECONDS
    while not is_settled(client, address):
        if time.monotonic() > deadline:
            raise StackError(f"The compaction did not end within {COMPACTION_SECONDS} s: {client.get(address)}")
        time.sleep(0.2)


def is_settled(client: Client, address: str) -> bool:
    """Return whether no compaction runs, none is due, and few tokens are live."""
    runs = client.get(f"{address}/compactions?limit=1")["data"]
    if runs and runs[0]["state"] == "failed" and not runs[0]["retry_at"]:
        raise StackError(f"The compaction failed: {runs[0]['error']}")
    metadata = client.get(f"{address}/context?token_budget={BUDGET}")["metadata"]
    waits = bool(runs) and runs[0]["state"] in {"queued", "running", "failed"}
    return not waits and metadata["not_due_reason"] is not None and metadata["live_tokens"] < LIVE_LIMIT


def every(client: Client, address: str) -> list[Json]:
    """Return all items of a paginated list."""
    found: list[Json] = []
    cursor = ""
    while True:
        page = client.get(f"{address}?limit={PAGE}{cursor}")
        found += page["data"]
        if not page["has_more"]:
            return found
        cursor = f"&cursor={page['next_cursor']}"


@dataclass
class Sender(Client):
    """A client with additional headers."""

    extra_headers: dict[str, str] = field(default_factory=dict)

    def headers(self) -> dict[str, str]:
        return {**super().headers(), **self.extra_headers}


def send(client: Client, method: str, path: str, body: Json, headers: dict[str, str]) -> Json:
    """Send one request with additional headers."""
    sender = Sender(client.base, client.api_key, client.timeout, cookies=client.cookies, extra_headers=headers)
    return sender.request(method, path, body)


def note(text: str) -> None:
    """Print progress to stderr."""
    print(text, file=sys.stderr, flush=True)
