"""The demo: a recorded conversation, turn by turn through the HTTP API of a running stack."""

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
FOLDING_SECONDS = 180
PAGE = 200


def demo(path: Path) -> dict[str, Any]:
    """Use the stack that runs, or start one for this."""
    if not path.is_file():
        raise StackError(f"There is no file {path}.")
    with running_stack() as client:
        return run(client, path)


def run(client: Client, path: Path) -> dict[str, Any]:
    """Store the first conversation of the file as given, wait for its folding, and tell what came of it."""
    began = time.monotonic()
    title, messages = first_conversation(path)
    conversation = client.post("/api/conversations", {"title": title})
    address = f"/api/conversations/{conversation['id']}"
    with folding_at_once(client):
        store(client, address, messages)
        await_folding(client, address)
    outcome = Outcome(
        sent=[message["content"] for message in messages],
        messages=every(client, f"{address}/messages"),
        runs=every(client, f"{address}/compactions"),
        summary=client.get(f"{address}/summary"),
        pack=client.get(f"{address}/context?token_budget={BUDGET}"),
    )
    print("\n".join(outcome.readable(title)), flush=True)
    told = outcome.numbers(seconds=round(time.monotonic() - began, 2))
    if faults := outcome.faults():
        print(json.dumps(told), flush=True)
        raise StackError("The demo did not end as it should:\n" + "\n".join(faults))
    return told


def first_conversation(path: Path) -> tuple[str, list[Json]]:
    """The title and the messages of the first conversation in a file, as the API takes them."""
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
    """One message as the body of a request."""
    body: Json = {"role": message.role, "content": message.content, "external_id": message.external_id}
    if message.name:
        body["name"] = message.name
    if message.created_at:
        body["created_at"] = message.created_at.isoformat()
    return body


def store(client: Client, address: str, messages: list[Json]) -> None:
    """One request for each message, each with a key that would make a repeat harmless."""
    for number, message in enumerate(messages, start=1):
        send(client, "POST", f"{address}/messages", message, {"Idempotency-Key": f"{address}#{number}"})
        if number % 50 == 0 or number == len(messages):
            note(f"stored {number} of {len(messages)} messages")


@contextmanager
def folding_at_once(client: Client) -> Iterator[None]:
    """No pause before a compaction while the block runs; afterwards the workspace's policy is what it was."""
    before = client.get("/api/policy")["overrides"].get("compaction_debounce_s")
    change_debounce(client, 0)
    try:
        yield
    finally:
        change_debounce(client, before)


def change_debounce(client: Client, seconds: float | None) -> None:
    """Set the workspace's pause before a compaction; None is the installation's."""
    version = client.get("/api/policy")["version"]
    body = {"overrides": {"compaction_debounce_s": seconds}}
    send(client, "PATCH", "/api/policy", body, {"If-Match": f'"{version}"'})


def await_folding(client: Client, address: str) -> None:
    """Wait until nothing runs and nothing more is due."""
    deadline = time.monotonic() + FOLDING_SECONDS
    while not is_settled(client, address):
        if time.monotonic() > deadline:
            raise StackError(f"The folding did not end within {FOLDING_SECONDS} s: {client.get(address)}")
        time.sleep(0.2)


def is_settled(client: Client, address: str) -> bool:
    """Whether no compaction is under way, none will follow, and the live part is small."""
    runs = client.get(f"{address}/compactions?limit=1")["data"]
    if runs and runs[0]["state"] == "failed" and not runs[0]["retry_at"]:
        raise StackError(f"The compaction failed: {runs[0]['error']}")
    metadata = client.get(f"{address}/context?token_budget={BUDGET}")["metadata"]
    waits = bool(runs) and runs[0]["state"] in {"queued", "running", "failed"}
    return not waits and bool(metadata["not_due_because"]) and metadata["live_tokens"] < LIVE_LIMIT


def every(client: Client, address: str) -> list[Json]:
    """All pages of a list."""
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
    """The same caller with further headers."""

    further: dict[str, str] = field(default_factory=dict)

    def _headers(self) -> dict[str, str]:
        return {**super()._headers(), **self.further}


def send(client: Client, method: str, path: str, body: Json, headers: dict[str, str]) -> Json:
    """One request with headers of its own."""
    sender = Sender(client.base, client.api_key, client.timeout, client.cookies, headers)
    return sender.request(method, path, body)


def note(text: str) -> None:
    """Progress, for the person who waits."""
    print(text, file=sys.stderr, flush=True)
