"""Record of the items that earlier batches of a dry run would have created, for previews of those that depend on them.

A dry run is rolled back batch by batch: a later batch does not find the memory or the conversation that it names. What
became of those is noted in a file beside the items, and read again after each slice of the import.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from apps.transfer.records import ImportedResult

CREATED, EXISTING = "created", "existing"
_PARENTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "memory_not_imported": ("node", "earlier", "later"),
        "unknown_conversation": ("conversation",),
        "unknown_session": ("conversation",),
    }
)
"""By the reason why an item is left out because something is not here: the fields that name it."""
_KNOWN = {"node": "known_memory", "conversation": "conversation_exists", "agent_session": "session_recorded"}
_MEMORY, _CONVERSATION, _SESSION = _KNOWN
_SESSION_MEMORY = "session_memory"
_KINDS = {"memory_not_imported": _MEMORY, "unknown_conversation": _CONVERSATION, "unknown_session": _SESSION}
_Named = tuple[str, str]


class EarlierItems:
    """The memories and conversations of a dry run so far, by kind and name, with their status."""

    def __init__(self, file: Path) -> None:
        self._file = file
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True) if file.exists() else []
        if lines and not lines[-1].endswith("\n"):
            # A killed worker left a part of a line; the batch that it belongs to is repeated.
            file.write_text("".join(lines := lines[:-1]), encoding="utf-8")
        self._statuses: dict[_Named, str] = {(kind, name): status for kind, name, status in map(json.loads, lines)}

    def corrected(self, items: Sequence[Any], results: Sequence[ImportedResult]) -> list[ImportedResult]:
        """The results as they would be if the earlier batches had been stored; note those of this batch."""
        corrected = [self._correct(item, result) for item, result in zip(items, results, strict=True)]
        self._note(items, corrected)
        return corrected

    def _correct(self, item: Any, result: ImportedResult) -> ImportedResult:
        statuses = [self._statuses.get(one) for one in _parents(item, result.reason)]
        if not statuses or None in statuses:
            return result
        if EXISTING in statuses:
            return replace(result, status=EXISTING, reason=_KNOWN[_KINDS[result.reason]], detail="")
        return replace(result, status=CREATED, reason="", detail="")

    def _note(self, items: Sequence[Any], results: Sequence[ImportedResult]) -> None:
        new = {}
        for item, result in zip(items, results, strict=True):
            if result.status in (CREATED, EXISTING) and (named := _name(item)) and named not in self._statuses:
                new[named] = result.status
        self._statuses |= new
        lines = (json.dumps([*named, status]) + "\n" for named, status in new.items())
        with self._file.open("a", encoding="utf-8") as file:
            file.writelines(lines)


def _name(item: Mapping[str, Any]) -> _Named | None:
    """How other items name a memory, conversation or session of our own export."""
    kind, own = item.get("kind"), item.get("is_own") is True
    if kind in (_MEMORY, _SESSION_MEMORY):
        return _MEMORY, str(item["key"]).removeprefix("node:")
    if kind == _CONVERSATION and own:
        return _CONVERSATION, str(item.get("external_id")).strip()
    return (_SESSION, str(item.get("conversation")).strip()) if kind == _SESSION else None


def _parents(item: Any, reason: str) -> Iterator[_Named]:
    for field in _PARENTS.get(reason, ()):
        if isinstance(name := item.get(field), str) and name:
            yield _KINDS[reason], name.strip()
