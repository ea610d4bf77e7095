"""Report of an import from files: counts, the first items of each kind, and everything that was omitted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from apps.agents.cleaning import cleaned
from apps.engine.messages.parsing import clipped
from apps.transfer.records import ImportedResult

MOST_FIRST, MOST_LISTED = 6, 200
_LONGEST_TITLE, _READ = 120, 10_000
_CHANGED, _WAITING = ("updated", "confirmed"), "waiting"
_TITLES = ("title", "name", "content", "request", "completed", "narrative", "tool_name", "uri")


@dataclass
class FileReport:
    """Totals so far; everything in it is JSON and bounded, whatever was read.

    `waiting` counts the items whose memories wait in the inbox.
    """

    source: str
    recognized: list[str]
    import_id: str
    dry_run: bool = False
    files: int = 0
    items: int = 0
    done: int = 0
    messages: int = 0
    updated: int = 0
    waiting: int = 0
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    folders: dict[str, int] = field(default_factory=dict)
    first: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    problems: list[dict[str, Any]] = field(default_factory=list)
    problem_count: int = 0

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def add(self, items: Sequence[Mapping[str, Any]], results: Sequence[ImportedResult]) -> None:
        """Count the results of a batch."""
        for item, result in zip(items, results, strict=True):
            self.done += 1
            self.messages += result.messages
            self.updated += result.status == "existing" and result.reason in _CHANGED
            self.waiting += result.reason == _WAITING
            title = title_of(item)
            if not is_continued(item):
                self._count(title, result)
            for problem in _problems(title, result):
                self.problem_count += 1
                if len(self.problems) < MOST_LISTED:
                    self.problems.append(problem)

    def _count(self, title: str, result: ImportedResult) -> None:
        counts = self.counts.setdefault(result.kind, {})
        counts[result.status] = counts.get(result.status, 0) + 1
        if result.status not in ("created", "existing"):
            return
        if result.status == "created" and result.address:
            folder = _folder(result.address)
            self.folders[folder] = self.folders.get(folder, 0) + 1
        first = self.first.setdefault(result.kind, [])
        if len(first) < MOST_FIRST:
            first.append({"title": title, **_links(result)})


def is_continued(item: Mapping[str, Any]) -> bool:
    """Whether the item is a later part of a long conversation or transcript, which counts once."""
    numbers = (item.get("first_line"), item.get("first_number"))
    return any(isinstance(number, int) and number > 1 for number in numbers)


def title_of(item: Mapping[str, Any]) -> str:
    """A line by which a person recognizes the item, without secrets.

    >>> title_of({"kind": "memory", "content": "Likes tea.\\nEspecially green tea."})
    'Likes tea.'
    """
    text = next(_texts(item), "") or str(item.get("key", ""))
    line = cleaned(text[:_READ]).splitlines()
    return clipped(line[0], _LONGEST_TITLE) if line else ""


def _texts(item: Mapping[str, Any]) -> Iterator[str]:
    node = item.get("node")
    yield from (text for name in _TITLES if isinstance(text := item.get(name), str) and text.strip())
    if isinstance(node, dict) and isinstance(node.get("uri"), str):
        yield node["uri"]
    for name in ("messages", "lines"):
        listed = item.get(name)
        for entry in listed if isinstance(listed, list) else ():
            yield from _words(entry)


def _words(entry: Any) -> Iterator[str]:
    """The words of a message of a conversation, or of a line of a transcript that a person wrote."""
    if not isinstance(entry, dict) or entry.get("isMeta") is True:
        return
    message = entry.get("message") if entry.get("type") == "user" else entry
    content = message.get("content") if isinstance(message, dict) else None
    # What begins with a tag was put there by the agent.
    if isinstance(content, str) and content.strip() and not content.lstrip().startswith("<"):
        yield content


def _problems(title: str, result: ImportedResult) -> Iterator[dict[str, Any]]:
    if result.status in ("skipped", "refused"):
        head = {"status": result.status, "reason": result.reason, "detail": result.detail}
        yield {"kind": result.kind, "title": title, "line": None, **head}
    for one in result.problems:
        head = {"status": "damaged", "reason": one.code, "detail": one.detail}
        yield {"kind": result.kind, "title": title, "line": one.line, **head}


def _links(result: ImportedResult) -> dict[str, Any]:
    return {
        "status": result.status,
        "address": result.address,
        "node_id": str(result.node_id) if result.node_id else None,
        "conversation_id": str(result.conversation_id) if result.conversation_id else None,
        "is_session": result.session_id is not None or result.kind in ("session", "transcript", "agent_session"),
    }


def _folder(address: str) -> str:
    """The category that a memory is in.

    >>> _folder("mem://user/events/launch"), _folder("mem://agent/cases/limits")
    ('mem://user/events', 'mem://agent/cases')
    """
    return "/".join(address.split("/")[:4])
