"""Read JSON exports of memory stores: our own, claude-mem's, mem0's and Honcho's, and plain lists of memories."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from continuity_client.imports import Item, SourceError
from continuity_client.imports.claude_mem_rows import Rows, Sessions
from continuity_client.imports.items import Keys, conversation_items, iso_date, problem, without_empty

OWN_FORMAT, OWN_EXPORT, OWN_VERSION = "continuity-memory-tree", "continuity-export", 2
_LONGEST_HEAD = 10_000
_LISTS = ("results", "memories", "items", "data", "conclusions", "facts")
_TEXTS = ("memory", "content", "text", "fact")
_ASSISTANTS = ("assistant", "agent", "bot", "ai", "model", "system")


def read_items(path: str | None) -> Iterator[Item]:
    """The items of a file, by what it contains."""
    if not path:
        raise SourceError("Name the file with --path.")
    path = os.path.expanduser(path)
    if _is_own_export(path):
        yield from _own(path)
        return
    document = _document(path)
    if isinstance(document, dict) and document.get("format") == OWN_FORMAT:
        yield from _nodes(document.get("nodes"))
    elif isinstance(document, dict) and isinstance(document.get("observations"), list):
        yield from _claude_mem(document)
    else:
        yield from _memories(document)


def _is_own_export(path: str) -> bool:
    """Whether the first line says so; a file of a later version is refused."""
    with _opened(path) as file:
        head = _line(file.readline(_LONGEST_HEAD))
    if not isinstance(head, dict) or head.get("format") != OWN_EXPORT:
        return False
    version = head.get("version")
    if not isinstance(version, int) or version > OWN_VERSION:
        raise SourceError(
            f"{path} is an export of version {version}, and this client reads versions up to {OWN_VERSION}."
            " Update it with `pip install --upgrade continuity-client`."
        )
    return True


@contextmanager
def _opened(path: str) -> Iterator[TextIO]:
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            yield file
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from None


def _document(path: str) -> Any:
    """One JSON value, or the values of JSON Lines as a list."""
    with _opened(path) as file:
        text = file.read()
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        lines = [_line(line) for line in text.splitlines() if line.strip()]
    if not any(isinstance(line, dict) for line in lines):
        raise SourceError(f"{path} is neither JSON nor JSON Lines.")
    return lines


def _line(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _own(path: str) -> Iterator[Item]:
    """The items of our own export, which are sent as they are; the file is never in memory as a whole."""
    with _opened(path) as file:
        file.readline()
        for place, text in enumerate(file, start=2):
            line = _line(text)
            if isinstance(line, dict) and isinstance(line.get("key"), str) and isinstance(line.get("kind"), str):
                yield line
            elif text.strip():
                yield problem(f"line:{place}", "bad_line", f"Line {place} is no item.")


def _nodes(nodes: Any) -> Iterator[Item]:
    keys = Keys()
    for node in nodes if isinstance(nodes, list) else []:
        uri = node.get("uri") if isinstance(node, dict) else None
        yield {"key": keys.key("node", uri), "kind": "node", "node": node}


def _claude_mem(document: dict[str, Any]) -> Iterator[Item]:
    """Rows of claude-mem's own export, which has the columns of its tables."""
    sessions = Sessions()
    sessions.add(_dicts(document.get("sessions")))
    rows = Rows(sessions)
    for name, reader in (
        ("sessions", rows.session),
        ("prompts", rows.prompt),
        ("observations", rows.observation),
        ("summaries", rows.summary),
    ):
        for row in _dicts(document.get(name)):
            yield from reader(row)


def _memories(document: Any) -> Iterator[Item]:
    """Memories, and messages of Honcho, which become conversations."""
    keys = Keys()
    messages: dict[str, list[dict[str, Any]]] = {}
    for place, entry in enumerate(_entries(document)):
        if not isinstance(entry, dict):
            yield problem(keys.key("entry", place), "not_an_object", f"Entry {place + 1} is no JSON object.")
        elif isinstance(entry.get("uri"), str):
            yield {"key": keys.key("node", entry["uri"]), "kind": "node", "node": entry}
        elif entry.get("peer_id") and entry.get("session_id"):
            messages.setdefault(str(entry["session_id"]), []).append(_message(entry))
        else:
            yield _memory(entry, keys, place)
    for session_id, listed in messages.items():
        yield from conversation_items(session_id, "", listed)


def _entries(document: Any) -> list[Any]:
    if isinstance(document, list):
        return document
    if not isinstance(document, dict):
        raise SourceError("The file contains no list of memories.")
    lists = [document[name] for name in (*_LISTS, "messages") if isinstance(document.get(name), list)]
    if not lists:
        raise SourceError("The file contains no list of memories.")
    return [entry for one in lists for entry in one]


def _memory(entry: dict[str, Any], keys: Keys, place: int) -> Item:
    content = next((entry[name] for name in _TEXTS if isinstance(entry.get(name), str) and entry[name].strip()), "")
    key = keys.key("memory", entry.get("id") or entry.get("hash") or content)
    if not content:
        return problem(key, "empty_content", f"Entry {place + 1} has no text.")
    metadata = entry.get("metadata")
    categories = entry.get("categories")
    categories = [str(one) for one in categories] if isinstance(categories, list) else []
    kind = entry.get("type") or entry.get("category")
    kind = kind or (metadata.get("category") if isinstance(metadata, dict) else None)
    return without_empty(
        {
            "key": key,
            "kind": "memory",
            "content": content,
            "type": str(kind or (categories[0] if categories else "")),
            "tags": [tag[:64] for tag in categories],
            "at": iso_date(entry.get("created_at") or entry.get("timestamp")),
            "session_id": str(entry.get("session_id") or entry.get("run_id") or ""),
        }
    )


def _message(entry: dict[str, Any]) -> dict[str, Any]:
    """A message of Honcho, whose peers have names and no roles."""
    peer = str(entry["peer_id"])
    is_assistant = any(word in peer.lower().replace("-", "_").split("_") for word in _ASSISTANTS)
    read = {
        "external_id": str(entry.get("id") or ""),
        "role": "assistant" if is_assistant else "user",
        "content": str(entry.get("content") or ""),
        "name": "" if is_assistant else peer[:120],
        "created_at": iso_date(entry.get("created_at")),
    }
    return {name: value for name, value in read.items() if value}


def _dicts(rows: Any) -> list[dict[str, Any]]:
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
