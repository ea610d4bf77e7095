"""Recognition of the tool that uploaded files come from, by what is in them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from apps.transfer.formats.items import ImportSource

DATABASE_HEAD = b"SQLite format 3\x00"
_HEAD = 256 * 1024
_LINES = 20
_CHATGPT = re.compile(rb'"mapping"\s*:\s*\{')
_CLAUDE_AI = re.compile(rb'"chat_messages"\s*:\s*\[')
_TRANSCRIPT_FIELDS = frozenset({"sessionId", "parentUuid", "leafUuid"})

ENDINGS: Mapping[ImportSource, tuple[str, ...]] = MappingProxyType(
    {
        ImportSource.TRANSCRIPTS: (".jsonl",),
        ImportSource.CLAUDE_MEMORY: (".md",),
        ImportSource.JSON: (".json", ".jsonl"),
        ImportSource.CHATGPT: (".json",),
        ImportSource.CLAUDE_AI: (".json",),
    }
)
"""Of the files that a source is read from; a database is known by its head."""
ALL_ENDINGS = (*dict.fromkeys(ending for endings in ENDINGS.values() for ending in endings), ".db", ".db-wal")
"""Of the files in an archive that are unpacked; the page sends files with the same ones, and archives."""
_SUBAGENTS_DETAILS = re.compile(r"agent-.*\.meta\.json")


def recognized(files: Sequence[Path]) -> tuple[ImportSource, ...]:
    """The sources that the files seem to come from, the likeliest first."""
    counts: dict[ImportSource, int] = {}
    for file in files:
        if (source := source_of(file)) is not None:
            counts[source] = counts.get(source, 0) + 1
    # An export has JSON files beside its conversations; a list of memories is what any other JSON is taken for.
    return tuple(sorted(counts, key=lambda one: (one is ImportSource.JSON, -counts[one], one.value)))


def source_of(file: Path) -> ImportSource | None:
    """The source of one file, by its beginning; None if it is none of them."""
    with file.open("rb") as opened:
        head = opened.read(_HEAD)
    if head.startswith(DATABASE_HEAD):
        return ImportSource.CLAUDE_MEM
    suffix = file.suffix.lower()
    if suffix in ENDINGS[ImportSource.CLAUDE_MEMORY]:
        return ImportSource.CLAUDE_MEMORY
    if suffix in ENDINGS[ImportSource.TRANSCRIPTS]:
        return _of_lines(head)
    is_document = suffix in ENDINGS[ImportSource.JSON] and not _SUBAGENTS_DETAILS.fullmatch(file.name)
    return _of_json(head) if is_document else None


def _of_lines(head: bytes) -> ImportSource:
    entries = [_entry(line) for line in head.split(b"\n")[:_LINES]]
    is_transcript = any(_TRANSCRIPT_FIELDS & entry.keys() for entry in entries)
    return ImportSource.TRANSCRIPTS if is_transcript else ImportSource.JSON


def _of_json(head: bytes) -> ImportSource:
    if _CHATGPT.search(head):
        return ImportSource.CHATGPT
    return ImportSource.CLAUDE_AI if _CLAUDE_AI.search(head) else ImportSource.JSON


def _entry(line: bytes) -> dict[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
