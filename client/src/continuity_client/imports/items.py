"""Shared parts of the readers: keys of items, files in archives, and dates."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

from continuity_client.imports import Item, SourceError

MOST_MESSAGES, MOST_SIZE = 500, 1_500_000
"""Of one item: a longer conversation is sent in parts."""


class Keys:
    """Keys from an item's own content, so that copies of a store and renumbered rows have the same ones."""

    def __init__(self) -> None:
        self._count: dict[str, int] = {}

    def key(self, kind: str, *parts: object) -> str:
        """The key of an item; items with the same content are numbered.

        >>> keys = Keys()
        >>> keys.key("row", "a", 1) == keys.key("row", "a", 1), keys.key("row", "a", 1)[-2:]
        (False, ':3')
        """
        text = "\x00".join("" if part is None else str(part) for part in parts)
        key = f"{kind}:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:32]}"
        number = self._count[key] = self._count.get(key, 0) + 1
        return key if number == 1 else f"{key}:{number}"


def without_empty(item: dict[str, Any]) -> Item:
    """The item without fields that say nothing."""
    return {name: value for name, value in item.items() if value not in (None, "", [])}


def problem(key: str, reason: str, detail: str) -> Item:
    """An item for what cannot be read, so that the report names it."""
    return {"key": key, "kind": "problem", "reason": reason, "detail": detail[:500]}


def skipped(key: str, reason: str) -> Item:
    """An item for what is not imported on purpose."""
    return {"key": key, "kind": "skip", "reason": reason}


def texts_of(value: Any) -> list[str]:
    """A list of texts from a column that has JSON, plain text or nothing.

    >>> texts_of('["a", 1]'), texts_of("a"), texts_of(None), texts_of('"b"')
    (['a', '1'], ['a'], [], ['b'])
    """
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            value = [value]
    if isinstance(value, str):
        value = [value]
    if isinstance(value, dict):
        value = [f"{name}: {one}" for name, one in value.items()]
    texts = [one if isinstance(one, str) else json.dumps(one) for one in value] if isinstance(value, list) else []
    return [text for text in texts if text.strip()]


def iso_date(seconds: Any) -> str | None:
    """An ISO 8601 date from seconds since 1970, or from a text that is one already."""
    if isinstance(seconds, str):
        return seconds or None
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        return None
    try:
        return datetime.fromtimestamp(seconds, timezone.utc).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def documents(path: str, name: str) -> Iterator[Any]:
    """The JSON documents of an export: a file, those in a folder or a zip archive whose names begin with `name`."""
    for label, content in _contents(os.path.expanduser(path), name):
        try:
            yield json.loads(content.decode("utf-8-sig", "replace"))
        except (ValueError, RecursionError):
            raise SourceError(f"{label} is not valid JSON. Export it again.") from None


def _contents(path: str, name: str) -> Iterator[tuple[str, bytes]]:
    if os.path.isdir(path):
        found = [one for one in sorted(os.listdir(path)) if _is_wanted(one, name)]
        yield from ((one, _read(os.path.join(path, one))) for one in found)
    elif os.path.isfile(path) and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            found = [one for one in sorted(archive.namelist()) if _is_wanted(os.path.basename(one), name)]
            yield from ((one, archive.read(one)) for one in found)
    else:
        found = [path]
        yield os.path.basename(path), _read(path)
    if not found:
        raise SourceError(f"There is no {name}.json in {path}.")


def _is_wanted(file: str, name: str) -> bool:
    return file.startswith(name) and file.endswith(".json")


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from None


def conversation_items(conversation_id: str, title: str, messages: list[dict[str, Any]]) -> Iterator[Item]:
    """A conversation as items, in parts where it is long."""
    part: list[dict[str, Any]] = []
    size, first, number = 0, 1, 0
    for message in messages:
        length = len(str(message.get("content", "")))
        if part and (len(part) == MOST_MESSAGES or size + length > MOST_SIZE):
            number += 1
            yield _part(conversation_id, number, title, part, first)
            first, part, size = first + len(part), [], 0
        part.append(message)
        size += length
    yield _part(conversation_id, number + 1, title, part, first)


def _part(conversation_id: str, number: int, title: str, messages: list[dict[str, Any]], first: int) -> Item:
    return {
        "key": conversation_id if number == 1 else f"{conversation_id}:{number}",
        "kind": "conversation",
        "external_id": conversation_id,
        "title": title,
        "messages": messages,
        "first_number": first,
    }
