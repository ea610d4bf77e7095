"""Secrets of every kind by every way in: what remains of them in what is derived, and in addresses."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from apps.common.secrets.redaction import redacted
from config.stack.client import Client
from tests.attack.target import Json, Target, parts_of, strings_in
from tests.client.secrets.kinds import KINDS
from tests.client.secrets.later_kinds import LATER_KINDS
from tests.client.secrets.templates import Rendered, rendered

EVERY_KIND = {**KINDS, **LATER_KINDS}
WAYS = ("prompt", "tool", "import", "chat")
_ORDINARY = Path(__file__).parents[1] / "client/secrets/ordinary.txt"
_SHORTEST, _SHORTEST_IN_ADDRESS = 4, 6
_IDS_AND_TIMES = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(?:\.[0-9]+)?"
)
"""Their digits are those of a PIN now and then."""


def secret_kinds(target: Target, kinds: Mapping[str, Sequence[str]] = EVERY_KIND, wait_s: float = 60) -> Json:
    """Send a secret of each kind by each way; return the share of which nothing is left in what is derived."""
    ann = target.stranger()
    sent = {(kind, way): rendered(kinds[kind][0], place) for kind in kinds for place, way in enumerate(WAYS)}
    chat = _send(ann, sent)
    _await_summary(ann, chat, wait_s)
    derived, addresses = _derived(target, ann, chat)
    left = {one for one, sample in sent.items() if _is_in(sample, derived, _SHORTEST)}
    in_addresses = {kind for (kind, _), sample in sent.items() if _is_in(sample, addresses, _SHORTEST_IN_ADDRESS)}
    ordinary = _ORDINARY.read_text("utf-8").splitlines()
    return {
        "secrets_sent": len(sent),
        "secrets_redacted": round(1 - len(left) / len(sent), 3),
        "secrets_left": sorted({f"{kind} by {way}" for kind, way in left})[:10],
        "secrets_in_addresses": len(in_addresses),
        "ordinary_redacted": round(sum(redacted(line) != line for line in ordinary) / len(ordinary), 4),
    }


def _send(ann: Client, sent: Mapping[tuple[str, str], Rendered]) -> str:
    """Send each text by its way; return the chat, whose first messages are then compacted."""
    texts = {way: [sample.text for (_, one), sample in sent.items() if one == way] for way in WAYS}
    for part in parts_of([*_events(texts)], 100):
        ann.post("/api/hooks/claude-code/batch", {"events": list(part)})
    items = [{"kind": "memory", "key": f"k{place}", "content": text} for place, text in enumerate(texts["import"])]
    ann.post("/api/imports/json", {"import_id": str(uuid.uuid4()), "items": items, "confirmed": True})
    chat: str = ann.post("/api/conversations", {"title": "Notes"})["id"]
    messages = [{"role": "user", "content": f"Remember this, it is important: {text}"} for text in texts["chat"]]
    messages += [{"role": "user", "content": f"Thanks, {place}."} for place in range(30)]
    for part in parts_of(messages, 100):
        ann.post(f"/api/conversations/{chat}/messages", {"messages": list(part)})
    ann.post(f"/api/conversations/{chat}/compactions", {"level": "aggressive"})
    return chat


def _events(texts: Mapping[str, Sequence[str]]) -> Iterator[Json]:
    common = {"session_id": "secrets", "cwd": "/home/ann/shop", "transcript_path": "/t/x.jsonl"}
    for place, (prompt, tool) in enumerate(zip(texts["prompt"], texts["tool"], strict=True)):
        event = {**common, "hook_event_name": "UserPromptSubmit", "prompt": prompt, "prompt_id": f"p{place}"}
        yield {"id": str(uuid.uuid4()), "payload": event}
        used = {"tool_name": "Bash", "tool_use_id": f"t{place}", "tool_input": {"command": "show"}}
        event = {**common, "hook_event_name": "PostToolUse", **used, "tool_response": tool}
        yield {"id": str(uuid.uuid4()), "payload": event}


def _await_summary(ann: Client, chat: str, wait_s: float) -> None:
    ends = time.monotonic() + wait_s
    while time.monotonic() < ends and not ann.get(f"/api/conversations/{chat}/summary")["version"]:
        time.sleep(1)


def _derived(target: Target, ann: Client, chat: str) -> tuple[str, str]:
    """Everything of the account but the messages of the chat, which keep what a person wrote; and all addresses."""
    raw = {text for one in _messages(ann, chat) for text in strings_in(one)}
    known = [*target.export(ann), ann.get(f"/api/conversations/{chat}/summary"), ann.get("/api/context/new")]
    known.append(ann.get("/api/inbox?limit=100"))
    texts = [text for value in known for text in strings_in(value) if text not in raw]
    texts = [_IDS_AND_TIMES.sub("", text) for text in texts]
    addresses = [text for text in texts if text.startswith("mem://")]
    return "\n".join(texts), "\n".join(addresses)


def _messages(ann: Client, chat: str) -> list[Json]:
    found: list[Json] = []
    after = ""
    while True:
        page = ann.get(f"/api/conversations/{chat}/messages?limit=100{after}")
        found += page["data"]
        if not page.get("next_cursor"):
            return found
        after = f"&cursor={page['next_cursor']}"


def _is_in(sample: Rendered, text: str, shortest: int) -> bool:
    """Whether a secret is in the text, as it is or as an address has it."""
    return any(one in text or one.lower().replace(" ", "-") in text for one in sample.secrets if len(one) >= shortest)
