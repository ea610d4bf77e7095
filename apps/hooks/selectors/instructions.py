"""Files of instructions and of memory that an agent has read in a session: their content need not be repeated."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Max

from apps.context.already_read import NOTHING_READ, AlreadyRead
from apps.hooks.imports.items import ImportSource
from apps.hooks.models import AgentSession, ImportedItem, Observation, ObservationKind
from apps.hooks.records import INSTRUCTIONS
from apps.memory.models import MemNode

_AT_EVERY_START = ("session_start", "include")
# Claude Code reads these again when it has compacted a session; a nested file only when it works in its folder again.
_AFTER_COMPACTION = (*_AT_EVERY_START, "compact")
_MOST_LOADED = 100


@dataclass(frozen=True, slots=True)
class _Loaded:
    file: str
    reason: str
    sentences: frozenset[str]
    read_at: datetime


def already_read(session: AgentSession | None, *, is_compacted: bool = False) -> AlreadyRead:
    """Return what the agent has read in the session and still has; `is_compacted`: it has compacted it just now.

    Before it says so, its last session in the same directory counts, with the files that every session begins with.
    """
    if session is None:
        return NOTHING_READ
    loaded = _loaded(session)
    if loaded:
        loaded = list(_left_by_compaction(session, loaded, is_compacted))
    else:
        loaded = [one for one in _loaded(_last_before(session)) if one.reason in _AT_EVERY_START]
    # The newest version of a file is the one that counts.
    files = {one.file: one.sentences for one in loaded}
    return AlreadyRead(dict(_imported_from(session.user_id, files)), files) if files else NOTHING_READ


def memory_file_key(file: str) -> str:
    """The key of the item that the import of a memory file creates: its project's folder and its name.

    >>> memory_file_key("/home/ann/.claude/projects/-shop/memory/tabs.md")[:12]
    'memory:f64a7'
    """
    parts = file.replace("\\", "/").split("/")
    name = "/".join((*parts[-3:-2], parts[-1]))
    return f"memory:{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:32]}"


def _loaded(session: AgentSession | None) -> list[_Loaded]:
    """What the session read, oldest first."""
    if session is None:
        return []
    rows = Observation.objects.filter(session=session, kind=ObservationKind.SETTING, details__has_key=INSTRUCTIONS)
    newest = rows.order_by("-occurred_at", "-id").values_list("details", "occurred_at")[:_MOST_LOADED]
    read = (_file_read(details[INSTRUCTIONS], read_at) for details, read_at in reversed(newest))
    return [one for one in read if one]


def _file_read(details: Any, read_at: datetime) -> _Loaded | None:
    """The file of an observation; None for details that an earlier import brought and no agent has sent."""
    match details:
        case {"file": str(file), "reason": str(reason), "lines": list(lines)}:
            return _Loaded(file, reason, frozenset(line for line in lines if isinstance(line, str)), read_at)
    return None


def _left_by_compaction(session: AgentSession, loaded: Iterable[_Loaded], is_compacted: bool) -> Iterator[_Loaded]:
    rows = Observation.objects.filter(session=session, kind=ObservationKind.COMPACTION)
    newest = rows.aggregate(newest=Max("occurred_at"))["newest"]
    for one in loaded:
        is_newer = not is_compacted and (newest is None or one.read_at > newest)
        if is_newer or one.reason in _AFTER_COMPACTION:
            yield one


def _last_before(session: AgentSession) -> AgentSession | None:
    rows = AgentSession.objects.filter(user_id=session.user_id, client=session.client, cwd=session.cwd)
    return rows.exclude(pk=session.pk).exclude(cwd="").order_by("-started_at").first()


def _imported_from(user_id: UUID, files: Iterable[str]) -> Iterator[tuple[UUID, str]]:
    """The memories that were imported from these files and not changed since."""
    by_key = {memory_file_key(file): file for file in files}
    rows = ImportedItem.objects.filter(user_id=user_id, source=ImportSource.CLAUDE_MEMORY.value, key__in=by_key)
    nodes = {node: by_key[key] for key, node in rows.values_list("key", "node") if node}
    for node_id in MemNode.objects.filter(pk__in=nodes, version=1).values_list("pk", flat=True):
        yield node_id, nodes[node_id]
