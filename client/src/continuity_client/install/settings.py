"""Add our hooks to a settings document and remove them, without touching a foreign entry."""

from __future__ import annotations

import json
import re
from typing import Any

from continuity_client.terminal import CommandError

_OURS = re.compile(r"(?:^|[\\/\"'\s])continuity(?:\.exe)?[\"']?\s+hook\s|continuity_client\s+hook\s")


def is_ours(entry: Any) -> bool:
    """Whether an entry, or each of its handlers, runs our command.

    >>> is_ours({"command": "/opt/bin/continuity hook stop"}), is_ours({"command": "my-continuity hook stop"})
    (True, False)
    """
    if not isinstance(entry, dict):
        return False
    if "hooks" in entry:
        return isinstance(entry["hooks"], list) and bool(entry["hooks"]) and all(map(is_ours, entry["hooks"]))
    return isinstance(entry.get("command"), str) and bool(_OURS.search(entry["command"]))


def with_hooks(document: dict[str, Any], groups: dict[str, Any], head: dict[str, Any] | None = None) -> dict[str, Any]:
    """The document with these hooks: one that is there and equal stays where it is, others of ours are replaced."""
    hooks = _hooks_of(document)
    changed = {}
    for name in (*hooks, *(name for name in groups if name not in hooks)):
        entries = _entries_of(name, hooks)
        changed[name] = _with_entry(entries, groups[name]) if name in groups else _without_ours(entries)
    return {**(head or {}), **document, "hooks": {name: entries for name, entries in changed.items() if entries}}


def without_hooks(document: dict[str, Any]) -> dict[str, Any]:
    """The document without our hooks, and without the events and the table that are empty then."""
    hooks = _hooks_of(document)
    if not any(is_ours_or_contains(entry) for name in hooks for entry in _entries_of(name, hooks)):
        return document
    left = {name: _without_ours(_entries_of(name, hooks)) for name in hooks}
    left = {name: entries for name, entries in left.items() if entries or not hooks[name]}
    return {name: value for name, value in {**document, "hooks": left}.items() if name != "hooks" or left}


def is_ours_or_contains(entry: Any) -> bool:
    """Whether an entry is ours, or one of its handlers is."""
    handlers = entry.get("hooks") if isinstance(entry, dict) else None
    return is_ours(entry) or (isinstance(handlers, list) and any(map(is_ours, handlers)))


def in_background(entries: Any) -> bool:
    """Whether one of our handlers among an event's entries runs in the background.

    >>> in_background([{"hooks": [{"command": "continuity hook stop", "async": True}]}]), in_background([{}])
    (True, False)
    """
    groups = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    handlers = [one for group in groups for one in (group.get("hooks") or [group]) if isinstance(one, dict)]
    return any(is_ours(one) and one.get("async") is True for one in handlers)


def parse(text: str, path: str) -> dict[str, Any]:
    """Read a settings file; one that we would damage by writing it is refused."""
    try:
        document = json.loads(text or "{}", object_pairs_hook=_unique, parse_float=_Number)
    except ValueError as error:
        raise CommandError(
            f"{path} is not plain JSON ({error}), so it is not changed. Correct it, or add the hooks by hand."
        ) from None
    if not isinstance(document, dict):
        raise CommandError(f"{path} is not a JSON object, so it is not changed.")
    return document


def render(document: dict[str, Any], before: str) -> str:
    """The document with the indentation and the last line end that the file had."""
    indent = re.search(r"^[{\[]\s*\n([ \t]+)", before)
    text = json.dumps(document, indent=indent.group(1) if indent else 2, ensure_ascii=False)
    text = re.sub(rf'"{_Number.MARK}([^"]+)"', r"\1", text)
    return text + ("\n" if not before or before.endswith("\n") else "")


class _Number(str):
    """A number with a fraction or an exponent, as it was written."""

    MARK = "\ue000number:"

    def __new__(cls, text: str) -> _Number:
        return super().__new__(cls, cls.MARK + text)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in it")
    return found


def _hooks_of(document: dict[str, Any]) -> dict[str, Any]:
    hooks = document.get("hooks", {})
    if not isinstance(hooks, dict):
        raise CommandError("The settings have `hooks` in a form that is unknown here, so they are not changed.")
    return hooks


def _entries_of(name: str, hooks: dict[str, Any]) -> list[Any]:
    entries = hooks.get(name, [])
    if not isinstance(entries, list):
        raise CommandError(f"The hooks of {name} have a form that is unknown here, so they are not changed.")
    return entries


def _with_entry(entries: list[Any], ours: Any) -> list[Any]:
    """Put our entry where an older one of ours is, else at the end."""
    placed: list[Any] = []
    is_placed = False
    for entry in entries:
        if is_ours(entry):
            placed += [] if is_placed else [ours]
            is_placed = True
        else:
            placed += _foreign_part(entry)
    return placed if is_placed else [*placed, ours]


def _without_ours(entries: list[Any]) -> list[Any]:
    return [part for entry in entries if not is_ours(entry) for part in _foreign_part(entry)]


def _foreign_part(entry: Any) -> list[Any]:
    """A foreign entry; of a mixed one, the foreign handlers."""
    if not is_ours_or_contains(entry):
        return [entry]
    return [{**entry, "hooks": [handler for handler in entry["hooks"] if not is_ours(handler)]}]
