"""Test data of the measured calls: a bank of memories with embeddings, a long conversation, and short ones."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from urllib.parse import quote

from bench._find.corpus import memory_text, question_text
from bench._http.calls import Call
from config.stack.client import Client
from config.stack.errors import StackError

MEMORIES = 100
MESSAGES, SENTENCES = 200, 4
BUDGET = 8_000
NEAREST = 10
SETTLE_S = 120
# Longer than jobs are delayed after the last message.
QUIET_S = 6.0


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace on the measured stack. Every client has its own key and conversation to write to."""

    base: str
    keys: list[str]
    long_conversation: str
    conversations: list[str]

    def alive(self, client: int, number: int) -> Call:
        return Call.of("healthz", self.base, "/healthz")

    def me(self, client: int, number: int) -> Call:
        return Call.of("me", self.base, "/api/me", self.keys[client])

    def find(self, client: int, number: int) -> Call:
        question = quote(question_text(len(self.keys) * number + client))
        return Call.of("find", self.base, f"/api/search?mode=find&top_k={NEAREST}&q={question}", self.keys[client])

    def context(self, client: int, number: int) -> Call:
        path = f"/api/conversations/{self.long_conversation}/context?token_budget={BUDGET}"
        return Call.of("context", self.base, path, self.keys[client])

    def append(self, client: int, number: int) -> Call:
        path = f"/api/conversations/{self.conversations[client]}/messages"
        message = {"role": ("user", "assistant")[number % 2], "content": memory_text(number)}
        return Call.of("append", self.base, path, self.keys[client], message)


def filled_workspace(client: Client, clients: int) -> Workspace:
    """Create the data by the API, and wait for background jobs."""
    print(f"Writing {MEMORIES:,} memories and {MESSAGES} messages.", file=sys.stderr)
    items = [{"uri": f"mem://user/events/bench-{n}", "content": memory_text(n)} for n in range(MEMORIES)]
    client.post("/api/memories/bulk", {"items": items})
    long_conversation = _conversation(client, "A long conversation")
    messages = [
        {
            "role": ("user", "assistant")[n % 2],
            "content": " ".join(memory_text(SENTENCES * n + i) for i in range(SENTENCES)),
        }
        for n in range(MESSAGES)
    ]
    client.post(f"/api/conversations/{long_conversation}/messages", {"messages": messages})
    conversations = [_conversation(client, f"Conversation {number}") for number in range(clients)]
    keys = [_key(client, number) for number in range(clients)]
    _wait_for_quiet(client)
    return Workspace(client.base, keys, long_conversation, conversations)


def _conversation(client: Client, title: str) -> str:
    return str(client.post("/api/conversations", {"title": title})["id"])


def _key(client: Client, number: int) -> str:
    """Create a key; rate limits are per key."""
    return str(client.post("/api/api-keys", {"name": f"Client {number}", "scopes": ["read", "write"]})["secret"])


def _wait_for_quiet(client: Client) -> None:
    """Wait until no job runs or waits."""
    deadline, quiet_since = time.monotonic() + SETTLE_S, time.monotonic()
    while time.monotonic() - quiet_since < QUIET_S:
        if not _is_quiet(client):
            quiet_since = time.monotonic()
        if time.monotonic() > deadline:
            raise StackError(f"The work in the background did not end within {SETTLE_S} s.")
        time.sleep(0.2)


def _is_quiet(client: Client) -> bool:
    jobs = client.get("/api/health")["jobs"]
    found = client.get(f"/api/search?mode=find&q={quote(question_text(0))}")
    return found["by_meaning"] and not any(kind["waiting"] or kind["running"] for kind in jobs)
